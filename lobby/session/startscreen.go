package session

import (
	"broadside/lobby"
	"broadside/match"
)

// StartScreen is a frontend's starting point, unless the player has a running match. The zero
// value is the lobby.
type StartScreen struct {
	PrivateCode string           // the code of a private match to join
	ResumeCode  string           // the resume code of a seat to take
	Rejoin      bool             // the player's own match, even if another session plays it
	Play        bool             // a match against Bot or the next available player
	Bot         string           // with Play: the bot; empty: the next available player
	Rules       match.Rules      // with Play
	RatingMode  lobby.RatingMode // with Play
	Daily       bool             // the daily puzzle
	Watch       string           // the match to watch; see [FindAndWatch]; empty: none
}

// IsLobby reports whether the frontend starts in the lobby.
func (o StartScreen) IsLobby() bool {
	return o.PrivateCode == "" && o.ResumeCode == "" && !o.Rejoin && !o.Play && !o.Daily && o.Watch == ""
}
