package session

import (
	"broadside/lobby"
	"broadside/match"
)

// StartScreen says what a frontend shows first, unless the player has a running match. The zero
// value is the lobby.
type StartScreen struct {
	// PrivateCode is the code of a private match to join.
	PrivateCode string
	// ResumeCode is the resume code of a seat to take.
	ResumeCode string
	// Rejoin continues the player's own match, even if another session plays it.
	Rejoin bool
	// Play starts a match against Bot or, without a name, against the next available player.
	Play       bool
	Bot        string
	Rules      match.Rules
	RatingMode lobby.RatingMode
	// Turn is a correspondence match to open, by its ID.
	Turn string
	// Daily opens the Daily sea.
	Daily bool
	// Puzzles opens today's puzzles.
	Puzzles bool
	// Watch is the match to watch, see [Session.FindAndWatch].
	Watch string
}

// IsLobby reports whether the frontend starts in the lobby.
func (s StartScreen) IsLobby() bool {
	return s.PrivateCode == "" && s.ResumeCode == "" && !s.Rejoin && !s.Play && s.Turn == "" && !s.Daily && !s.Puzzles &&
		s.Watch == ""
}
