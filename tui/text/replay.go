package text

import (
	"fmt"
	"strconv"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/match"
	"broadside/match/audit"
	"broadside/match/live"
)

// Replay is a finished match as frames: one before the first shot, and one after each
// turn, with its shots and their results. If ships move, a turn's frame
// includes the move. A Replay is not safe for concurrent use.
type Replay struct {
	Lang i18n.Language

	summary store.Summary
	rules   match.Rules
	// mode is the audit mode in which the events can be replayed.
	mode   audit.Mode
	events []match.Event
	// frameEnds has the number of events up to each frame.
	frameEnds []int
	narrator  narrate.Narrator
	// bestResults has the best result of the turn before each frame.
	bestResults []match.Result

	// game and view show the frame with this number.
	frame int
	game  *match.Game
	view  match.View
}

// NewReplay returns a match's replay, with text in language l. It returns an error if
// the events are not a match's history.
func NewReplay(l i18n.Language, m store.Match) (*Replay, error) {
	_, mode, err := audit.Replay(m.Rules, m.Events)
	r := &Replay{summary: m.Summary, rules: m.Rules, mode: mode, events: m.Events, Lang: l, frame: -1}
	r.narrator.Side = match.Nobody
	if err != nil {
		return nil, fmt.Errorf("cannot show match %s: %w", m.ID, err)
	}
	for side, seat := range m.Seats {
		r.narrator.Names[side] = CleanName(seat.Name)
		if seat.Kind == store.Bot {
			r.narrator.Names[side] = narrate.BotName(l, seat.Name)
		}
	}
	r.frameEnds = findFrameEnds(m.Events)
	for n := range r.frameEnds {
		best := match.Miss
		t, _ := r.Turn(n)
		for _, shot := range t.Shots {
			best = max(best, shot.Result)
		}
		r.bestResults = append(r.bestResults, best)
	}
	return r, nil
}

// findFrameEnds returns the number of events up to each frame. A frame ends before the move or the first shot
// of the next turn.
func findFrameEnds(events []match.Event) (ends []int) {
	for i, e := range events {
		if e.Kind != match.ShotFired {
			continue
		}
		before := events[max(0, i-1)]
		if before.Kind == match.ShotFired && before.Side == e.Side {
			continue // another shot of the same turn
		}
		if i > 0 && before.Kind == match.FleetMoved {
			i--
		}
		ends = append(ends, i)
	}
	return append(ends, len(events))
}

// Len returns the number of frames, at least 1.
func (r *Replay) Len() int { return len(r.frameEnds) }

// FrameTime returns the time from the start of the match to frame n.
func (r *Replay) FrameTime(n int) time.Duration {
	if r.frameEnds[n] == 0 {
		return 0
	}
	return r.events[r.frameEnds[n]-1].At
}

// FrameView returns the view of frame n with both fleets, as far as they are known. The view is
// valid until the next call of FrameView or FrameUpdate.
func (r *Replay) FrameView(n int) *match.View {
	if r.frame != n {
		if r.game == nil || n < r.frame {
			r.game = match.NewGame(r.rules, r.mode)
		}
		if err := r.game.ApplyEvents(r.events[:r.frameEnds[n]]); err != nil {
			// NewReplay has applied all events, so this does not happen.
			r.game = match.NewGame(r.rules, r.mode)
		}
		r.view, r.frame = r.game.FullView(), n
	}
	return &r.view
}

// FrameUpdate returns frame n as an update with all events so far. It is valid until the next
// call of FrameView or FrameUpdate.
func (r *Replay) FrameUpdate(n int) *live.Update {
	return &live.Update{View: *r.FrameView(n), Events: r.events[:r.frameEnds[n]]}
}

// Turn describes the shots of one turn.
type Turn struct {
	Side  match.Side
	Cells []match.Cell
	// Shots has the shots with a result.
	Shots []match.Shot
	// Auto is set if the clock fired some of the shots.
	Auto bool
}

