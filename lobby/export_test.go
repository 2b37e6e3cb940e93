package lobby

import "broadside/match"

// Rest waits until the lobby has no goroutines and no timers. The lobby stays open.
func (l *Lobby) Rest() { l.work.Wait() }

// Side returns the side that the player will have: the player who waits defends.
func (o *Offer) Side() match.Side { return o.side }

// Player returns the player as the lobby knows them.
func (o *Offer) Player() Player { return o.player }
