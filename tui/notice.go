package tui

import (
	"time"

	"broadside/match"
)

// noticeTime is how long a notice is shown at most.
const noticeTime = 15 * time.Second

// noticed is when the current notice was first shown, and why it may end. A zero
// time means that it has not been dated yet.
type noticed struct {
	at    time.Time
	about situation
	stays bool // until the next key
}

// situation is what a notice is about. Once it changes, the notice may no longer
// be true.
type situation struct {
	game   *game
	detail any // of the screen, comparable; nil where nothing is known yet
}

// situated is a screen whose notices are about something that changes by itself.
type situated interface {
	// situation is comparable.
	situation(m *Model) any
}

func (m *Model) situation() situation {
	s := situation{game: m.game}
	if screen, ok := m.screen.(situated); ok {
		s.detail = screen.situation(m)
	}
	return s
}

// noteKey records that the person has pressed a key, which ends the notice.
func (m *Model) noteKey() {
	m.notice, m.noticed = "", noticed{}
	m.lastKey, m.dozing = time.Now(), false
}

// reviewNotice dates a notice that is new since before, and drops one that is old
// or about another situation. It returns true if the notice is new.
func (m *Model) reviewNotice(before string, stays bool) bool {
	if m.notice == "" {
		m.noticed = noticed{}
		return false
	}
	now, about := time.Now(), m.situation()
	if m.noticed.about.game == about.game && m.noticed.about.detail == nil {
		m.noticed.about = about
	}
	switch {
	case m.notice != before || m.noticed.at.IsZero():
		m.noticed = noticed{now, about, stays}
		return true
	case !m.noticed.stays && (m.noticed.about != about || now.Sub(m.noticed.at) >= noticeTime):
		m.notice, m.noticed, m.same = "", noticed{}, false
	}
	return false
}

// noticeLeft returns how much longer the notice is shown, if it expires.
func (m *Model) noticeLeft(now time.Time) time.Duration {
	if m.notice == "" || m.noticed.stays || m.noticed.at.IsZero() {
		return 0
	}
	return noticeTime - now.Sub(m.noticed.at)
}

// matchSituation is what a notice in a match is about.
type matchSituation struct {
	phase                       match.Phase
	turn                        match.Side
	pending, mayMove            bool
	away, late, leftTable, asks bool
	fired                       int
}

// situation is nil until the first update of the match is here.
func (g *game) situation() any {
	if g.last.View.Rules.Size == 0 {
		return nil
	}
	u := &g.last
	v, other := &u.View, g.side.Other()
	return matchSituation{
		phase: v.Phase, turn: v.Turn, pending: v.Pending, mayMove: v.MayMove, away: u.Away[other], late: u.Late[other],
		leftTable: g.table.OpponentLeft, asks: g.table.RematchOffered, fired: v.Charts[g.side].Fired,
	}
}

func (s *placeScreen) situation(m *Model) any  { return m.game.situation() }
func (s *battleScreen) situation(m *Model) any { return m.game.situation() }
func (s *resultScreen) situation(m *Model) any { return m.game.situation() }

func (s *lobbyScreen) situation(m *Model) any { return m.mine }

// situation is the opponent pointed at, if they are there.
func (s *opponentsScreen) situation(m *Model) any {
	waiting, here := s.list(m)
	for _, o := range append(waiting, here...) {
		if o.key == s.at {
			return o
		}
	}
	return len(waiting)+len(here) == 0
}

func (s *watchScreen) situation(m *Model) any { return s.next(m).ID }

func (s *dailyScreen) situation(*Model) any { return s.busy }

func (s *accountScreen) situation(*Model) any { return len(s.keys) }
