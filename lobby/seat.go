package lobby

import (
	"broadside/lobby/chat"
	"broadside/match"
	"broadside/match/live"
)

// Seat is a player's seat in a match. After the match, the players agree on a rematch
// with it.
type Seat struct {
	*live.Seat
	Opponent Player
	Partner  *Seat // the opponent's, in a hot seat; else nil
	game     *game
}

// Rules returns the rules of the match, with its clock.
func (s *Seat) Rules() match.Rules { return s.game.rules }

// Stakes returns what the match is played for.
func (s *Seat) Stakes() Stakes {
	l := s.game.matches.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	return s.game.stakes
}

// Outcome returns what a match that has ended has led to. Mailboxes show the end of a
// match only after it is set. It is zero before, and while the database cannot be
// written.
func (s *Seat) Outcome() Outcome {
	l := s.game.matches.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	return s.game.outcome
}

// Code returns the resume code of the seat, with which a guest continues the match in
// another session; empty for players who need none.
func (s *Seat) Code() string {
	l := s.game.matches.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	return s.game.codes[s.Side()]
}

// Chat joins a session to the chat of the match.
func (s *Seat) Chat(m *Member) *chat.Place { return m.Chat.Join(&s.game.room, false) }
