package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/session"
	"broadside/match"
)

// next waits for the session's next update, or until no key has come for
// lookTime. A model has one of these under way.
func (m *Model) next() tea.Cmd {
	ctx, cancel := m.ctx, func() {}
	if !m.dozing {
		ctx, cancel = context.WithDeadline(m.ctx, m.lastKey.Add(lookTime))
	}
	return func() tea.Msg {
		defer cancel()
		u, err := m.own.Next(ctx)
		switch {
		case err == nil:
			return updateMsg(u)
		case errors.Is(err, context.DeadlineExceeded) && m.ctx.Err() == nil:
			return dozeMsg{}
		case m.ctx.Err() == nil:
			return endedMsg{err}
		}
		return nil
	}
}

// do carries out an action and reports whether it was; if not, it says why.
func (m *Model) do(a session.Action) bool {
	err := m.own.Do(m.ctx, a)
	if err != nil {
		m.notice = m.sentence(err)
	}
	m.sync()
	return err == nil
}

// read reads the session's state.
func (m *Model) read() {
	m.state = m.own.State()
	m.me = m.state.Me
}

// sync reads the session's state and follows it into a match.
func (m *Model) sync() {
	m.read()
	if now := m.state.Match; now != nil && (m.game == nil || m.game.about != now) {
		m.sit(now)
	}
}

// learn takes in an update.
func (m *Model) learn(u session.Update) tea.Cmd {
	before, call, me, watching := m.news, m.call, m.me, m.watching()
	m.sync()
	m.news, m.call = m.state.Lobby, m.state.Challenge // as of an update, so that each change is noticed once
	switch u.Kind {
	case session.LobbyChanged:
		m.offered()
		if said := m.news.Announcement; said != before.Announcement && time.Since(said.At) < announceTime {
			m.notice = "" // so that the announcement is seen
		}
		switch s := m.screen.(type) {
		case *accountScreen:
			if s.revision != m.state.AccountRevision {
				return s.load(m)
			}
		case *dailyScreen:
			if m.news.DailyRevision != before.DailyRevision {
				return s.refresh(m)
			}
		case *placeScreen, *battleScreen: // they show least of the lobby
			m.same = m.content != "" && m.me == me && m.watching() == watching && m.news.Announcement == before.Announcement && m.news.Closing == before.Closing
		}
	case session.ChallengeChanged:
		if m.call != nil && (call == nil || call.Offer != m.call.Offer) && !m.playing() {
			return m.ring()
		}
	case session.OfferChanged:
		m.unseated(u.Err)
	case session.MatchChanged:
		if m.game != nil && u.ID == m.game.about.ID {
			return m.updated(u)
		}
	case session.MatchLost:
		return m.lost(u.Err)
	case session.SeatChanged:
		if m.game != nil {
			m.game.table, m.game.code = m.state.Seat, m.state.Seat.Code
		}
	case session.WatchChanged:
		if m.sight != nil && u.ID == m.sight.id {
			return m.watched(u.Match)
		}
	case session.ChatChanged:
		m.heard(u, time.Now())
	}
	return nil
}

// unseated takes in that an offer of the player has failed.
func (m *Model) unseated(err error) {
	switch {
	case err == nil:
	case m.state.Match != nil:
		m.notice = m.sentence(err)
	default:
		m.toLobby(m.sentence(err))
	}
}

// lost takes in that the match is no longer this session's.
func (m *Model) lost(err error) tea.Cmd {
	m.toLobby("")             // which offers to continue it
	if m.state.Offer != nil { // the opponent was removed
		m.screen = &waitScreen{*m.state.Offer}
	}
	switch {
	case !errors.Is(err, session.ErrReplaced):
		m.notice = m.sentence(err)
	case m.mine == session.NoSeat:
		m.notice = m.lang.Say("Your seat was taken over with its resume code.")
	}
	return m.tick()
}

// watched takes in what has happened in the match that is watched.
func (m *Model) watched(u *session.MatchUpdate) tea.Cmd {
	m.sight.take(*u)
	if _, watches := m.screen.(*watchScreen); watches {
		return m.flashOf(u.Events, [2]int{match.First: 0, match.Second: 1})
	}
	return nil
}
