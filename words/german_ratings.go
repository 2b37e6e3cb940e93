package words

// germanRatings is what matches are played for.
var germanRatings = map[Text]string{
	"%s waits for a %s match: choose that too": "%s möchte eine Partie (%s): wähle dasselbe",
	"rated": "gewertet", "casual": "ohne Wertung",
	"play casual matches, which change no ratings":  "Partien ohne Wertung spielen",
	"a player has no account":                       "jemand hat kein Konto",
	"these rules have no ratings":                   "für diese Regeln gibt es keine Wertung",
	"both players sit at one terminal":              "beide spielen an einem Terminal",
	"both players belong to the same person":        "beide gehören derselben Person",
	"these two have played ten rated matches today": "diese beiden haben heute schon zehn gewertete Partien gespielt",
	"a program keeps its fleet to itself":           "ein Programm hat seine Flotte nicht festgelegt",
}
