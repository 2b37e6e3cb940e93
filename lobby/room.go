package lobby

import (
	"broadside/internal/i18n"
	"broadside/match"
)

// ErrNotOwner is returned to a player who may not remove the opponent.
var ErrNotOwner = i18n.Errorf("you can remove opponents only from a private room of your own")

// OwnsRoom reports whether the match began in the private room of the seat's
// player, who may remove the opponent until the battle begins.
func (s *Seat) Hosts() bool { return s.game.private && s.Seat.Side() == match.First }

// Remove removes the opponent from the player's private room, which ends the match
// without a result. The seat's mailbox says whether it did: once the battle has
// begun it is refused with [match.ErrRemoval]. The error is [ErrNotOwner].
func (s *Seat) Remove() error {
	if !s.Hosts() {
		return ErrNotOwner
	}
	s.Seat.Remove()
	return nil
}

// Reopen opens the room of a match that has ended to others. It has a new code,
// since the opponent knows the former one.
func (s *Seat) Reopen(p Player) (*Offer, error) {
	return s.rematch.lobby.OpenPrivate(p, s.game.rules, s.game.choice)
}

// done reports whether the match has ended, whether or not the lobby has forgotten
// it.
func (g *game) done() bool {
	select {
	case <-g.match.Done():
		return true
	default:
		return false
	}
}
