package tui

import (
	"broadside/internal/session"
	"fmt"
	"strconv"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/term/look"
	"broadside/match"
	"broadside/tui/board"
)

// Film is a match that has ended, as pictures with both fleets in view: one
// before the first shot, and one after each shot and its answer. Where ships
// move, the move before a shot is in the same picture. It is for one goroutine
// at a time.
type Film struct {
	about  session.Summary
	rules  match.Rules
	mode   match.AuditMode // in which the match can be played again
	events []match.Event
	cuts   []int     // how many of the events have happened in each picture
	names  [2]string // clean
	lang   i18n.Language

	shown int         // the picture made last
	game  *match.Game // as it was then
	view  match.View  // what it shows
}

// The size of a terminal that a film is made for, in cells.
const (
	FilmWidth  = 80
	FilmHeight = 24
)

// NewFilm makes the pictures of a match, with what is said on them in a
// language. The error is that its events are not
// the history of a match.
func NewFilm(l i18n.Language, m session.Record) (*Film, error) {
	f := &Film{about: m.Summary, rules: m.Rules, events: m.Events, lang: l, shown: -1}
	var err error
	// How answers were looked at is not in the record, and matters only where
	// they contradict each other.
	for _, f.mode = range []match.AuditMode{match.AuditFlag, match.AuditForfeit, match.AuditOff} {
		if _, err = match.Replay(m.Rules, f.mode, m.Events); err == nil {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the match %s cannot be shown: %w", m.ID, err)
	}
	for side, seat := range m.Seats {
		f.names[side] = clean(seat.Name, nameWidth)
	}
	for i, e := range m.Events {
		if e.Kind != match.ShotFired { // all before is what came of the shots before
			continue
		}
		if i > 0 && m.Events[i-1].Kind == match.FleetMoved { // by the same side
			i--
		}
		f.cuts = append(f.cuts, i)
	}
	f.cuts = append(f.cuts, len(m.Events))
	return f, nil
}

// Len is the number of pictures, at least 1.
func (f *Film) Len() int { return len(f.cuts) }

// At is how long after the beginning of the match a picture is due.
func (f *Film) At(n int) time.Duration {
	if f.cuts[n] == 0 {
		return 0
	}
	return f.events[f.cuts[n]-1].At
}

// see is what a picture shows. The view has both fleets, as far as they are
// known.
func (f *Film) see(n int) *match.View {
	if f.shown != n {
		if f.game == nil || n < f.shown {
			f.game = match.NewGame(f.rules, f.mode)
		}
		if err := f.game.Follow(f.events[:f.cuts[n]]); err != nil { // the beginning of a history is one: see NewFilm
			f.game = match.NewGame(f.rules, f.mode)
		}
		f.view, f.shown = f.game.Revealed(), n
	}
	return &f.view
}

// last is the shot that leads to a picture, and whether the clock fired it;
// false if there is none.
func (f *Film) last(n int) (shot match.Event, answer match.Result, ok bool) {
	if n == 0 {
		return match.Event{}, 0, false
	}
	for _, e := range f.events[f.cuts[n-1]:f.cuts[n]] {
		switch e.Kind {
		case match.ShotFired:
			shot, ok = e, true
		case match.ShotAnswered:
			answer = e.Result
		}
	}
	return shot, answer, ok
}

// moved is the move that is new in a picture; false if there is none.
func (f *Film) moved(n int) (side match.Side, move match.Move, ok bool) {
	if n == 0 {
		return match.Nobody, match.Stay, false
	}
	for _, e := range f.events[f.cuts[n-1]:f.cuts[n]] {
		if e.Kind == match.FleetMoved && e.Move != match.Stay {
			return e.Side, e.Move, true
		}
	}
	return match.Nobody, match.Stay, false
}

// manoeuvre says which ship has moved in a picture; nothing if none has.
func (f *Film) manoeuvre(n int) string {
	side, move, ok := f.moved(n)
	if !ok {
		return ""
	}
	ship := f.see(n).Fleets[side][move.Ship()]
	return f.lang.Say("%s moved: %s %s, from %s to %s now.", f.names[side], phrase.Ship(f.lang, f.rules.Fleet[move.Ship()].Name),
		manoeuvreNames[move.Manoeuvre()], ship.Stern.String(), ship.Bow().String())
}

// below is what stands below the boards of a picture on a screen of a width.
func (f *Film) below(n, width int) []string {
	if f.rules.Moving {
		return []string{f.manoeuvre(n), f.progress(n, width)} // one line or none: so the screen stands still
	}
	return []string{f.progress(n, width)}
}

// Names are the names of both sides, clean.
func (f *Film) Names() [2]string { return f.names }

// View is what a picture shows, with both fleets as far as they are known.
func (f *Film) View(n int) match.View { return *f.see(n) }

// Ending says how the match ended.
func (f *Film) Ending() string {
	v := f.see(f.Len() - 1)
	if v.Winner == match.Nobody {
		return f.lang.Say("Nobody won.") + " " + phrase.EndingOf(v.Reason).In(f.lang)
	}
	return f.lang.Say("%s won.", f.names[v.Winner]) + " " + phrase.EndingOf(v.Reason).In(f.lang)
}

// Heading says who played which rules, and when.
func (f *Film) Heading() string {
	return f.lang.Say("%s against %s", f.names[match.First], f.names[match.Second]) + " · " + clean(f.rules.Name, nameWidth) +
		" · " + f.lang.Date(f.about.Started)
}

// caption says what has happened last in a picture.
func (f *Film) caption(n int) string {
	t := looks()
	v := f.see(n)
	line := f.lang.Say("Both fleets are in place. %s shoots first.", f.names[match.Second])
	if shot, answer, ok := f.last(n); ok {
		if answer == 0 {
			line = f.lang.Say("%s fired at %s and got no answer.", f.names[shot.Side], shot.Cell.String())
		} else {
			line = phrase.Shot(f.names[shot.Side], shot.Cell, answer, false).In(f.lang)
		}
		if shot.Auto {
			line += " " + f.lang.Say("(by the clock)")
		}
	}
	if v.Phase == match.Over {
		end := t.warn.Render(f.lang.Say("Nobody won."))
		if v.Winner != match.Nobody {
			end = t.good.Render(f.lang.Say("%s won.", f.names[v.Winner]))
		}
		switch {
		case n == 0:
			return end + " " + phrase.EndingOf(v.Reason).In(f.lang)
		case v.Reason == match.FleetSunk: // the shot has said so
			return line + " " + end
		}
		return line + "  " + end + " " + phrase.EndingOf(v.Reason).In(f.lang)
	}
	return line
}

// boards are both boards of a picture. With thoughts, the board that is shot
// at next shows them.
func (f *Film) boards(n int, thoughts *thoughts) []shown {
	v := f.see(n)
	var boards [2]shown
	for side := match.First; side <= match.Second; side++ {
		enemy := side.Other()
		fleet := fleetBoard(v, side)
		if thoughts != nil && v.Turn == enemy && v.Phase == match.Battle {
			fleet = thoughtsBoard(v, side, thoughts)
		}
		if by, move, ok := f.moved(n); ok && by == side {
			now := v.Fleets[side][move.Ship()]
			left := move.Manoeuvre().Back().Of(now).Cells()
			for c := range left.Minus(now.Cells()).All() {
				if v.Board(side, c) == match.Sea {
					fleet.Set(c, board.SignGhost, look.Plain)
				}
			}
		}
		boards[side] = shown{f.lang.Say("THE FLEET OF %s", f.names[side]), fleet, phrase.Afloat(f.lang, &v.Charts[enemy])}
	}
	return boards[:]
}

// progress is a line that shows how far the film is, and the time of the match,
// on a screen of a width.
func (f *Film) progress(n, width int) string {
	count := "  " + f.count(n)
	width = max(1, min(48, width-textWide(count)))
	done := 0
	if f.Len() > 1 {
		done = n * (width - 1) / (f.Len() - 1)
	}
	return strings.Repeat("━", done) + "●" + strings.Repeat("─", width-1-done) + count
}

// count is which picture it is, and the time of the match: of the same width in
// every picture, so that the screen stands still.
func (f *Film) count(n int) string {
	digits := len(strconv.Itoa(f.Len() - 1))
	return f.lang.Say("shot %s of %d", fmt.Sprintf("%*d", digits, n), f.Len()-1) +
		fmt.Sprintf(" %6s", phrase.Clock(f.At(n).Truncate(time.Second)))
}

// Picture is the whole screen of a picture, without anything to press: at most
// height lines, none wider than width.
func (f *Film) Picture(n, width, height int) []string {
	t := looks()
	lines := []string{t.title.Render(pad(" BROADSIDE  "+f.Heading(), width)), ""}
	body, _, _ := onBoards(space{width: width, height: height - len(lines)},
		scene{status: f.caption(n), boards: f.boards(n, nil), text: f.below(n, width)})
	lines = fit(append(lines, body...), width, height)
	colours := look.For(look.Choice{}, look.Terminal{})
	for i, l := range lines {
		lines[i] = colours.Paint(l)
	}
	return lines
}
