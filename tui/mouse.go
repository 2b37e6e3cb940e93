package tui

import (
	tea "charm.land/bubbletea/v2"

	"broadside/tui/term"
	"broadside/tui/widget"
)

// handleMouse handles mouse events: zones first, the rest goes to the current screen. It
// resolves positions against the last frame, which is what the player saw.
func (m *Model) handleMouse(msg tea.MouseMsg) tea.Cmd {
	if !m.isMouseAllowed() {
		return nil
	}
	e := msg.Mouse()
	m.pointer = pointer{x: e.X, y: e.Y, on: true}
	zone, ok := m.pointer.findZone(&m.frame)
	click, isClick := msg.(tea.MouseClickMsg)
	if isClick && click.Button == tea.MouseLeft {
		m.clearNotice()
		switch {
		case ok:
			// The key belongs to the screen below the help page.
			if m.help && zone.Line < m.height-1 {
				m.showHelp(false)
			}
			return m.clickZone(zone)
		case m.help:
			m.showHelp(false)
			return nil
		}
	}
	if m.help || !m.frame.mouse || m.typingMode() == widget.AllText {
		if _, ok := msg.(tea.MouseWheelMsg); ok {
			return m.handleWheel(e)
		}
		return nil
	}
	return m.sendMouseToScreen(msg, e)
}

// clickZone acts as a click on a zone.
func (m *Model) clickZone(z term.Zone) tea.Cmd {
	if z.Key != "" {
		return m.handleKey(widget.NewKeyPress(z.Key))
	}
	return m.currentScreen().Update(widget.Pick{Item: z.Item})
}

// handleWheel turns the wheel into keys that move in a list.
func (m *Model) handleWheel(e tea.Mouse) tea.Cmd {
	key := map[tea.MouseButton]string{tea.MouseWheelUp: "up", tea.MouseWheelDown: "down"}[e.Button]
	switch {
	case key == "":
		return nil
	case m.help:
		m.scroll += map[string]int{"up": -1, "down": 1}[key]
		return nil
	case m.typingMode() == widget.AllText:
		return nil
	}
	return m.handleKey(widget.NewKeyPress(key))
}

// sendMouseToScreen passes a mouse event to a screen with boards.
func (m *Model) sendMouseToScreen(msg tea.MouseMsg, e tea.Mouse) tea.Cmd {
	to := widget.MouseEvent{X: e.X - m.frame.left, Y: e.Y - m.frame.top}
	switch msg.(type) {
	case tea.MouseClickMsg:
		switch e.Button {
		case tea.MouseLeft:
			to.Action = widget.MousePress
		case tea.MouseRight:
			m.clearNotice()
			to.Action = widget.MouseRotate
		default:
			return nil
		}
	case tea.MouseReleaseMsg:
		to.Action = widget.MouseRelease
	case tea.MouseWheelMsg:
		to.Action = widget.MouseRotate
	case tea.MouseMotionMsg:
		to.Action = widget.MouseMove
		if e.Button == tea.MouseLeft {
			to.Action = widget.MouseDrag
		}
	}
	return m.currentScreen().Update(to)
}

// isMouseAllowed reports whether mouse events are accepted now.
func (m *Model) isMouseAllowed() bool { return m.hasMinimumSize() && !m.preferences.NoMouse }
