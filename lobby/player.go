package lobby

import (
	"time"

	"broadside/match/live"
)

// Kind is how a player plays.
type Kind uint8

// The kinds of players.
const (
	Person  Kind = iota // at a screen
	Program             // on the line protocol
	Bot                 // built in
)

// String is the kind in a word.
func (k Kind) String() string {
	switch k {
	case Program:
		return "program"
	case Bot:
		return "bot"
	}
	return "person"
}

// Player is somebody who plays, or might.
type Player struct {
	// ID is the same whenever the same player comes: the fingerprint of a
	// person's key. Empty for guests, who get an ID for this one visit.
	ID   string `json:",omitzero"`
	Name string `json:",omitzero"` // clean text of at most 16 characters
	Kind Kind   `json:",omitzero"`
	// Account is the ID of the player's account in the store. Empty for who has
	// none, and in a lobby without a store.
	Account string `json:",omitzero"`
	// Owner is the account of who has registered a program; else empty.
	Owner string `json:",omitzero"`
	// Guest is a player that cannot be recognised when it comes back, but by
	// the code of its seat in a match: see [Seat.Code].
	Guest bool `json:",omitzero"`
	// Fixed programs place their fleets with the server or commit to them before
	// the first shot. Others play casual matches only.
	Fixed bool `json:",omitzero"`
}

// seat is what holds for a player in a match. This is the one place where the
// kinds of players differ in a match.
func (c Config) seat(p Player) live.SeatConfig {
	s := live.SeatConfig{Name: p.Name}
	switch p.Kind {
	case Person:
		s.Clocked, s.PlaceTimeout = true, c.PlaceTimeout
		s.Grace, s.Claims = c.Grace, true
	case Program:
		s.Strict, s.NoEcho, s.MoveTimeout, s.FirstMoveTimeout = true, true, c.MoveTimeout, c.FirstMoveTimeout
	}
	return s
}

// The times that hold unless the [Config] gives others.
const (
	DefaultGrace        = time.Minute
	DefaultPlaceTimeout = 5 * time.Minute
	DefaultMoveTimeout  = 5 * time.Minute
	DefaultFirstMove    = 30 * time.Second
	DefaultAnswerTime   = 30 * time.Second
	DefaultBotPace      = 700 * time.Millisecond
)
