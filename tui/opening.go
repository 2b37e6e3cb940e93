package tui

import (
	"broadside/internal/session"
	"broadside/match"
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
