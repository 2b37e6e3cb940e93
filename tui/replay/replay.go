// Package replay shows finished matches, frame by frame, with both fleets in view.
package replay

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/match"
	"broadside/match/audit"
	"broadside/match/live"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/text"
)

// Replay is a finished match as frames: one before the first shot, and one after each
// turn, with its shots and their answers. Where ships move, the frame of a turn
// includes the move. A Replay is not safe for concurrent use.
type Replay struct {
	about  store.Summary
	rules  match.Rules
	mode   audit.Mode // audit mode in which the events can be replayed
	events []match.Event
	cuts   []int     // number of events up to each frame
	names  [2]string // safe to display
	lang   i18n.Language
	marks  []match.Result // the best result of each turn, by its frame

	shown int // frame of game and view
	game  *match.Game
	view  match.View
}

// The terminal size for recordings, in cells.
const (
	Width  = 80
	Height = 24
)

// New returns the replay of a match, with text in language l. It returns an error if
// the events are not the history of a match.
func New(l i18n.Language, m store.Match) (*Replay, error) {
	_, mode, err := audit.Replay(m.Rules, m.Events)
	r := &Replay{about: m.Summary, rules: m.Rules, mode: mode, events: m.Events, lang: l, shown: -1}
	if err != nil {
		return nil, fmt.Errorf("the match %s cannot be shown: %w", m.ID, err)
	}
	for side, seat := range m.Seats {
		r.names[side] = text.Name(seat.Name)
		if seat.Kind == store.Bot {
			r.names[side] = narrate.BotName(l, seat.Name)
		}
	}
	for i, e := range m.Events {
		if e.Kind != match.ShotFired { // everything before the shot belongs to the previous turn
			continue
		}
		if before := m.Events[max(0, i-1)]; before.Kind == match.ShotFired && before.Side == e.Side {
			continue // another shot of the same turn
		}
		if i > 0 && m.Events[i-1].Kind == match.FleetMoved { // by the same side
			i--
		}
		r.cuts = append(r.cuts, i)
	}
	r.cuts = append(r.cuts, len(m.Events))
	for n := range r.cuts {
		r.marks = append(r.marks, r.mark(n))
	}
	return r, nil
}

// Len returns the number of frames, at least 1.
func (r *Replay) Len() int { return len(r.cuts) }

// At returns the time of a frame, relative to the start of the match.
func (r *Replay) At(n int) time.Duration {
	if r.cuts[n] == 0 {
		return 0
	}
	return r.events[r.cuts[n]-1].At
}

// View returns the view of a frame: both fleets, as far as they are known. The view is
// valid until the next call.
func (r *Replay) View(n int) *match.View {
	if r.shown != n {
		if r.game == nil || n < r.shown {
			r.game = match.NewGame(r.rules, r.mode)
		}
		if err := r.game.Follow(r.events[:r.cuts[n]]); err != nil { // cannot happen: New has applied all events
			r.game = match.NewGame(r.rules, r.mode)
		}
		r.view, r.shown = r.game.Revealed(), n
	}
	return &r.view
}

// Update returns the frame as an update with all events so far. It is valid until the next
// call of View or Update.
func (r *Replay) Update(n int) *live.Update {
	return &live.Update{View: *r.View(n), Events: r.events[:r.cuts[n]]}
}

// Turn describes the shots of one turn.
type Turn struct {
	Side  match.Side
	Cells []match.Cell
	Shots []match.Shot // the answered shots
	Auto  bool         // the clock fired some of the shots
}

// Turn returns the turn that precedes a frame; false if there is none.
func (r *Replay) Turn(n int) (t Turn, ok bool) {
	if n == 0 {
		return t, false
	}
	events := r.events[r.cuts[n-1]:r.cuts[n]]
	for i, e := range events {
		switch {
		case e.Kind == match.ShotFired:
			t.Side, t.Cells, t.Auto = e.Side, append(t.Cells, e.Cell), t.Auto || e.Auto
		case e.Kind == match.ShotAnswered && t.Shots == nil:
			t.Shots = match.Volley(events[i:])
		}
	}
	return t, t.Cells != nil
}

// describe returns a sentence describing a turn.
func (r *Replay) describe(t *Turn) string {
	shooter, cells := r.names[t.Side], make([]string, len(t.Cells))
	for i, c := range t.Cells {
		cells[i] = c.String()
	}
	line := ""
	switch {
	case len(t.Shots) == 0:
		line = r.lang.Text("x-fired-at-x-and", shooter, strings.Join(cells, ", "))
	case len(t.Cells) > 1:
		line = narrate.Salvo(shooter, t.Shots, false).In(r.lang)
	default:
		line = narrate.Shot(shooter, t.Cells[0], t.Shots[0].Result, false).In(r.lang)
	}
	if t.Auto {
		line += " " + r.lang.Text("by-the-clock")
	}
	return line
}

// moved returns the move before the shots of a frame; false if there is none.
func (r *Replay) moved(n int) (side match.Side, move match.Move, ok bool) {
	if n == 0 {
		return match.Nobody, match.Stay, false
	}
	for _, e := range r.events[r.cuts[n-1]:r.cuts[n]] {
		if e.Kind == match.FleetMoved && e.Move != match.Stay {
			return e.Side, e.Move, true
		}
	}
	return match.Nobody, match.Stay, false
}

// Move returns a description of the move in a frame, or "".
func (r *Replay) Move(n int) string {
	side, move, ok := r.moved(n)
	if !ok {
		return ""
	}
	ship := r.View(n).Fleets[side][move.Ship()]
	return r.lang.Text("x-moved-x-x-from", r.names[side], narrate.Ship(r.lang, r.rules.Fleet[move.Ship()].Name),
		narrate.Manoeuvre(move.Manoeuvre()), ship.Stern.String(), ship.Bow().String())
}

