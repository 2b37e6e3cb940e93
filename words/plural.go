package words

// forms are the two forms of a text, and which argument decides between them,
// counted from 1.
type forms struct {
	by         int
	one, other string
}

// plurals are the texts in which a number decides between singular and plural,
// in each language.
var plurals = map[Text][languages]forms{
	"%d ships": {
		English: {1, "%d ship", "%d ships"},
		German:  {1, "%d Schiff", "%d Schiffe"},
	},
}
