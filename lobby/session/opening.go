package session

import (
	"broadside/lobby"
	"broadside/match"
)

// Opening is a frontend's starting point, unless the player has a running match. The zero
// value is the lobby.
type Opening struct {
	PrivateCode string       // the code of a private match to join
	Seat        string       // the resume code of a seat to take
	Mine        bool         // the player's own match, even if another session plays it
	Play        bool         // a match against Bot or the next available player
	Bot         string       // with Play: the bot; empty: the next available player
	Rules       match.Rules  // with Play
	Stakes      lobby.Stakes // with Play
	Daily       bool         // the daily puzzle
	Watch       string       // the match to watch; see [WatchBy]; empty: none
}

// IsLobby reports whether the frontend starts in the lobby.
func (o Opening) IsLobby() bool {
	return o.PrivateCode == "" && o.Seat == "" && !o.Mine && !o.Play && !o.Daily && o.Watch == ""
}
