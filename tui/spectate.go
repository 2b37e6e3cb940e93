package tui

import (
	tea "charm.land/bubbletea/v2"

	"broadside/tui/widget"
)

// updateWatchedMatch watches the match on the current screen and stops watching any other. It must be called
// after every message.
func (m *Model) updateWatchedMatch() tea.Cmd {
	env := m.env
	var want widget.WatchTarget
	if top, ok := m.currentScreen().(widget.MatchSpectator); ok {
		want = top.WatchTarget()
		if !m.hasMinimumSize() && !want.Counted {
			want = widget.WatchTarget{}
		}
	}
	if want.KeepsFeatured != m.looking {
		m.looking = want.KeepsFeatured
		env.Session.ShowFeatured(m.looking)
		env.RefreshState()
	}
	w := env.Watched
	if w != nil && (w.ID != want.ID || w.Counted != want.Counted) {
		env.Watched = nil
		env.Session.StopWatching()
		env.RefreshState()
	}
	if env.Watched == nil && want.ID != "" {
		return m.startWatching(want)
	}
	return nil
}

// startWatching starts watching a match, and receives its first view for the next frame.
func (m *Model) startWatching(want widget.WatchTarget) tea.Cmd {
	env := m.env
	watch := env.Session.Preview
	if want.Counted {
		watch = env.Session.Watch
	}
	err := watch(want.ID)
	env.RefreshState()
	if err == nil {
		env.Watched = widget.NewWatchedMatch(env, env.State.Watching, want.Counted)
		return m.pollSession()
	}
	if want.Counted {
		m.LeaveToLobby(env.ErrorText(err))
		return m.updateWatchedMatch()
	}
	// The lobby's next snapshot names another match.
	return nil
}
