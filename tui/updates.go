package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/session"
	"broadside/tui/component"
	"broadside/tui/screen"
)

// next waits for the session's next update, or until no key was pressed for idleTime.
// Each model has exactly one next command running.
func (m *Model) next() tea.Cmd {
	parent, own := m.env.Ctx, m.env.Session
	idle, deadline := m.env.Idle, m.env.LastKey.Add(idleTime)
	return func() tea.Msg {
		ctx := parent
		if !idle {
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(parent, deadline)
			defer cancel()
		}
		u, err := own.Next(ctx)
		switch {
		case err == nil:
			return updateMsg(u)
		case errors.Is(err, context.DeadlineExceeded) && parent.Err() == nil:
			return idleMsg{}
		case parent.Err() == nil:
			return endedMsg{err}
		}
		return nil
	}
}

// receive applies a session update and passes it to all screens.
func (m *Model) receive(u session.Update) tea.Cmd {
	env := m.env
	before, challenge, me, spectators := env.Lobby, m.challenge, env.State.Me, m.spectators()
	env.State = env.Session.State()
	m.followMatch()
	env.Lobby, m.challenge = env.State.Lobby, env.State.Challenge // so that each change is noticed once
	var cmds []tea.Cmd
	switch u.Kind {
	case session.LobbyChanged:
		news := env.Lobby
		if said := news.Announcement; said != before.Announcement && time.Since(said.At) < announceTime {
			env.Notice = "" // make room for the announcement
		}
		m.frame.same = m.playing() && m.frame.content != "" && env.State.Me == me && m.spectators() == spectators &&
			news.Announcement == before.Announcement && news.Closing == before.Closing
	case session.ChallengeChanged:
		if c := m.openChallenge(); c != nil && (challenge == nil || challenge.Offer != c.Offer) {
			return env.Bell()
		}
	case session.OfferChanged:
		m.offerFailed(u.Err)
	case session.MatchLost:
		m.matchLost(u.Err)
	case session.WatchChanged:
		if w := env.Watched; w != nil && u.ID == w.ID {
			w.Receive(u.Match)
			m.frame.watched = env.Lobby == before && m.nextTick(time.Now()) <= 0 // without a clock on the screen
		}
	case session.ChatChanged:
		env.LobbyChat.Receive(u, time.Now())
		if w := env.Watched; w != nil {
			w.Chat.Receive(u, time.Now())
		}
	}
	for _, s := range m.screens {
		cmds = append(cmds, s.Update(u))
	}
	return tea.Batch(cmds...)
}

// spectators returns the number of spectators of the session's match.
func (m *Model) spectators() int {
	if m.match == nil {
		return 0
	}
	return m.env.Spectators(m.match.ID)
}

// offerFailed shows why an offer failed.
func (m *Model) offerFailed(err error) {
	switch {
	case err == nil:
	case m.env.State.Match != nil:
		m.env.Notice = m.env.ErrorText(err)
	default:
		m.Home(m.env.ErrorText(err))
	}
}

// matchLost leaves a match that no longer belongs to this session.
func (m *Model) matchLost(err error) {
	m.Home("")                    // the lobby offers to continue the match
	if m.env.State.Offer != nil { // the opponent was removed
		m.Replace(screen.NewWaiting(m.env))
	}
	switch {
	case !errors.Is(err, session.ErrReplaced):
		m.env.Notice = m.env.ErrorText(err)
	case m.env.Occupancy() == session.NoSeat:
		m.env.Notice = m.env.Lang.Text("your-seat-was-taken-over")
	}
}

// tick schedules a redraw for the next clock change and cancels the previous tick.
// Without a running clock there is no tick, so an idle screen costs nothing.
func (m *Model) tick() tea.Cmd {
	m.stopTick()
	next := m.nextTick(time.Now())
	if next <= 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(m.env.Ctx)
	m.stopTick = cancel
	return func() tea.Msg {
		t := time.NewTimer(next)
		defer t.Stop()
		select {
		case <-t.C:
			return tickMsg{ctx}
		case <-ctx.Done():
			return nil
		}
	}
}

// nextTick returns the time until the screen next changes on its own because of the
// work indicator, a clock, a notice or an announcement. It returns 0 if nothing will
// change.
func (m *Model) nextTick(now time.Time) time.Duration {
	if next, ok := m.env.Work.Next(now); ok {
		return next
	}
	if s, ok := m.top().(component.Ticker); ok {
		if next := s.NextTick(now); next > 0 {
			return next
		}
	}
	if c := m.openChallenge(); c != nil {
		if next := component.Countdown(now, c.Until); next > 0 {
			return next
		}
	}
	next := m.noticeLeft(now)
	if said := m.env.Lobby.Announcement; said.Text != "" {
		if left := announceTime - now.Sub(said.At); left > 0 && (next <= 0 || left < next) {
			next = left
		}
	}
	return next
}
