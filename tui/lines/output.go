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
	con  *term.Console
	l    i18n.Language
	said []string // in this turn; flush writes them together
	last []string // what flush wrote last
}

// print adds a sentence.
func (o *output) print(text i18n.Key, args ...any) { o.add(o.l.Text(text, args...)) }

// add adds sentences in the player's language.
func (o *output) add(sentences ...string) { o.said = append(o.said, sentences...) }

// addMessage adds the sentences of a message, unless it is zero.
func (o *output) addMessage(m i18n.Message) {
	if m.Key != "" {
		o.add(m.Text(o.l))
	}
}

// addLines adds the lines of a text, without blank ones.
func (o *output) addLines(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" {
			o.add(line)
		}
	}
}

// addTable adds the rows of a table.
func (o *output) addTable(rows [][]string) {
	for _, row := range rows {
		o.add(list(row))
	}
}

// fail reports an error.
func (o *output) fail(err error) { o.add(sentence(narrate.ErrorText(o.l, err))) }

// flush writes the sentences of this turn.
func (o *output) flush() {
	if len(o.said) == 0 {
		return
	}
	o.con.Print(strings.Join(o.said, "\n"))
	o.last, o.said = o.said, nil
}

// again repeats the last answer.
func (o *output) again(string) {
	if len(o.last) == 0 {
		o.print("No messages yet.")
	}
	o.add(o.last...)
}

// setLanguage sets the language.
func (o *output) setLanguage(l i18n.Language) {
	o.l = l
	o.con.SetLanguage(l)
}

// shortName returns a player's name.
func (o *output) shortName(p account.Player) string {
	if p.Kind == account.Bot {
		return narrate.BotName(o.l, p.Name)
	}
	return p.Name
}

// name returns a player's name, with the kind of account unless it is a person.
func (o *output) name(p account.Player) string {
	switch p.Kind {
	case account.Program:
		return o.l.Text("%s, a program", p.Name)
	case account.Bot:
		return o.l.Text("%s, a bot", o.shortName(p))
	}
	return p.Name
}

// rated returns a player's name with the rating under rules, if any. A provisional rating ends in a
// mark that screen readers skip, so it is put in words.
func (o *output) rated(p account.Player, r match.Rules) string {
	rating, provisional := strings.CutSuffix(p.Rating(r), "?")
	switch {
	case rating == "":
		return o.name(p)
	case provisional:
		rating = o.l.Text("about %s", rating)
	}
	return o.name(p) + " (" + rating + ")"
}

// terms returns the rules and clock of a match.
func (o *output) terms(r match.Rules) string {
	if r.Clock == 0 {
		return o.l.Text("%s, no clock", r.Name)
	}
	return o.l.Text("%s, %d seconds per shot", r.Name, int(r.Clock/time.Second))
}

// offer returns the terms and stakes of an offer.
func (o *output) offer(r match.Rules, s lobby.Stakes) string {
	return narrate.AppendStakes(o.l, o.terms(r), s)
}

// ship returns the name of a class of ships.
func (o *output) ship(c match.Class) string { return narrate.ClassName(c).Text(o.l) }

// fleet returns the class and length of each ship.
func (o *output) fleet(classes []match.Class) []string {
	var all []string
	for _, c := range classes {
		all = append(all, o.l.Text("%s, %d cells", o.ship(c), c.Length))
	}
	return all
}

// positions returns a sentence with the positions of the placed ships, or "".
func (o *output) positions(r match.Rules, l match.Layout) string {
	all := narrate.ShipPositions(r, l)
	if all.Key == "" {
		return ""
	}
	return sentence(all.Text(o.l))
}

// duration returns a duration in words, rounded up to seconds, or to minutes from two
// minutes.
func (o *output) duration(d time.Duration) string {
	seconds := int((d + time.Second - 1) / time.Second)
	if seconds >= 120 {
		return o.l.Text("%d minute||%d minutes", (seconds+59)/60)
	}
	return o.l.Text("%d second||%d seconds", seconds)
}

func (o *output) until(t time.Time) string { return o.duration(time.Until(t)) }

func list(all []string) string { return strings.Join(all, ", ") }

// clean trims a name and replaces each run of white space with one space.
func clean(name string) string { return strings.Join(strings.Fields(name), " ") }

// quote returns the start of a typed word, for quoting.
func quote(word string) string {
	r := []rune(word)
	if len(r) > 30 {
		return string(r[:30])
	}
	return word
}

// sentence returns text as a sentence, with a capital and a period.
func sentence(s string) string { return capitalize(s) + "." }

func capitalize(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
