package tui

import (
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/tui/term"
	"broadside/tui/widget"
)

// handleKey handles a key press. Keys that are not global carry out an action of the current screen, or go
// to its Update.
func (m *Model) handleKey(msg tea.KeyPressMsg) tea.Cmd {
	m.env.LastKeyTime, m.env.Idle = time.Now(), false
	if !m.hasMinimumSize() {
		return m.handleUnseenKey(msg)
	}
	m.leaveAsked = false
	m.clearNotice()
	b := m.frame.boards
	if b != nil {
		b.EndAnimations()
	}
	if m.typingMode() == widget.NoText {
		msg = toLatinKey(msg)
	}
	if cmd, done := m.handleGlobalKey(msg.String()); done {
		return cmd
	}
	if cmd, done := widget.RunAction(msg, m.currentScreen().Actions()); done {
		return cmd
	}
	by := map[string]int{"up": -1, "down": 1}[msg.String()]
	if m.frame.isCut && m.typingMode() == widget.NoText {
		m.scroll += by
	}
	return m.currentScreen().Update(msg)
}

// handleGlobalKey handles a key that means the same on all screens. It reports whether it is one.
func (m *Model) handleGlobalKey(key string) (cmd tea.Cmd, done bool) {
	typing := m.typingMode()
	banner, hasBanner := m.currentScreen().(widget.BannerScreen)
	switch {
	case typing == widget.AllText:
		return nil, false
	case typing == widget.NoText && m.answerChallenge(key), hasBanner && banner.AnswerBanner(key):
		return nil, true
	case m.help && key != "pgdown" && key != "pgup":
		m.showHelp(false)
		return nil, true
	}
	switch key {
	case "?":
		m.showHelp(true)
		return nil, true
	case "pgdown":
		m.scroll += m.bodyHeight(m.bannerLine()) - 1
	case "pgup":
		m.scroll -= m.bodyHeight(m.bannerLine()) - 1
	case "ctrl+c":
		if s, ok := m.currentScreen().(widget.Interrupter); ok {
			return s.Interrupt(), true
		}
		return tea.Quit, true
	}
	return nil, false
}

// toLatinKey returns the key press that a key on a keyboard with other letters stands for.
func toLatinKey(msg tea.KeyPressMsg) tea.KeyPressMsg {
	r, size := utf8.DecodeRuneInString(msg.Text)
	key := term.LatinKey(r)
	if size == len(msg.Text) && size > 1 && key != r {
		return widget.NewKeyPress(string(key))
	}
	return msg
}

// handleUnseenKey handles a key while the terminal is too small. It never passes the key to
// a screen that the player cannot see.
func (m *Model) handleUnseenKey(msg tea.KeyPressMsg) tea.Cmd {
	leaves := msg.String() == "ctrl+c"
	if leaves && m.isPlaying() && !m.leaveAsked {
		m.leaveAsked = true
		return nil
	}
	if m.leaveAsked = false; leaves {
		m.env.Session.LeaveMatch(true)
		m.env.RefreshState()
		return tea.Quit
	}
	return nil
}

// shownChallenge returns the challenge on the screen, or nil if there is none. It
// always returns nil during a match with a turn clock.
func (m *Model) shownChallenge() *lobby.Challenge {
	if m.isPlaying() && m.match.Pace == 0 {
		return nil
	}
	return m.challenge
}

// answerChallenge handles the keys that answer a challenge.
func (m *Model) answerChallenge(key string) bool {
	c := m.shownChallenge()
	switch {
	case c == nil:
		return false
	case key == "y":
		m.env.CheckAction(m.env.Session.AcceptOffer(c.Offer))
	case key == "n":
		m.env.Session.DeclineChallenge(c.Offer)
		m.env.RefreshState()
	default:
		return false
	}
	// The lobby's next update confirms this.
	m.challenge = nil
	return true
}

// handlePaste passes pasted text to the current screen. Pasted text never acts as keys. Text that the screen
// does not accept is dropped.
func (m *Model) handlePaste(msg tea.PasteMsg) tea.Cmd {
	if !m.hasMinimumSize() {
		return nil
	}
	m.clearNotice()
	s, ok := m.currentScreen().(widget.Paster)
	if m.help || m.typingMode() == widget.NoText && !(ok && s.AcceptsPaste()) {
		m.env.Notice = m.env.Lang.Text("Pasted text is ignored here.")
		return nil
	}
	return m.currentScreen().Update(msg)
}
