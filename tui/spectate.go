package tui

import (
	tea "charm.land/bubbletea/v2"

	"broadside/tui/widget"
)

// spectate watches the match on the current screen and stops watching any other. It must be called
// after every message.
func (m *Model) spectate() tea.Cmd {
	env := m.env
	var want widget.Spectate
	if top, ok := m.top().(widget.Spectator); ok {
		want = top.Spectate()
		if !m.fits() && !want.Counted {
			want = widget.Spectate{}
		}
	}
	if want.Looking != m.looking {
		m.looking = want.Looking
		env.Session.ShowFeatured(m.looking)
		env.Sync()
	}
	w := env.Watched
	if w != nil && (w.ID != want.ID || w.Counted != want.Counted) {
		env.Watched = nil
		env.Session.StopWatching()
		env.Sync()
	}
	if env.Watched == nil && want.ID != "" {
		return m.watch(want)
	}
	return nil
}

// watch starts watching a match, and receives its first view for the next frame.
func (m *Model) watch(want widget.Spectate) tea.Cmd {
	env := m.env
	watch := env.Session.Preview
	if want.Counted {
		watch = env.Session.Watch
	}
	err := watch(want.ID)
	env.Sync()
	if err == nil {
		env.Watched = widget.NewWatched(env, env.State.Watching, want.Counted)
		return m.poll()
	}
	if want.Counted {
		m.Home(env.ErrorText(err))
		return m.spectate()
	}
	return nil // the lobby's next snapshot names another match
}
