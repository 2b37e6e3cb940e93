package i18n

// forms are the two forms of a text, and which argument decides between them,
// counted from 1.
type forms struct {
	by         int
	one, other string
}

// plurals are the texts in which a number decides between singular and plural,
// in each language.
var plurals = map[Text][languages]forms{
	"%d ships":                {{1, "%d ship", "%d ships"}, {1, "%d Schiff", "%d Schiffe"}},
	"%d shots":                {{1, "%d shot", "%d shots"}, {1, "%d Schuss", "%d Schüsse"}},
	"%d shots so far":         {{1, "%d shot so far", "%d shots so far"}, {1, "%d Schuss bisher", "%d Schüsse bisher"}},
	"%d matches":              {{1, "%d match", "%d matches"}, {1, "%d Partie", "%d Partien"}},
	"%d days":                 {{1, "%d day", "%d days"}, {1, "%d Tag", "%d Tage"}},
	"%d connections":          {{1, "%d connection", "%d connections"}, {1, "%d Verbindung", "%d Verbindungen"}},
	"%d sessions":             {{1, "%d session", "%d sessions"}, {1, "%d Sitzung", "%d Sitzungen"}},
	"%d shots ¦ with so many": {{1, "%d shot", "%d shots"}, {1, "%d Schuss", "%d Schüssen"}},
	"%d minutes":              {{1, "%d minute", "%d minutes"}, {1, "%d Minute", "%d Minuten"}},
	"%d seconds":              {{1, "%d second", "%d seconds"}, {1, "%d Sekunde", "%d Sekunden"}},
	"%d watching":             {{1, "%d watching", "%d watching"}, {1, "%d sieht zu", "%d sehen zu"}},
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
	"%d commands that you had said ahead are dropped.": {
		English: {1, "%d command that you had said ahead is dropped.", "%d commands that you had said ahead are dropped."},
		German:  {1, "%d Befehl, den du im Voraus gesagt hast, ist verworfen.", "%d Befehle, die du im Voraus gesagt hast, sind verworfen."},
	},
	"%d ships are left to sink. Their lengths: %s.": {
		English: {1, "%d ship is left to sink. Its length: %s.", "%d ships are left to sink. Their lengths: %s."},
		German:  {1, "%d Schiff ist noch zu versenken. Seine Länge: %s.", "%d Schiffe sind noch zu versenken. Ihre Längen: %s."},
	},
	"%d things happened before that.": {
		English: {1, "%d thing happened before that.", "%d things happened before that."},
		German:  {1, "Davor ist noch %d Sache geschehen.", "Davor sind noch %d Dinge geschehen."},
	},
	"%s fires at %s: your %s is sunk. You have %d ships left.": {
		English: {4, "%s fires at %s: your %s is sunk. You have %d ship left.", "%s fires at %s: your %s is sunk. You have %d ships left."},
		German:  {4, "%s feuert auf %s: %s versenkt. Du hast noch %d Schiff.", "%s feuert auf %s: %s versenkt. Du hast noch %d Schiffe."},
	},
	"%s has %d ships left.": {
		English: {2, "%s has %d ship left.", "%s has %d ships left."},
		German:  {2, "%s hat noch %d Schiff.", "%s hat noch %d Schiffe."},
	},
	"%s: hit and sunk. %d ships are left to sink.": {
		English: {2, "%s: hit and sunk. %d ship is left to sink.", "%s: hit and sunk. %d ships are left to sink."},
		German:  {2, "%s: versenkt. Noch %d Schiff ist zu versenken.", "%s: versenkt. Noch %d Schiffe sind zu versenken."},
	},
	"You fired %d shots, and %s %d.": {
		English: {1, "You fired %d shot, and %s %d.", "You fired %d shots, and %s %d."},
		German:  {1, "Du hast %d Schuss abgegeben, %s %d.", "Du hast %d Schüsse abgegeben, %s %d."},
	},
	"Your salvo has %d shots.": {
		English: {1, "Your salvo has %d shot.", "Your salvo has %d shots."},
		German:  {1, "Deine Salve hat %d Schuss.", "Deine Salve hat %d Schüsse."},
	},
	"%d ships are left to sink.": {
		English: {1, "%d ship is left to sink.", "%d ships are left to sink."},
		German:  {1, "Noch %d Schiff ist zu versenken.", "Noch %d Schiffe sind zu versenken."},
	},
	"You have %d ships left.": {
		English: {1, "You have %d ship left.", "You have %d ships left."},
		German:  {1, "Du hast noch %d Schiff.", "Du hast noch %d Schiffe."},
	},
	"You have fired %d shots.": {
		English: {1, "You have fired %d shot.", "You have fired %d shots."},
		German:  {1, "Du hast %d Schuss abgegeben.", "Du hast %d Schüsse abgegeben."},
	},
	"%d cells are unknown.": {
		English: {1, "%d cell is unknown.", "%d cells are unknown."},
		German:  {1, "%d Feld ist unbekannt.", "%d Felder sind unbekannt."},
	},
	"%d rounds in %s.": {{1, "%d round in %s.", "%d rounds in %s."}, {1, "%d Runde in %s.", "%d Runden in %s."}},
	"%d shots ago":     {{1, "%d shot ago", "%d shots ago"}, {1, "vor %d Schuss", "vor %d Schüssen"}},
	"%s, %d shots ago": {{2, "%s, %d shot ago", "%s, %d shots ago"}, {2, "%s, vor %d Schuss", "%s, vor %d Schüssen"}},
}
