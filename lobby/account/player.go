package account

import "broadside/internal/store"

// Kind says how a player plays.
type Kind uint8

// The kinds of players.
const (
	Person  Kind = iota
	Program      // an external client that uses the line protocol
	Bot          // built in
)

// String returns the kind in lower case.
func (k Kind) String() string {
	switch k {
	case Program:
		return "program"
	case Bot:
		return "bot"
	}
	return "person"
}

// Player is a person, a program or a bot.
type Player struct {
	// ID identifies the player. That of an account never changes; guests get an ID
	// for one session.
	ID   string `json:",omitzero"`
	Name string `json:",omitzero"` // printable text of at most MaxName characters
	Kind Kind   `json:",omitzero"`
	// Account is the ID of the player's account in the store; empty without one.
	Account string `json:",omitzero"`
	// Owner is the account of the person who registered the program; else empty.
	Owner string `json:",omitzero"`
	// Guest says that only the resume code of a seat identifies the player in a
	// later session.
	Guest bool `json:",omitzero"`
	// Fixed says that the program places its fleets with the server or commits to
	// them before the first shot. Other programs play casual matches only.
	Fixed bool `json:",omitzero"`
}

// OfPerson returns a person's account as a player.
func OfPerson(p store.Player) Player { return Player{ID: p.ID, Account: p.ID, Name: p.Name} }

// OfProgram returns a registered program's account as a player.
func OfProgram(p store.Player) Player {
	return Player{ID: p.ID, Account: p.ID, Name: p.Name, Kind: Program, Owner: p.Owner}
}
