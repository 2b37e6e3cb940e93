package lobby

import (
	"math/rand/v2"
	"time"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/lobby/chat"
	"broadside/match"
	"broadside/match/live"
)

// Seat is a player's seat in a match. After the match, the players use their seats to
// agree on a rematch.
type Seat struct {
	*live.Seat
	Opponent account.Player
	// Partner is the opponent's seat in a hot-seat match, and otherwise nil.
	Partner *Seat
	game    *game
}

// Rules returns the match's rules, with its clock.
func (s *Seat) Rules() match.Rules { return s.game.rules }

// Pace returns the time for each turn of a correspondence match, or 0 for other matches.
func (s *Seat) Pace() time.Duration { return s.game.pace }

// RatingMode returns the rating mode of the match: rated, or casual for a reason.
func (s *Seat) RatingMode() RatingMode {
	l := s.game.matches.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	return s.game.ratingMode
}

// Outcome returns the match's outcome. It is set before mailboxes show the match's end, and zero
// until then and while the database is unavailable.
func (s *Seat) Outcome() Outcome {
	l := s.game.matches.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	o := s.game.outcome
	o.Score = s.game.score
	return o
}

// Detach is [live.Seat.Detach]. A shutdown does not wait for matches that all players have left.
func (s *Seat) Detach(b *live.Mailbox) {
	s.Seat.Detach(b)
	l := s.game.matches.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	s.game.lastUse = time.Now()
	l.signalIdleLocked()
}

// ForfeitPractice ends a guest's match against a bot, because the guest will not return. It does
// nothing in other matches.
func (s *Seat) ForfeitPractice() {
	l := s.game.matches.lobby
	l.mu.Lock()
	players := s.game.players
	l.mu.Unlock()
	side := s.Side()
	if isPractice(players[side], players[side.Other()]) {
		s.Forfeit(match.Left)
	}
}

// ErrNotHost is returned to a player who may not remove the opponent.
var ErrNotHost = i18n.Errorf("you can remove opponents only from your own private match")

// IsHost reports whether the seat's player hosts this private match and may therefore
// remove the opponent until the battle starts.
func (s *Seat) IsHost() bool { return s.game.private && s.Side() == s.game.host }

// RemoveOpponent removes the opponent from the player's private match, which ends without a result.
// It returns [ErrNotHost] to other players. Once the battle has started, the seat's mailbox refuses
// the removal with [match.ErrRemoval].
func (s *Seat) RemoveOpponent() error {
	if !s.IsHost() {
		return ErrNotHost
	}
	s.Seat.Remove()
	return nil
}

// ReopenPrivateMatch opens a private match like this one. It has a new code, because the removed
// opponent knows the old one.
func (s *Seat) ReopenPrivateMatch(p account.Player) (*Offer, error) {
	return s.game.matches.lobby.Offers.OpenPrivateMatch(p, s.game.rules, s.game.choice)
}

// JoinChat adds a session to the match's chat.
func (s *Seat) JoinChat(m *Member) *chat.Participant { return m.Chat.Join(&s.game.room, false) }

// NewSpeaker returns what chooses a bot opponent's remarks. Each call starts with the same
// choices.
func (s *Seat) NewSpeaker() *bots.Speaker {
	seed := s.game.botSeed
	return bots.NewSpeaker(s.Opponent.Name, rand.New(rand.NewPCG(seed[1], seed[0])))
}
