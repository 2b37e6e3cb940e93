package tui

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match/live"
	"broadside/tui/screen"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// Waits returns what the model waits for: changes of the session, and a time.
func (m *Model) Waits() (changed <-chan struct{}, until time.Time) {
	until = m.tick
	if until.IsZero() || !m.idle.IsZero() && m.idle.Before(until) {
		until = m.idle
	}
	return m.env.Session.Changed(), until
}

// look applies what has changed since the last message: the session, the clock and whether the
// player is idle. It also starts and stops watching matches.
func (m *Model) look() tea.Cmd {
	now, same, partial := time.Now(), m.frame.same, m.frame.partial
	if !m.tick.IsZero() && !now.Before(m.tick) {
		m.tickDue, same, partial = true, false, false
	}
	if !m.idle.IsZero() && !now.Before(m.idle) {
		m.idle = m.env.LastKey.Add(idleTime)
		if m.env.Idle = !now.Before(m.idle); m.env.Idle {
			m.idle, same, partial = time.Time{}, false, false
		}
	}
	only := same // what the session reports is all that has changed
	var cmds []tea.Cmd
	for {
		u, err := m.env.Session.Poll()
		if err != nil {
			m.ended = err
			return tea.Quit
		}
		if u.Kind == 0 {
			m.frame.same, m.frame.partial = same, partial
			if m.spectate(m.fits()) { // the first view of the match is in the same frame
				cmds = append(cmds, m.look())
			}
			return tea.Batch(cmds...)
		}
		m.frame.same, m.frame.partial, m.tickDue = false, false, true
		cmds = append(cmds, m.receive(u))
		partial = partial && only && (m.frame.same || m.frame.partial)
		same = same && m.frame.same
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
		m.frame.same = m.playing() && m.frame.lines != nil && m.frame.screen == m.top() &&
			env.State.Me == me && m.spectators() == spectators &&
			news.Announcement == before.Announcement && news.Closing == before.Closing
	case session.ChallengeChanged:
		if c := m.openChallenge(); c != nil && (challenge == nil || challenge.Offer != c.Offer) {
			return env.Bell()
		}
	case session.OfferChanged:
		m.offerFailed(u.Err)
	case session.MatchLost:
		m.matchLost(u.Err)
	case session.OpponentRemoved:
		m.opponentRemoved(u)
	case session.WatchChanged:
		if w := env.Watched; w != nil && u.ID == w.ID {
			w.Receive(u.Match)
			m.frame.partial = env.Lobby == before && m.tick.IsZero() // no clock is on the screen
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
	m.Home("") // the lobby offers to continue the match
	switch {
	case !errors.Is(err, live.ErrReplaced):
		m.env.Notice = m.env.ErrorText(err)
	case m.env.Occupancy() == lobby.NoSeat:
		m.env.Notice = m.env.Lang.Text("Your seat was taken over with its resume code.")
	}
}

// opponentRemoved shows the player's private match, which is open again, or why it is not.
func (m *Model) opponentRemoved(u session.Update) {
	m.Home("")
	if u.Err != nil {
		m.env.Notice = m.env.ErrorText(u.Err)
		return
	}
	m.Replace(screen.NewWaiting(m.env))
	m.env.Notice = m.env.Lang.Text("You removed %s: your private match is open again.", text.Name(u.Name))
}

// nextTick returns the time until the screen next changes on its own because of the
// work indicator, a clock, a notice or an announcement. It returns 0 if nothing will
// change, so that an idle screen costs nothing.
func (m *Model) nextTick(now time.Time) time.Duration {
	next := m.noticeLeft(now)
	if working, ok := m.env.Work.Next(now); ok {
		next = widget.Sooner(next, working)
	}
	if s, ok := m.top().(widget.Ticker); ok && !m.help {
		next = widget.Sooner(next, s.NextTick(now))
	}
	if c := m.openChallenge(); c != nil {
		next = widget.Sooner(next, widget.Countdown(now, c.Until))
	}
	if said := m.env.Lobby.Announcement; said.Text != "" {
		next = widget.Sooner(next, announceTime-now.Sub(said.At))
	}
	return next
}
