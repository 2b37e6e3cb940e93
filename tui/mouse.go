package tui

import (
	tea "charm.land/bubbletea/v2"

	"broadside/tui/component"
)

// mouse passes mouse events to the current screen. It resolves positions against the
// last frame, which is what the player saw.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if !m.frame.mouse || !m.mouseAllowed() {
		return nil
	}
	e := msg.Mouse()
	to := component.Mouse{X: e.X - m.frame.left, Y: e.Y - m.frame.top}
	switch msg.(type) {
	case tea.MouseClickMsg:
		switch e.Button {
		case tea.MouseLeft:
			to.Action = component.MousePress
		case tea.MouseRight:
			to.Action = component.MouseTurn
		default:
			return nil
		}
		m.endNotice()
	case tea.MouseReleaseMsg:
		to.Action = component.MouseRelease
	case tea.MouseWheelMsg:
		to.Action = component.MouseTurn
	case tea.MouseMotionMsg:
		to.Action = component.MouseMove
		if e.Button == tea.MouseLeft {
			to.Action = component.MouseDrag
		}
	}
	for _, z := range m.frame.zones {
		if to.Action == component.MousePress && to.Y == z.Line && to.X >= z.Left && to.X < z.Left+z.Width {
			return m.top().Update(component.KeyPress(z.Key))
		}
	}
	return m.top().Update(to)
}

// mouseAllowed reports whether mouse events are accepted now.
func (m *Model) mouseAllowed() bool {
	return m.fits() && !m.help && m.typing() != component.AllText && !m.choice.NoMouse
}
