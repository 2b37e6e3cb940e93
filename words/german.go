package words

// german are the texts in German, by their English, but for those in plurals.
var german = map[Text]string{
	"Your turn.": "Du bist dran.",
	"Fire at %s with enter.": "Feuer auf %s mit Enter.",
}