// Turn returns the turn before frame n. It returns false if there is none.
func (r *Replay) Turn(n int) (t Turn, ok bool) {
	if n == 0 {
		return t, false
	}
	events := r.events[r.frameEnds[n-1]:r.frameEnds[n]]
	for i, e := range events {
		switch {
		case e.Kind == match.ShotFired:
			t.Side, t.Cells, t.Auto = e.Side, append(t.Cells, e.Cell), t.Auto || e.Auto
		case e.Kind == match.ShotAnswered && t.Shots == nil:
			t.Shots = match.SalvoShots(events[i:])
		}
	}
	return t, t.Cells != nil
}

// TurnText describes the turn's shots before frame n, or the start of the battle.
func (r *Replay) TurnText(n int) string {
	t, ok := r.Turn(n)
	switch {
	case !ok:
		return r.narrator.BattleStartLine(match.Second).Full.Text(r.Lang)
	case len(t.Shots) == 0:
		return r.narrator.UnansweredShots(t.Side, t.Cells).Text(r.Lang)
	}
	return r.narrator.ShotsLine(t.Side, t.Shots, t.Auto, r.FrameView(n)).Full.Text(r.Lang)
}

// MoveEvent returns the ship move in the turn before frame n. It returns false if there is none.
func (r *Replay) MoveEvent(n int) (match.Event, bool) {
	if n == 0 {
		return match.Event{}, false
	}
	for _, e := range r.events[r.frameEnds[n-1]:r.frameEnds[n]] {
		if e.Kind == match.FleetMoved && e.Move != match.Stay {
			return e, true
		}
	}
	return match.Event{}, false
}

// MoveText describes the ship move in the turn before frame n. Without one, it returns "".
func (r *Replay) MoveText(n int) string {
	e, ok := r.MoveEvent(n)
	if !ok {
		return ""
	}
	return r.narrator.MoveLine(e, r.FrameView(n)).Full.Text(r.Lang)
}

// Names returns the names of both sides, safe to display.
func (r *Replay) Names() [2]string { return r.narrator.Names }

// EndingText describes how the match ended.
func (r *Replay) EndingText() string {
	return r.narrator.VerdictAndReason(r.FrameView(r.Len() - 1)).Text(r.Lang)
}

// Heading returns the players, the rules and the date.
func (r *Replay) Heading() string {
	names := r.narrator.Names
	return r.Lang.Text("%s against %s", names[match.First], names[match.Second]) + " · " + CleanName(r.rules.Name) +
		" · " + r.Lang.LongDate(r.summary.Started)
}

// Caption describes the turn before frame n and, if the match is over, its end.
func (r *Replay) Caption(n int) string {
	v := r.FrameView(n)
	line := r.TurnText(n)
	if v.Phase != match.Over {
		return line
	}
	verdict := r.narrator.Verdict(v)
	end := ToneStyle(verdict.Tone).Render(verdict.Full.Text(r.Lang))
	if v.Reason != match.FleetSunk {
		// Otherwise, the description of the shot says why.
		end += " " + r.narrator.EndReason(v).Text(r.Lang)
	}
	if n == 0 {
		return end
	}
	return line + "  " + end
}

// BestResult returns the best result of the turn before frame n.
func (r *Replay) BestResult(n int) match.Result { return r.bestResults[n] }

// PositionText returns the frame's number and match time. Its width is the same in every
// frame, so that the layout does not change.
func (r *Replay) PositionText(n int) string {
	digits, text := len(strconv.Itoa(r.Len()-1)), i18n.Key("shot %s of %d")
	if r.rules.Salvo {
		text = "salvo %s of %d"
	}
	return r.Lang.Text(text, fmt.Sprintf("%*d", digits, n), r.Len()-1) +
		fmt.Sprintf(" %6s", narrate.MinutesAndSeconds(r.FrameTime(n).Truncate(time.Second)))
}
