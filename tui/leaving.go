package tui

import (
	"strings"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/format"
)

// leaving is the question whether to give a match up, or to remove the opponent.
type leaving struct {
	asked    bool
	removing bool // the opponent, from the player's private room
}

// key handles the keys that have to do with leaving.
func (l *leaving) key(m *Model, key string) bool {
	switch {
	case l.asked && key == "y":
		l.asked = false
		if l.removing {
			m.do(session.RemoveOpponent{})
		} else {
			m.do(session.Resign{Side: m.game.side})
		}
	case l.asked && key == "ctrl+c":
		// Whoever asks twice wants out, now. A known person may come back.
		m.quit = true
	case l.asked:
		l.asked = false
	case key == "q" || key == "esc" || key == "ctrl+c":
		l.asked, l.removing = true, false
	case key == "m" && m.mayRemove():
		l.asked, l.removing = true, true
	default:
		return false
	}
	return true
}

// lines is the question, in lines of at most width; none if it is not asked.
func (l *leaving) lines(m *Model, width int) []string {
	if !l.asked {
		return nil
	}
	if l.removing {
		return format.Wrap(looks().warn.Render(m.lang.Say("Remove %s from your room?", m.game.opponent))+" "+m.lang.Say("Press y to remove them, any other key to play on."), width)
	}
	if Abortable(m.own.State().Stakes, &m.game.last.View) {
		return format.Wrap(looks().warn.Render(m.lang.Say("Abort this match?"))+" "+m.lang.Say("It does not count yet. Press y to abort it, any other key to play on."), width)
	}
	return format.Wrap(looks().warn.Render(m.lang.Say("Resign this match?"))+" "+m.lang.Say("Press y to resign, any other key to play on."), width)
}

// leavingHere is the question where there is no room for it below the boards, to
// be seen in place of a notice; nothing elsewhere.
func (m *Model) leavingHere() string {
	l := m.question()
	if m.height >= roomyHeight || l == nil || !l.asked {
		return ""
	}
	return strings.Join(l.lines(m, m.width), " ")
}

// leavingAsked tells whether the question is asked on this screen.
func (m *Model) leavingAsked() bool {
	l := m.question()
	return l != nil && l.asked
}

// question returns the question of this screen, asked or not; nil if it has none.
func (m *Model) question() *leaving {
	switch s := m.screen.(type) {
	case *battleScreen:
		return &s.leaving
	case *placeScreen:
		return &s.leaving
	}
	return nil
}

// mayRemove reports whether the player can remove the opponent from a private room
// of their own.
func (m *Model) mayRemove() bool {
	return m.game.about.Host && m.game.last.View.Phase == match.Placing
}

// removeHint is the key that removes the opponent, where that is possible.
func (m *Model) removeHint() []i18n.Text {
	if !m.mayRemove() {
		return nil
	}
	return []i18n.Text{"m", "remove the opponent"}
}

func (l *leaving) hints() []i18n.Text {
	if l.removing {
		return []i18n.Text{"y", "remove", "any other key", "play on"}
	}
	return []i18n.Text{"y", "resign", "ctrl+c", "leave at once", "any other key", "play on"}
}
