package words

// germanGames is watching, replays, profiles and records.
var germanGames = map[Text]string{
	// Watching.
	"Watch a match": "Bei einer Partie zusehen", "No match is on.": "Es läuft keine Partie.",
	"%s, clock %s, for %s.": "%s, Uhr %s, seit %s.", "less than a minute": "weniger als einer Minute",
	"There is no other match to watch just now.": "Gerade läuft keine andere Partie.",
	"The match is coming.":                       "Die Partie kommt gleich.",
	"%s is away":                                 "%s ist weg", "%s is away and loses in %s": "%s ist weg und verliert in %s",
	"No other match is on. Press esc for the lobby.": "Keine andere Partie läuft. Mit Esc zur Lobby.",
	"Press → to watch %s next.":                      "Mit → siehst du als Nächstes %s.",
	"%s is placing ships.":                           "%s stellt auf.", "Both are placing ships.": "Beide stellen auf.",

	// Games, replays and profiles.
	"of everybody": "aller", "of %s": "von %s", "They are coming.": "Sie kommen gleich.", "It is coming.": "Es kommt gleich.",
	"No match has ended yet.": "Noch ist keine Partie zu Ende.",
	"You are a guest: your games are not listed apart from the others.": "Du bist Gast: Deine Partien stehen nicht für sich.",
	"This server keeps no records.":                                     "Dieser Server führt keine Aufzeichnungen.",
	"This match was not kept.":                                          "Diese Partie wurde nicht aufbewahrt.",
	"That cannot be read just now: try again in a minute.":              "Das ist gerade nicht zu lesen: Versuch es in einer Minute wieder.",
	"now": "jetzt", "%d min": "%d min", "%d h": "%d h",
	"%s against %s": "%s gegen %s",
	"Both fleets are in place. %s shoots first.": "Beide Flotten liegen. %s schießt zuerst.",
	"%s fired at %s and got no answer.":          "%s schießt auf %s und bekommt keine Antwort.",
	"(by the clock)":                             "(die Uhr)", "shot %s of %d": "Schuss %s von %d",
	"Jump to shot: %s  enter goes there":             "Springe zu Schuss: %s  Enter springt",
	"There is nothing left for admiral to shoot at.": "Für admiral gibt es nichts mehr zu treffen.",
	"admiral thinks.":                                "admiral denkt nach.",
	"admiral can make nothing of these answers.":     "admiral wird aus diesen Antworten nicht schlau.",
	"admiral would shoot at %s, %s shot at %s.":      "admiral schösse auf %s, %s schoss auf %s.",
	"admiral would shoot at %s.":                     "admiral schösse auf %s.",
	"%s (%.0f %%)":                                   "%s (%.0f %%)", "It runs:": "Er läuft:",
	"You are a guest: nothing is kept of you. Come with a key to have a profile.": "Du bist Gast: Von dir bleibt nichts. Mit Schlüssel hast du ein Profil.",
	"Nobody here has played a rated match yet.":                                   "Hier gab es noch keine gewertete Partie.",
	"Matches between people with a key, and against bots, are rated.":             "Gewertet wird zwischen Leuten mit Schlüssel und gegen Bots.",
	"? after a rating: too few games to be sure of it":                            "? hinter einer Wertung: noch zu wenige Partien dafür",
	"everybody": "alle", "people": "Leute", "bots and programs": "Bots und Programme",
	"person": "Mensch", "program": "Programm", "rating": "Wertung", "%s, since %s": "%s, seit dem %s",
	"rated games": "gewertete", "none yet": "noch keine", "won": "gewonnen", "hit rate": "Trefferquote",
	"%d (%.0f %%)": "%d (%.0f %%)", "%.1f %% of %d": "%.1f %% von %d",
	"form, all rules, the newest last": "Form, alle Regeln, Neues rechts",
	"L ¦ lost":                         "N", "W ¦ won": "S", "D ¦ drawn": "U",
	"W won  L lost  D drawn": "S Sieg  N Niederlage  U kein Sieger", "no games yet": "noch keine Partien",
	"FAVOURITE FIRST SHOTS": "LIEBSTE ERSTE SCHÜSSE", "games with it in the first five": "so oft unter den ersten fünf",

	// Records of matches, to be read.
	"[3F]: before the shot the third ship of the fleet moved Forward (Backward, Clockwise, Anticlockwise)": "[3F]: Vor dem Schuss fuhr das dritte Schiff der Flotte vor (F); B: zurück, C und A: im und gegen den Uhrzeigersinn",
	"%s shoots first.": "%s schießt zuerst.", "(clock)": "(Uhr)",
	"The answers of %s cannot all be true.": "Die Antworten von %s können nicht alle stimmen.",
	"The fleet of %s:":                      "Die Flotte von %s:", "The fleet of %s, as far as it was found:": "Die Flotte von %s, soweit gefunden:",
	"sealed  %s": "Siegel  %s", "opening %s": "öffnet  %s", "%s minutes": "%s Minuten",
	"· water, o missed, # ship, x hit, X sunk": "· Wasser, o vorbei, # Schiff, x getroffen, X versenkt",
}
