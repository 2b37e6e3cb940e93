package account

import (
	"crypto/sha256"
	"fmt"

	"broadside/internal/store"
	"broadside/match"
)

// Kind is the kind of a player.
type Kind uint8

// The kinds of players.
const (
	Person Kind = iota
	// A Program is an external client that uses the line protocol.
	Program
	// A Bot is built in.
	Bot
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
	// ID identifies the player. An account's ID never changes. A player with a key but without an
	// account has the ID of [KeyPlayer]. Other guests get an ID for one session.
	ID string `json:",omitzero"`
	// Name is printable text of at most MaxName characters.
	Name string `json:",omitzero"`
	Kind Kind   `json:",omitzero"`
	// Account is the ID of the player's account in the store, or "" without one.
	Account string `json:",omitzero"`
	// Owner is the account of the player who registered the program. It is empty for other players.
	Owner string `json:",omitzero"`
	// Guest reports that a later session can identify the player only by the resume code
	// of a seat.
	Guest bool `json:",omitzero"`
	// Fixed reports that the program leaves its fleets to the server, which has them
	// before the first shot. Other programs can play casual matches only.
	Fixed bool `json:",omitzero"`
	// Silent reports that the program has no account and has not sent anything. Its offers come
	// after those of all other players.
	Silent bool `json:",omitzero"`
	// Returns reports that the program takes its seat again if it loses its connection.
	Returns bool    `json:",omitzero"`
	Ratings Ratings `json:",omitzero"`
}

// Rating returns the player's rating under rules, as displayed, or "" if there is none.
func (p Player) Rating(r match.Rules) string { return p.Ratings.Get(r.Name) }

// PersonPlayer returns the player for a person's account.
func PersonPlayer(p store.Player) Player { return Player{ID: p.ID, Account: p.ID, Name: p.Name} }

// ProgramPlayer returns the player for a registered program's account.
func ProgramPlayer(p store.Player) Player {
	return Player{ID: p.ID, Account: p.ID, Name: p.Name, Kind: Program, Owner: p.Owner}
}

// KeyPlayer returns the player with a key but without an account. Others see the player's ID, so it
// is a hash of the fingerprint.
func KeyPlayer(fingerprint string) Player {
	return Player{ID: fmt.Sprintf("key-%x", sha256.Sum256([]byte(fingerprint)))}
}
