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

// changedMsg says that the session or a clock on the screen may have changed.
type changedMsg struct{}

// waitForChange is the command that waits for the next change. It ends with the session.
func (m *Model) waitForChange() tea.Msg {
	select {
	case <-m.env.Session.Changed():
	case <-m.alarm.C:
	case <-m.env.Ctx.Done():
	}
	return changedMsg{}
}

// scheduleRedraw marks the screen for redrawing if a change is due, and schedules the next change.
func (m *Model) scheduleRedraw() {
	now := time.Now()
	m.redraw = m.redraw || !m.next.IsZero() && !now.Before(m.next)
	next := m.timeToRedraw(now)
	if !m.env.Idle {
		next = widget.ShorterWait(next, m.env.LastKeyTime.Add(idleTime).Sub(now))
	}
	if next <= 0 {
		m.next = time.Time{}
		m.alarm.Stop()
		return
	}
	m.next = now.Add(next)
	m.alarm.Reset(next)
}

// pollSession applies what the session reports.
func (m *Model) pollSession() tea.Cmd {
	var cmds []tea.Cmd
	for {
		u, err := m.env.Session.Poll()
		if err != nil {
			m.ended = err
			return tea.Quit
		}
		if u.Kind == 0 {
			return tea.Batch(cmds...)
		}
		m.redraw = true
		cmds = append(cmds, m.receiveUpdate(u))
	}
}

// receiveUpdate applies a session update and passes it to all screens.
func (m *Model) receiveUpdate(u session.Update) tea.Cmd {
	env := m.env
	before, challenge := env.Lobby, m.challenge
	env.State = env.Session.State()
	m.openNewMatch()
	// Store both now, so that each change is noticed once.
	env.Lobby, m.challenge = env.State.Lobby, env.State.Challenge
	var cmds []tea.Cmd
	switch u.Kind {
	case session.LobbyChanged:
		news := env.Lobby
		said := news.Announcement
		if said != before.Announcement && time.Since(said.At) < announceTime {
			// Make room for the announcement.
			env.Notice = ""
		}
		if m.turnRevision != env.State.TurnRevision {
			m.turnRevision = env.State.TurnRevision
			cmds = append(cmds, env.ReadTurns())
		}
	case session.ChallengeChanged:
		c := m.shownChallenge()
		if c != nil && (challenge == nil || challenge.Offer != c.Offer) {
			return env.RingBell()
		}
	case session.OfferEnded:
		m.handleOfferError(u.Err)
	case session.MatchLost:
		m.handleLostMatch(u.Err)
	case session.OpponentRemoved:
		m.handleRemovedOpponent(u)
	case session.WatchChanged:
		w := env.Watched
		if w != nil && u.ID == w.ID {
			w.Receive(u.Match)
		}
	case session.ChatChanged:
		env.LobbyChat.Receive(u, time.Now())
		w := env.Watched
		if w != nil {
			w.Chat.Receive(u, time.Now())
		}
	}
	for _, s := range m.screens {
		cmds = append(cmds, s.Update(u))
	}
	return tea.Batch(cmds...)
}

// handleOfferError shows why an offer failed.
func (m *Model) handleOfferError(err error) {
	switch {
	case err == nil:
	case m.env.State.Match != nil:
		m.env.Notice = m.env.ErrorText(err)
	default:
		m.LeaveToLobby(m.env.ErrorText(err))
	}
}

// handleLostMatch leaves a match that no longer belongs to this session.
func (m *Model) handleLostMatch(err error) {
	paced := m.match != nil && m.match.Pace > 0
	// The lobby offers to continue the match.
	m.LeaveToLobby("")
	switch {
	case paced && errors.Is(err, live.ErrReplaced):
		m.env.Notice = m.env.Lang.Text("You opened this match in another session.")
	case !errors.Is(err, live.ErrReplaced):
		m.env.Notice = m.env.ErrorText(err)
	case m.env.Session.Occupancy() == lobby.NoSeat:
		m.env.Notice = m.env.Lang.Text("Another session took over your seat with its resume code.")
	}
}

// handleRemovedOpponent shows the player's private match, which is open again, or why it is not.
func (m *Model) handleRemovedOpponent(u session.Update) {
	m.LeaveToLobby("")
	if u.Err != nil {
		m.env.Notice = m.env.ErrorText(u.Err)
		return
	}
	m.Replace(screen.NewWaiting(m.env))
	m.env.Notice = m.env.Lang.Text("You removed %s: your private match is open again.", text.CleanName(u.Name))
}

// timeToRedraw returns the time until the screen next changes on its own because of the
// work indicator, a clock, a notice or an announcement. It returns 0 if nothing will
// change, so that an idle screen costs nothing.
func (m *Model) timeToRedraw(now time.Time) time.Duration {
	next := m.noticeTimeLeft(now)
	if working, ok := m.env.Work.TimeToChange(now); ok {
		next = widget.ShorterWait(next, working)
	}
	if s, ok := m.currentScreen().(widget.Ticker); ok && !m.help {
		next = widget.ShorterWait(next, s.NextTick(now))
	}
	c := m.shownChallenge()
	if c != nil {
		next = widget.ShorterWait(next, widget.TimeToClockChange(now, c.Expires))
	}
	said := m.env.Lobby.Announcement
	if said.Text != "" {
		next = widget.ShorterWait(next, announceTime-now.Sub(said.At))
	}
	return next
}
