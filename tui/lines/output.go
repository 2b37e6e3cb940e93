package lines

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/tui/term"
)

// output writes sentences in the player's language.
type output struct {
	console *term.Console
	lang    i18n.Language
	// sentences have not been written yet. flush writes them together and keeps them in lastSentences.
	sentences     []string
	lastSentences []string
}

// print adds a translated sentence.
func (o *output) print(text i18n.Key, args ...any) { o.add(o.lang.Text(text, args...)) }

// add adds sentences that are already in the player's language.
func (o *output) add(sentences ...string) { o.sentences = append(o.sentences, sentences...) }

// addMessage adds a message, unless it is zero.
func (o *output) addMessage(m i18n.Message) {
	if m.Key != "" {
		o.add(m.Text(o.lang))
	}
}

// addLines adds a text's lines, without blank ones.
func (o *output) addLines(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" {
			o.add(line)
		}
	}
}

// addTable adds each row of a table as a line.
func (o *output) addTable(rows [][]string) {
	for _, row := range rows {
		o.add(joinList(row))
	}
}

// printError reports an error.
func (o *output) printError(err error) { o.add(toSentence(narrate.ErrorText(o.lang, err))) }

// flush writes the added sentences to the console.
func (o *output) flush() {
	if len(o.sentences) == 0 {
		return
	}
	o.console.Print(strings.Join(o.sentences, "\n"))
	o.lastSentences, o.sentences = o.sentences, nil
}

// repeatLastOutput repeats the last answer.
func (o *output) repeatLastOutput(string) {
	if len(o.lastSentences) == 0 {
		o.print("No messages yet.")
	}
	o.add(o.lastSentences...)
}

func (o *output) setLanguage(l i18n.Language) {
	o.lang = l
	o.console.SetLanguage(l)
}

// shortName returns a player's name.
func (o *output) shortName(p account.Player) string {
	if p.Kind == account.Bot {
		return narrate.BotName(o.lang, p.Name)
	}
	return p.Name
}

// nameWithKind returns a player's name, followed by "a program" or "a bot" if it is one.
func (o *output) nameWithKind(p account.Player) string {
	switch p.Kind {
	case account.Program:
		return o.lang.Text("%s, a program", p.Name)
	case account.Bot:
		return o.lang.Text("%s, a bot", o.shortName(p))
	}
	return p.Name
}

// nameWithRating returns a player's name with the kind and the rating under rules, if any. A provisional rating
// ends in a mark that screen readers skip, so words replace it.
func (o *output) nameWithRating(p account.Player, r match.Rules) string {
	rating, provisional := strings.CutSuffix(p.Rating(r), "?")
	switch {
	case rating == "":
		return o.nameWithKind(p)
	case provisional:
		rating = o.lang.Text("about %s", rating)
	}
	return o.nameWithKind(p) + " (" + rating + ")"
}

// matchTerms returns the rules and clock of a match.
func (o *output) matchTerms(r match.Rules) string {
	if r.Clock == 0 {
		return o.lang.Text("%s, no clock", r.Name)
	}
	return o.lang.Text("%s, %d seconds per shot", r.Name, int(r.Clock/time.Second))
}

// offerTerms returns the terms and rating mode of an offer.
func (o *output) offerTerms(r match.Rules, s lobby.RatingMode) string {
	return narrate.AppendStakes(o.lang, o.matchTerms(r), s)
}

func (o *output) className(c match.Class) string { return narrate.ClassName(c).Text(o.lang) }

// classesWithLengths returns the class and length of each ship.
func (o *output) classesWithLengths(classes []match.Class) []string {
	var all []string
	for _, c := range classes {
		all = append(all, o.lang.Text("%s, %d cells", o.className(c), c.Length))
	}
	return all
}

// positionsSentence says where a layout's placed ships are. It is empty if there are none.
func (o *output) positionsSentence(r match.Rules, l match.Layout) string {
	all := narrate.ShipPositions(r, l)
	if all.Key == "" {
		return ""
	}
	return toSentence(all.Text(o.lang))
}

// durationText returns a duration in words, rounded up to seconds, or to minutes from two
// minutes, or to hours from two hours.
func (o *output) durationText(d time.Duration) string {
	seconds := int((d + time.Second - 1) / time.Second)
	hours := (seconds + 3599) / 3600
	switch {
	case hours >= 48 && hours%24 == 0:
		return o.lang.Text("%d day||%d days", hours/24)
	case hours >= 48:
		return o.lang.Text("%d day||%d days", hours/24) + " " + o.lang.Text("%d hour||%d hours", hours%24)
	case hours > 2:
		return o.lang.Text("%d hour||%d hours", hours)
	case seconds >= 120:
		return o.lang.Text("%d minute||%d minutes", (seconds+59)/60)
	}
	return o.lang.Text("%d second||%d seconds", seconds)
}

func (o *output) timeLeft(t time.Time) string { return o.durationText(time.Until(t)) }

func joinList(all []string) string { return strings.Join(all, ", ") }

// collapseSpaces trims a name and replaces each run of white space with one space.
func collapseSpaces(name string) string { return strings.Join(strings.Fields(name), " ") }

// shortenWord cuts off a typed word after 30 characters, for quoting.
func shortenWord(word string) string {
	r := []rune(word)
	if len(r) > 30 {
		return string(r[:30])
	}
	return word
}

// toSentence returns text as a sentence, with a capital and a period.
func toSentence(s string) string { return capitalize(s) + "." }

func capitalize(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
