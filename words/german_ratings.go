package words

// germanRatings is what matches are played for.
var germanRatings = map[Text]string{
	"%s waits for a %s match: choose that too":              "%s möchte eine Partie (%s): wähle dasselbe",
	"the match counts already: it can no longer be aborted": "die Partie zählt schon: sie lässt sich nicht mehr abbrechen",
	"%s has aborted the match.":                             "%s hat die Partie abgebrochen.",
	"You have aborted the match before it counted.":         "Du hast die Partie abgebrochen, bevor sie zählte.",
	"%s has aborted the match before it counted.":           "%s hat die Partie abgebrochen, bevor sie zählte.",
	"The match was aborted before it counted.":              "Die Partie wurde abgebrochen, bevor sie zählte.",
	"aborted": "abgebrochen", // 11 cells
	"Rated":   "Wertung",
	"off: your next match is casual and changes no rating":                           "aus: deine nächste Partie zählt nicht für die Wertung",
	"whether your next match is rated or casual":                                     "ob deine nächste Partie gewertet wird",
	"Say rated on, or rated off.":                                                    "Sag rated an oder rated aus.",
	"Your next match is casual and changes no rating. To change that, say rated on.": "Deine nächste Partie wird nicht gewertet. Mit rated an änderst du das.",
	"Your next match is rated.":                                                      "Deine nächste Partie wird gewertet.",
	"Abort this match?":                                                              "Diese Partie abbrechen?",
	"It does not count yet. Press y to abort it, any other key to play on.":          "Sie zählt noch nicht. Mit y brichst du ab, mit jeder anderen Taste spielst du weiter.",
	"Abort this match? It does not count yet. Say resign again to abort it.":         "Diese Partie abbrechen? Sie zählt noch nicht. Sag noch einmal resign, um abzubrechen.",
	"rated": "gewertet", "casual": "ohne Wertung",
	"play casual matches, which change no ratings":  "Partien ohne Wertung spielen",
	"a player has no account":                       "jemand hat kein Konto",
	"these rules have no ratings":                   "für diese Regeln gibt es keine Wertung",
	"both players sit at one terminal":              "beide spielen an einem Terminal",
	"both players belong to the same person":        "beide gehören derselben Person",
	"these two have played ten rated matches today": "diese beiden haben heute schon zehn gewertete Partien gespielt",
	"you have aborted %d rated matches in the last 24 hours: wait %d minutes before the next one, or play casual matches": "du hast in den letzten 24 Stunden %d gewertete Partien abgebrochen: warte %d Minuten bis zur nächsten, oder spiel ohne Wertung",
	"it ended before it counted":          "sie endete, bevor sie zählte",
	"a program keeps its fleet to itself": "ein Programm hat seine Flotte nicht festgelegt",
}
