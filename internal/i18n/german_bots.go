package i18n

// germanBots is bots and what they do.
var germanBots = map[Text]string{
	// Bots. How they shoot goes on after "Er schießt".
	"there is no bot called %q: write %s":                                         "einen Bot namens %q gibt es nicht: schreib %s",
	"there is no bot called %q: choose one of %s":                                 "einen Bot namens %q gibt es nicht: wähle aus %s",
	"write two steps from 1 to %d and an offset from 0 to %d, such as grid:4,1,1": "schreib zwei Schritte von 1 bis %d und einen Versatz von 0 bis %d, etwa grid:4,1,1",
	"in its own way": "auf eigene Art",
	"at random":      "aufs Geratewohl",
	"at random until it hits, then along the ship it has found": "aufs Geratewohl bis zum Treffer, dann das gefundene Schiff entlang",
	"at random until it hits, then around its hits":             "aufs Geratewohl bis zum Treffer, dann rund um seine Treffer",
	"at points far apart, then in the gaps between them":        "auf weit verstreute Punkte, dann in die Lücken dazwischen",
	"on a grid of your own":                                     "nach deinem eigenen Raster", "in the order of a file": "in der Reihenfolge einer Datei",
	"along a curve that fills the board":                                           "entlang einer Kurve, die das Brett füllt",
	"in a pattern that the smallest ship cannot slip through":                      "nach einem Muster, durch das kein Schiff schlüpft",
	"where it has hit you before, else as hard":                                    "wo er dich schon getroffen hat, sonst wie hard",
	"every fourth cell, then every second, where a ship has room":                  "auf jedes vierte Feld, dann jedes zweite, wo ein Schiff Platz hat",
	"in a pattern until it hits, then in a cross around the hit; its ships drift":  "nach einem Muster, bis er trifft, dann im Kreuz um den Treffer; seine Schiffe treiben",
	"as hard, and moves its ships out of your way":                                 "wie hard, und bringt seine Schiffe vor dir in Sicherheit",
	"where it believes your ships to be by now, and moves its own out of your way": "dorthin, wo er deine Schiffe inzwischen vermutet, und bringt die eigenen vor dir in Sicherheit",
	"it never moves": "fährt nie",
	"a random ship makes its first legal move, if it has one":                                                         "ein zufälliges Schiff macht seinen ersten erlaubten Zug, wenn es einen hat",
	"as random, but another ship moves where the first one cannot":                                                    "wie random, aber ein anderes Schiff fährt, wo das erste nicht kann",
	"ships leave the cells where the opponent is expected to shoot next":                                              "Schiffe verlassen die Felder, auf die der nächste Schuss des Gegners erwartet wird",
	"each ship where it first fits of many random places, as the documented client in Java placed it":                 "jedes Schiff auf den ersten passenden von vielen zufälligen Plätzen, wie das beschriebene Java-Programm",
	"each ship where it first fits in rows and columns in random order, as the documented player in Prolog placed it": "jedes Schiff auf den ersten passenden Platz in Zeilen und Spalten zufälliger Reihenfolge, wie der beschriebene Prolog-Spieler",
	"in the order of a file, from an entry on":                                                                        "in der Reihenfolge einer Datei, von einem Eintrag an",
	"where its count of the places that ships can still lie at is highest":                                            "dorthin, wo noch die meisten Schiffe liegen können",
	"where most of the fleets that agree with your answers have a ship":                                               "dorthin, wo die meisten Flotten, die zu deinen Antworten passen, ein Schiff haben",
	"every legal layout is as likely as any other":                                                                    "jede erlaubte Aufstellung ist gleich wahrscheinlich",
	"ships lie along the edges of the board where they can":                                                           "Schiffe liegen möglichst am Rand",
	"where ships are rarely looked for, and where this opponent looks late":                                           "wo selten gesucht wird und dieser Gegner spät sucht",
}