// Below returns the text below the boards of a frame, for a screen of the given width.
func (r *Replay) Below(n, width int) []string {
	if r.rules.Moving {
		return []string{r.Move(n), r.progress(n, width)} // keeps the first line even if empty, so that the layout stays the same
	}
	return []string{r.progress(n, width)}
}

// Names returns the names of both sides, safe to display.
func (r *Replay) Names() [2]string { return r.names }

// Ending describes how the match ended.
func (r *Replay) Ending() string {
	v := r.View(r.Len() - 1)
	if v.Winner == match.Nobody {
		return r.lang.Text("nobody-won-title") + " " + narrate.EndingOf(v.Reason).In(r.lang)
	}
	return r.lang.Text("x-won", r.names[v.Winner]) + " " + narrate.EndingOf(v.Reason).In(r.lang)
}

// Heading returns the players, the rules and the date.
func (r *Replay) Heading() string {
	return r.lang.Text("x-against-x", r.names[match.First], r.names[match.Second]) + " · " + text.Name(r.rules.Name) +
		" · " + r.lang.Date(r.about.Started)
}

// Caption describes the last event of a frame.
func (r *Replay) Caption(n int) string {
	v := r.View(n)
	line := r.lang.Text("both-fleets-are-in-place", r.names[match.Second])
	if t, ok := r.Turn(n); ok {
		line = r.describe(&t)
	}
	if v.Phase == match.Over {
		end := term.Warn.Render(r.lang.Text("nobody-won-title"))
		if v.Winner != match.Nobody {
			end = term.Good.Render(r.lang.Text("x-won", r.names[v.Winner]))
		}
		switch {
		case n == 0:
			return end + " " + narrate.EndingOf(v.Reason).In(r.lang)
		case v.Reason == match.FleetSunk: // the shot's description already says that
			return line + " " + end
		}
		return line + "  " + end + " " + narrate.EndingOf(v.Reason).In(r.lang)
	}
	return line
}

// Panels returns both boards of a frame. Advice, if not nil, is shown on the board
// that is shot at next.
func (r *Replay) Panels(n int, advice *Advice) []board.Panel {
	v := r.View(n)
	var boards [2]board.Panel
	for side := match.First; side <= match.Second; side++ {
		enemy := side.Other()
		fleet := board.Own(v, side)
		if advice != nil && v.Turn == enemy && v.Phase == match.Battle {
			fleet = adviceBoard(v, side, advice)
		}
		if by, move, ok := r.moved(n); ok && by == side {
			now := v.Fleets[side][move.Ship()]
			left := move.Manoeuvre().Back().Of(now).Cells()
			for c := range left.Minus(now.Cells()).All() {
				if v.Board(side, c) == match.Sea {
					fleet.Set(c, board.SignGhost, term.Plain)
				}
			}
		}
		boards[side] = board.Panel{Heading: r.lang.Text("the-fleet-of-x", r.names[side]), Board: fleet, Note: narrate.Afloat(r.lang, &v.Charts[enemy])}
	}
	return boards[:]
}

// maxProgress is the maximum width of the line with the position.
const maxProgress = 60

// progress returns a line with the position in the replay, the hits and sinkings, and the
// match time, for a screen of the given width.
func (r *Replay) progress(n, width int) string {
	count := "  " + r.Count(n)
	width = max(1, min(maxProgress, width-text.Width(count)-2))
	column := func(n int) int { return n * (width - 1) / max(1, r.Len()-1) }
	cells := make([]string, width)
	for x := range cells {
		cells[x] = term.Rule.Render("─")
		if x < column(n) {
			cells[x] = term.Info.Render("━")
		}
	}
	for i := range r.Len() {
		switch x := column(i); r.marks[i] {
		case match.Hit:
			cells[x] = term.Bad.Render(board.SignHit)
		case match.Sunk, match.LastSunk:
			cells[x] = term.Strong.Render(board.SignSunk)
		}
	}
	cells[column(n)] = term.Mark.Render("●")
	return strings.Join(cells, "") + count
}

// mark returns the best result of the turn before a frame.
func (r *Replay) mark(n int) (best match.Result) {
	t, _ := r.Turn(n)
	for _, shot := range t.Shots {
		best = max(best, shot.Result)
	}
	return best
}

// Count returns the turn number and the match time. The width is the same in every
// frame, so that the layout stays the same.
func (r *Replay) Count(n int) string {
	digits, text := len(strconv.Itoa(r.Len()-1)), i18n.Key("shot-x-of-n")
	if r.rules.Salvo {
		text = "salvo-x-of-n"
	}
	return r.lang.Text(text, fmt.Sprintf("%*d", digits, n), r.Len()-1) +
		fmt.Sprintf(" %6s", narrate.Clock(r.At(n).Truncate(time.Second)))
}

// Screen returns a full screen for a frame, without key bindings: at most height
// lines, each at most width wide.
func (r *Replay) Screen(n, width, height int) []string {
	lines := []string{term.Title.Render(text.Pad(" BROADSIDE  "+r.Heading(), width)), ""}
	body := board.Arrange(board.Space{Width: width, Height: height - len(lines), Detail: term.Waves},
		board.Scene{Status: r.Caption(n), Panels: r.Panels(n, nil), Text: r.Below(n, width)})
	return text.Crop(append(lines, body.Lines...), width, height)
}
