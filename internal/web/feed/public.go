package feed

import (
	"broadside/lobby"
	"broadside/lobby/account"
)

// ReplaceGuestNames returns a running match in which guests have the given name.
func ReplaceGuestNames(r lobby.RunningMatch, name string) lobby.RunningMatch {
	for side, p := range r.Players {
		if IsGuest(p) {
			r.Players[side] = account.Player{Kind: p.Kind, Guest: true, Name: name}
		}
	}
	return r
}

// IsGuest reports whether a player has no account and is no program or bot.
func IsGuest(p account.Player) bool { return p.Kind == account.Person && p.Account == "" }
