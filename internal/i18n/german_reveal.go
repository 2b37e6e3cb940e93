package i18n

// germanReveal is about fleets that programs commit to and reveal.
var germanReveal = map[Text]string{
	"a commitment is a SHA-256 in 64 hexadecimal digits":                              "eine Festlegung ist ein SHA-256 aus 64 hexadezimalen Ziffern",
	"a commitment proves nothing where ships move: place the fleet with the server":   "eine Festlegung beweist nichts, wenn Schiffe fahren: stelle die Flotte beim Server auf",
	"there is no fleet for you to reveal now":                                         "du hast jetzt keine Flotte aufzudecken",
	"the last shot has been fired: the match ends when the fleets have been revealed": "der letzte Schuss ist gefallen: die Partie endet, wenn die Flotten aufgedeckt sind",

	"%s revealed another fleet than the one it had committed to.":             "%s hat eine andere Flotte aufgedeckt als die, auf die es sich festgelegt hatte.",
	"%s gave an answer that its fleet does not bear out.":                     "%s hat eine Antwort gegeben, die nicht zu seiner Flotte passt.",
	"%s did not reveal its fleet.":                                            "%s hat seine Flotte nicht aufgedeckt.",
	"The other side revealed another fleet than the one it had committed to.": "Die andere Seite hat eine andere Flotte aufgedeckt als die, auf die sie sich festgelegt hatte.",
	"The other side gave an answer that its fleet does not bear out.":         "Die andere Seite hat eine Antwort gegeben, die nicht zu ihrer Flotte passt.",
	"The other side did not reveal its fleet.":                                "Die andere Seite hat ihre Flotte nicht aufgedeckt.",
	"The last shot has been fired. The fleets have to be revealed.":           "Der letzte Schuss ist gefallen. Die Flotten müssen noch aufgedeckt werden.",
	"The last shot has been fired. %s has to reveal its fleet.":               "Der letzte Schuss ist gefallen. %s muss die Flotte noch aufdecken.",

	"that name is registered, or looks like one that is: show its token, or choose another name": "dieser Name ist eingetragen oder sieht einem eingetragenen zu ähnlich: zeig sein Token oder wähle einen anderen",

	// In lists, 11 cells.
	"unrevealed": "verdeckt", "other fleet": "falsche Fl.", "answer": "Antwort",
}
