package feed

import (
	"broadside/lobby"
	"broadside/lobby/account"
)

// PublicRunning returns a running match with another name of the guests in it.
func PublicRunning(r lobby.RunningMatch, guest string) lobby.RunningMatch {
	for side, p := range r.Players {
		if IsGuest(p) {
			r.Players[side] = account.Player{Kind: p.Kind, Guest: true, Name: guest}
		}
	}
	return r
}

// IsGuest reports whether a player is a person without an account.
func IsGuest(p account.Player) bool { return p.Kind == account.Person && p.Account == "" }
