package feed

import (
	"broadside/lobby"
	"broadside/lobby/account"
)

// PublicRunning returns a running match without the names of guests.
func PublicRunning(r lobby.Running) lobby.Running {
	for side, p := range r.Players {
		if IsGuest(p) {
			r.Players[side] = account.Player{Kind: p.Kind, Guest: true}
		}
	}
	return r
}

// IsGuest reports whether a player is a person without an account.
func IsGuest(p account.Player) bool { return p.Kind == account.Person && p.Account == "" }
