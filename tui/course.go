package tui

import (
	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/format"
)

// happening is what is told of a match, and the same in a few words for where
// there is room for no more.
type happening struct{ said, brief i18n.Message }

// happens makes a happening of what cannot be said in fewer words.
func happens(said i18n.Message) happening { return happening{said, said} }

// shotFell tells of a shot; see [phrase.Shot].
func shotFell(shooter string, e match.Event, auto bool) happening {
	return happening{phrase.Shot(shooter, e.Cell, e.Result, auto), phrase.Briefly(shooter, e.Cell, e.Result)}
}

// salvoFell tells of the shots of a turn; see [phrase.Salvo].
func salvoFell(shooter string, shots []match.Shot, auto bool) happening {
	return happening{phrase.Salvo(shooter, shots, auto), phrase.SalvoBriefly(shooter, shots)}
}

// answered tells of the shots that event n answers, unless an earlier event has.
func (c *course) answered(shooter string, events []match.Event, n int, auto bool) {
	switch shots := match.Volley(events[n:]); {
	case match.InVolley(events, n):
	case len(shots) > 1:
		c.note(salvoFell(shooter, shots, auto))
	default:
		c.note(shotFell(shooter, events[n], auto))
	}
}

// begun tells of the beginning of a battle.
func begun() happening { return happens(i18n.Mean("The battle begins.")) }

// recalled is the last shots of each side, for who was not there when they were
// fired. One's own name is empty.
func recalled(v *match.View, names [2]string) (c course) {
	for _, side := range [2]match.Side{v.Turn, v.Turn.Other()} { // the older one first
		switch shots := v.Last[side]; len(shots) {
		case 0:
		case 1:
			c.note(shotFell(names[side], match.Event{Cell: shots[0].Cell, Result: shots[0].Result}, false))
		default:
			c.note(salvoFell(names[side], shots, false))
		}
	}
	return c
}

// lost tells that somebody is away.
func lost(name string) happening {
	return happening{i18n.Mean("%s has lost the connection.", name), i18n.Mean("%s is away.", name)}
}

// disputed says that somebody's answers contradict each other.
func disputed(name string) happening {
	return happens(i18n.Mean("The answers of %s cannot all be true: the match is disputed.", name))
}

// course is the last things that happened in a match, oldest first.
type course []happening

// courseLines is how many of them are kept.
const courseLines = 3

// note takes in what has happened.
func (c *course) note(h happening) {
	*c = append(*c, h)
	if len(*c) > courseLines {
		*c = (*c)[1:]
	}
}

// lines is the seals of the fleets, if there are any, and then as many lines as
// a screen shows of what has happened.
func (c course) lines(l i18n.Language, u *session.MatchUpdate) []string {
	lines := make([]string, 0, 1+courseLines)
	if sealed := sealsOf(l, u); sealed != "" {
		lines = append(lines, sealed)
	}
	for _, h := range c {
		lines = append(lines, h.said.In(l))
	}
	for range courseLines - len(c) {
		lines = append(lines, "")
	}
	return lines
}

// line is what has happened last in one line: the last two things in a few words
// each if they fit into a width, the last one in any case.
func (c course) line(l i18n.Language, width int) string {
	if len(c) == 0 {
		return ""
	}
	last := c[len(c)-1]
	brief := last.brief.In(l)
	if len(c) > 1 {
		if two := c[len(c)-2].brief.In(l) + " · " + brief; format.Width(two) <= width {
			return two
		}
	}
	if said := last.said.In(l); format.Width(said) <= width {
		return said
	}
	return brief
}
