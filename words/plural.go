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
	"%d ships":        {{1, "%d ship", "%d ships"}, {1, "%d Schiff", "%d Schiffe"}},
	"%d shots":        {{1, "%d shot", "%d shots"}, {1, "%d Schuss", "%d Schüsse"}},
	"%d shots so far": {{1, "%d shot so far", "%d shots so far"}, {1, "%d Schuss bisher", "%d Schüsse bisher"}},
	"%d matches":      {{1, "%d match", "%d matches"}, {1, "%d Partie", "%d Partien"}},
	"%d days":         {{1, "%d day", "%d days"}, {1, "%d Tag", "%d Tage"}},
	"%d minutes":      {{1, "%d minute", "%d minutes"}, {1, "%d Minute", "%d Minuten"}},
	"%d seconds":      {{1, "%d second", "%d seconds"}, {1, "%d Sekunde", "%d Sekunden"}},
	"%d watching":     {{1, "%d watching", "%d watching"}, {1, "%d sieht zu", "%d sehen zu"}},
	// German has no plural of its own after "von", but another case.
	"%d ships ¦ of which some float": {{1, "%d ship", "%d ships"}, {1, "%d Schiff", "%d Schiffen"}},
	"a shot every %d seconds": {
		{1, "a shot every %d second", "a shot every %d seconds"}, {1, "%d Schuss je Sekunde", "alle %d Sekunden ein Schuss"},
	},
	"%d shots a second": {{1, "%d shot a second", "%d shots a second"}, {1, "%d Schuss je Sekunde", "%d Schüsse je Sekunde"}},
	"%d shots fired: come back and go on until midnight UTC.": {
		{1, "%d shot fired: come back and go on until midnight UTC.", "%d shots fired: come back and go on until midnight UTC."},
		{1, "%d Schuss abgegeben: Bis Mitternacht UTC geht es weiter.", "%d Schüsse abgegeben: Bis Mitternacht UTC geht es weiter."},
	},
}
