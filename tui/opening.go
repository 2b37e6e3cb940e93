package tui

import (
	tea "charm.land/bubbletea/v2"

	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/component"
	"broadside/tui/screen"
)

// Opening is where a session begins. The zero value is the lobby.
type Opening struct {
	Room  string      // the code of a room to join
	Seat  string      // the resume code of a seat to take again
	Mine  bool        // the person's own match, even if another session plays it
	Play  bool        // play at once, a bot or the next who comes
	Bot   string      // with Play: the bot to play; empty: the next who comes
	Rules match.Rules // with Play
	// Stakes are chosen with Play.
	Stakes session.Stakes
	Daily  bool   // the sea of the day
	Watch  string // what to watch, see [session.WatchBy]; empty: nothing
}

// open goes to where the session begins, when it is called for the first time.
func (m *Model) open() tea.Cmd {
	o, env := m.opening, m.env
	m.opening = Opening{}
	switch {
	case o.Room != "":
		env.Do(session.JoinPrivate{Code: o.Room})
	case o.Seat != "":
		return screen.TakeSeat(env, o.Seat)
	case o.Mine:
		screen.Continue(env)
	case o.Watch != "":
		if env.Do(session.WatchBy{Text: o.Watch}) {
			// Not by spectate: a match between bots would be over by then.
			env.Watched = component.NewWatched(env.State.Watching, true)
			return m.Open(screen.NewWatch(env, env.Watched.ID))
		}
	case o.Daily:
		return m.Open(screen.NewDaily(env))
	case o.Play:
		return screen.Play(env, o.Bot, o.Rules, o.Stakes)
	}
	return nil
}
