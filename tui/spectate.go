package tui

import (
	"broadside/tui/widget"
)

// spectating tracks the match that the session watches.
type spectating struct {
	*router
	looking bool // the session keeps the featured match running
}

// spectate watches the match on the current screen and stops watching any other. It reports
// whether it has begun to watch a match. It must be called after every message.
func (s *spectating) spectate(fits bool) (begun bool) {
	var want widget.Spectate
	if top, ok := s.top().(widget.Spectator); ok {
		want = top.Spectate()
		if !fits && !want.Counted {
			want = widget.Spectate{}
		}
	}
	env := s.env
	if want.Looking != s.looking {
		s.looking = want.Looking
		env.Session.ShowFeatured(s.looking)
		env.Sync()
	}
	if w := env.Watched; w != nil && (w.ID != want.ID || w.Counted != want.Counted) {
		env.Watched = nil
		env.Session.Unwatch()
		env.Sync()
	}
	if env.Watched == nil && want.ID != "" {
		s.watch(want)
		return env.Watched != nil
	}
	return false
}

// watch starts watching a match.
func (s *spectating) watch(want widget.Spectate) {
	env := s.env
	watch := env.Session.Preview
	if want.Counted {
		watch = env.Session.Watch
	}
	err := watch(want.ID)
	env.Sync()
	switch {
	case err == nil:
		env.Watched = widget.NewWatched(env, env.State.Watching, want.Counted)
	case want.Counted:
		s.Home(env.ErrorText(err))
		s.spectate(true)
	} // otherwise the lobby's next snapshot names another match
}
