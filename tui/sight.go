package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
	"broadside/tui/board"
)

// sight is a match that this session watches: its place there, and the last
// that came from it.
type sight struct {
	place   *lobby.Watching
	counted bool      // as a spectator
	names   [2]string // clean
	last    live.Update
	seen    time.Time // when last came; zero if nothing has
	log     []string  // the last things that happened, oldest first
}

// sightPace is the shortest time between two pictures of a match watched. A
// match of programs is faster than any eye, and what nobody can see need not
// be drawn.
const sightPace = 100 * time.Millisecond

func newSight(w *lobby.Watching, counted bool) *sight {
	s := &sight{place: w, counted: counted}
	for side, p := range w.Players() {
		s.names[side] = clean(p.Name, nameWidth)
	}
	return s
}

// await receives the next update.
func (s *sight) await(ctx context.Context) tea.Cmd {
	wait := sightPace - time.Since(s.seen)
	return func() tea.Msg {
		if wait > 0 && !pause(ctx, wait) {
			return nil
		}
		var u live.Update
		err := s.place.Recv(ctx, &u)
		if ctx.Err() != nil {
			return nil
		}
		return sightMsg{s, u, err}
	}
}

// pause waits, and returns false if ctx ends meanwhile.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// take takes in an update and keeps what happened as sentences.
func (s *sight) take(u live.Update) {
	before := s.last
	s.last, s.seen = u, time.Now()
	auto, told := false, false
	for _, e := range u.Events {
		switch e.Kind {
		case match.ShotFired:
			auto = e.Auto
		case match.ShotAnswered:
			shooter := s.names[e.Side.Other()]
			s.note(shotLine(shooter, shooter, e.Cell, e.Result, auto))
			auto, told = false, true
		case match.BattleBegun:
			s.note("The battle begins.")
		case match.AnswersDisputed:
			s.note("The answers of " + s.names[e.Side] + " cannot all be true: the match is disputed.")
		}
	}
	if u.Missed && !told {
		s.recall()
	}
	for side, name := range s.names {
		if u.Away[side] != before.Away[side] {
			if u.Away[side] {
				s.note(name + " has lost the connection.")
			} else {
				s.note(name + " is back.")
			}
		}
	}
}

// recall tells of the last shot of each side, for a spectator who was not
// there when they were fired.
func (s *sight) recall() {
	v := &s.last.View
	s.log = nil
	for _, side := range [2]match.Side{v.Turn, v.Turn.Other()} { // the older one first
		if shot := v.Last[side]; shot.Number > 0 {
			s.note(shotLine(s.names[side], s.names[side], shot.Cell, shot.Result, false))
		}
	}
}

func (s *sight) note(line string) {
	s.log = append(s.log, line)
	if len(s.log) > logLines {
		s.log = s.log[1:]
	}
}

// over tells whether the match has ended.
func (s *sight) over() bool { return s.last.View.Phase == match.Over }

// state says what the match waits for, or how it ended.
func (s *sight) state() string {
	t := looks()
	u := &s.last
	v := &u.View
	switch {
	case s.seen.IsZero():
		return ""
	case v.Phase == match.Over && v.Winner == match.Nobody:
		return t.warn.Render("Nobody has won.")
	case v.Phase == match.Over:
		return t.good.Render(s.names[v.Winner] + " has won.")
	case v.Phase == match.Placing && v.Ready[match.First]:
		return s.names[match.Second] + " is placing ships."
	case v.Phase == match.Placing && v.Ready[match.Second]:
		return s.names[match.First] + " is placing ships."
	case v.Phase == match.Placing:
		return "Both are placing ships."
	}
	return t.warn.Render(s.names[v.Turn] + " is aiming.")
}

// waters is the board of a side as the other one knows it; once the match is
// over, as it is, where that is known.
func (s *sight) waters(side match.Side) *board.Board {
	v := &s.last.View
	if v.Fleets[side] == nil {
		return chartBoard(&v.Charts[side.Other()], board.Nowhere, v.Last[side.Other()])
	}
	return fleetBoard(v, side)
}
