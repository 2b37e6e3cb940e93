package tui

import (
	"context"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/format"
)

// sight is a match that this session watches: its place there, and the last
// that came from it.
type sight struct {
	id      string
	counted bool      // as a spectator
	names   [2]string // clean
	last    session.MatchUpdate
	seen    time.Time // when last came; zero if nothing has
	course  course

	picture  []string      // of last, as the lobby shows it; nil until it is drawn
	pictured i18n.Language // in which
}

// WatchPace is the shortest time between two pictures of a match that is
// watched, see [session.Client]. A match of programs is faster than any eye.
const WatchPace = 100 * time.Millisecond

func newSight(about *session.Running, counted bool) *sight {
	s := &sight{id: about.ID, counted: counted}
	for side, p := range about.Players {
		s.names[side] = format.Name(p.Name)
	}
	return s
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

// take takes in an update and keeps what happened.
func (s *sight) take(u session.MatchUpdate) {
	before := s.last
	s.last, s.seen, s.picture = u, time.Now(), nil
	auto, told := false, false
	for i, e := range u.Events {
		switch e.Kind {
		case match.ShotFired:
			auto = auto || e.Auto
		case match.ShotAnswered:
			shooter := s.names[e.Side.Other()]
			s.course.answered(shooter, u.Events, i, auto)
			auto, told = false, true
		case match.BattleBegun:
			s.course.note(begun())
		case match.AnswersDisputed:
			s.course.note(disputed(s.names[e.Side]))
		}
	}
	if u.Missed && !told {
		s.course = recalled(&u.View, s.names)
	}
	for side, name := range s.names {
		if u.Away[side] != before.Away[side] {
			if u.Away[side] {
				s.course.note(lost(name))
			} else {
				s.course.note(happens(i18n.Mean("%s is back.", name)))
			}
		}
	}
}

// over tells whether the match has ended.
func (s *sight) over() bool { return s.last.View.Phase == match.Over }

// state says what the match waits for, or how it ended.
func (s *sight) state(l i18n.Language) string {
	t := looks()
	u := &s.last
	v := &u.View
	switch {
	case s.seen.IsZero():
		return ""
	case v.Phase == match.Over && v.Winner == match.Nobody:
		return t.warn.Render(l.Say("Nobody has won."))
	case v.Phase == match.Over:
		return t.good.Render(l.Say("%s has won.", s.names[v.Winner]))
	case v.Phase == match.Placing && v.Ready[match.First]:
		return l.Say("%s is placing ships.", s.names[match.Second])
	case v.Phase == match.Placing && v.Ready[match.Second]:
		return l.Say("%s is placing ships.", s.names[match.First])
	case v.Phase == match.Placing:
		return l.Say("Both are placing ships.")
	case v.Phase == match.Revealing:
		return phrase.Revealing(v, s.names).In(l)
	}
	return t.warn.Render(l.Say("%s is aiming.", s.names[v.Turn]))
}

// waters is the board of a side as the other one knows it; once the match is
// over, as it is, where that is known.
func (s *sight) waters(side match.Side) *board.Board {
	v := &s.last.View
	if v.Fleets[side] == nil {
		return board.Enemy(&v.Charts[side.Other()], board.Nowhere, v.Last[side.Other()]...)
	}
	return board.Own(v, side)
}
