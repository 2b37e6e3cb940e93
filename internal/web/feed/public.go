package feed

import (
	"broadside/internal/session"
)

// PublicRunning returns a running match without the names of guests.
func PublicRunning(r session.Running) session.Running {
	for side, p := range r.Players {
		if IsGuest(p) {
			r.Players[side] = session.Player{Kind: p.Kind, Guest: true}
		}
	}
	return r
}

// IsGuest reports whether a player is a person without an account.
func IsGuest(p session.Player) bool { return p.Kind == session.Person && p.Account == "" }
