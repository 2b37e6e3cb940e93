package tui

import (
	"strings"

	"broadside/internal/session"
	"broadside/words"
)

// leaving is the question whether to give a match up.
type leaving struct{ asked bool }

// key handles the keys that have to do with leaving.
func (l *leaving) key(m *Model, key string) bool {
	switch {
	case l.asked && key == "y":
		l.asked = false
		m.do(session.Resign{Side: m.game.side})
	case l.asked && key == "ctrl+c":
		// Whoever asks twice wants out, now. A known person may come back.
		m.quit = true
	case l.asked:
		l.asked = false
	case key == "q" || key == "esc" || key == "ctrl+c":
		l.asked = true
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
	if Abortable(m.own.State().Stakes, &m.game.last.View) {
		return wrap(looks().warn.Render(m.lang.Say("Abort this match?"))+" "+m.lang.Say("It does not count yet. Press y to abort it, any other key to play on."), width)
	}
	return wrap(looks().warn.Render(m.lang.Say("Resign this match?"))+" "+m.lang.Say("Press y to resign, any other key to play on."), width)
}

// leavingHere is the question where there is no room for it below the boards, to
// be seen in place of a notice; nothing elsewhere.
func (m *Model) leavingHere() string {
	if m.height >= roomyHeight || !m.leavingAsked() {
		return ""
	}
	l := leaving{asked: true}
	return strings.Join(l.lines(m, m.width), " ")
}

// leavingAsked tells whether the question is asked on this screen.
func (m *Model) leavingAsked() bool {
	switch s := m.screen.(type) {
	case *battleScreen:
		return s.leaving.asked
	case *placeScreen:
		return s.leaving.asked
	}
	return false
}

func (l *leaving) hints() []words.Text {
	return []words.Text{"y", "resign", "ctrl+c", "leave at once", "any other key", "play on"}
}
