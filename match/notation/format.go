package notation

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"broadside/match"
)

// Append appends a game to b as one line, with a newline at its end. It returns b and
// [ErrUnfinished] if the game has not ended.
func (g *Game) Append(b []byte) ([]byte, error) {
	if len(g.Events) == 0 || g.Events[len(g.Events)-1].Kind != match.GameEnded {
		return b, ErrUnfinished
	}
	end := g.Events[len(g.Events)-1]
	b = append(b, "game("...)
	b = append(appendQuoted(b, g.ID), ',')
	b = append(appendQuoted(b, formatTime(g.Started)), ',')
	b = append(appendRules(b, g.Rules), ',')
	b = strconv.AppendFloat(b, g.Rules.Clock.Seconds(), 'f', -1, 64)
	if g.Rated {
		b = append(b, ",rated,["...)
	} else {
		b = append(b, ",casual,["...)
	}
	b = append(appendQuoted(b, g.Names[0]), ',')
	b = append(appendQuoted(b, g.Names[1]), "],["...)
	b = append(appendFleet(b, g.Events, match.First), ',')
	b = append(appendFleet(b, g.Events, match.Second), "],'"...)
	b = append(appendShots(b, g.Events), "',["...)
	b = appendEndCommand(b, g.Events)
	return fmt.Appendf(b, "],%d,%s).\n", sideNumber(end.Side), unquotedAtom(end.Reason.String())), nil
}

// formatTime returns a time in whole seconds, or an empty string for the zero time.
func formatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// sideNumber returns 1 or 2 for a side and 0 for no one.
func sideNumber(side match.Side) int { return (int(side) + 1) % 3 }

// unquotedAtom returns a reason or a preset as an atom that needs no quotes.
func unquotedAtom(s string) string { return strings.ReplaceAll(s, "-", "_") }

// appendRules appends a preset's name, or all fields of other rules except the clock.
func appendRules(b []byte, r match.Rules) []byte {
	if p, err := match.Preset(r.Name); err == nil && p.Name == r.Name && p.IsEquivalent(r) {
		return append(b, r.Name...)
	}
	b = appendQuoted(append(b, "rules("...), r.Name)
	b = fmt.Appendf(b, ",%d,%v,%s,[", r.Size, r.Contact, turnKind(r))
	for i, c := range r.Fleet {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(appendQuoted(append(b, "ship("...), c.Name), ",%d)", c.Length)
	}
	return append(b, "])"...)
}

// turnKind returns the kind of turns of rules as an atom.
func turnKind(r match.Rules) string {
	switch {
	case r.Moving:
		return "moving"
	case r.Salvo:
		return "salvo"
	}
	return "single"
}

// appendFleet appends what is known of a side's fleet.
func appendFleet(b []byte, events []match.Event, side match.Side) []byte {
	for _, e := range events {
		switch {
		case e.Side == side && e.Kind == match.FleetPlaced:
			return appendLayout(b, e.Layout())
		case e.Side == side && e.Kind == match.FleetKept:
			return append(b, "kept"...)
		}
	}
	return append(b, "none"...)
}

// appendLayout appends the stern and the heading of each ship.
func appendLayout(b []byte, l match.Layout) []byte {
	b = append(b, '[')
	for i, s := range l {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, strings.ToLower(s.Stern.String()+s.Heading.String())...)
	}
	return append(b, ']')
}

// appendEndCommand appends the command that ended a game, unless its end follows from the shots.
func appendEndCommand(b []byte, events []match.Event) []byte {
	end, before := events[len(events)-1], match.Event{}
	if len(events) > 1 {
		before = events[len(events)-2]
	}
	switch why := unquotedAtom(end.Reason.String()); {
	case before.Kind == match.GameAborted:
		return fmt.Appendf(b, "abort(%d,%s)", sideNumber(before.Side), unquotedAtom(before.Reason.String()))
	case end.Reason == match.FleetSunk || before.Kind == match.AnswersDisputed && end.Reason == match.Contradiction:
		return b
	case end.Side == match.Nobody:
		return fmt.Appendf(b, "void(%s)", why)
	default:
		return fmt.Appendf(b, "forfeit(%d,%s)", sideNumber(end.Side.Other()), why)
	}
}

// appendQuoted appends s as a quoted atom. Bytes that are not UTF-8 become U+FFFD.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '\'')
	for _, r := range s {
		switch {
		case r == '\'' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ' || r == 0x7f:
			b = fmt.Appendf(b, `\x%x\`, r)
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '\'')
}
