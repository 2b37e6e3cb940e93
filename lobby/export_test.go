package lobby

import "broadside/lobby/account"

// Rest waits until the lobby has no goroutines and no timers. The lobby stays open.
func (l *Lobby) Rest() { l.work.Wait() }

// Waits reports whether the offer is still open.
func (o *Offer) Waits() bool {
	o.lobby.mu.Lock()
	defer o.lobby.mu.Unlock()
	return !o.closed
}

// Player returns the player as the lobby knows them.
func (o *Offer) Player() account.Player { return o.player }
