package session

import (
	"context"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/match"
)

// ErrNoMatch is returned for a match action by a session that plays no match.
var ErrNoMatch = i18n.Errorf("you are not in a match")

// The match actions below return immediately. Their results, including refusals, arrive through
// [Session.Poll]. The parameter side matters only in a hot-seat match.

// Place places the fleet. The layout must not be modified afterwards.
func (s *Session) Place(side match.Side, layout match.Layout) error {
	return s.actOnSeat(side, func(seat *lobby.Seat) { seat.Place(layout) })
}

// Fire fires a turn's shots at cells. A program may split a turn's shots between several calls.
// seen is the [live.Update.Seq] that the player saw last, or 0. If one of the cells has been fired
// at since then, the player is repeating a turn whose results were late, so Fire does nothing.
func (s *Session) Fire(side match.Side, seen int, cells ...match.Cell) error {
	return s.actOnSeat(side, func(seat *lobby.Seat) { seat.FireFrom(seen, cells...) })
}

// Move moves a ship, or none with [match.Stay].
func (s *Session) Move(side match.Side, move match.Move) error {
	return s.actOnSeat(side, func(seat *lobby.Seat) { seat.Move(move) })
}

// ConfirmHandover starts the turn clock of a side in a hot-seat match, once its player has taken
// over the terminal.
func (s *Session) ConfirmHandover(side match.Side) error {
	return s.actOnSeat(side, func(seat *lobby.Seat) { seat.ConfirmTurn() })
}

// AcceptTimeout fires a random shot for a side in a hot-seat match whose time ran out, once its
// player has been told.
func (s *Session) AcceptTimeout(side match.Side) error {
	return s.actOnSeat(side, func(seat *lobby.Seat) { seat.FireRandomShots() })
}

// ClaimWin claims the win against an opponent who has been away too long.
func (s *Session) ClaimWin() error {
	return s.actOnSeat(match.First, func(seat *lobby.Seat) { seat.Claim() })
}

// Resign resigns the match.
func (s *Session) Resign(side match.Side) error {
	return s.actOnSeat(side, func(seat *lobby.Seat) { seat.Resign() })
}

// RemoveOpponent removes the opponent from the player's private match before the battle starts. The
// match ends without a result, and a new private match opens with another code. OpponentRemoved
// then arrives, and State.Offer is set.
func (s *Session) RemoveOpponent(ctx context.Context) error {
	seat, err := s.findSeat(match.First)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.removing = true
	s.mu.Unlock()
	// Poll does not return the match's end while removing is set.
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.removing = false
		s.pending.wake.Send()
	}()
	if err := seat.RemoveOpponent(); err != nil {
		return err
	}
	if err := seat.WaitForCommands(ctx); err != nil {
		return err
	}
	select {
	case <-seat.Match().Done():
	default: // The battle has started, so the match has refused the removal.
		return nil
	}
	// The match may have ended for another reason at the same time.
	if seat.Match().WaitForRecord().Reason != match.Removed {
		return nil
	}
	s.mu.Lock()
	s.leaveSeatsLocked()
	s.mu.Unlock()
	err = s.setOffer(seat.ReopenPrivateMatch(s.Player()))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending.addLocked(Update{Kind: OpponentRemoved, Name: seat.Opponent.Name, Err: err})
	return nil
}

// AbortMatch ends a match without a winner. It is allowed in a hot-seat match, and for a program
// while the server is shutting down.
func (s *Session) AbortMatch() error {
	return s.actOnSeat(match.First, func(seat *lobby.Seat) { seat.Match().Abort() })
}

// LeaveMatch leaves the seat. A running match continues without its player. quit says that the
// player does not plan to return, and ends a guest's match against a bot. After a match, LeaveMatch
// declines a rematch.
func (s *Session) LeaveMatch(quit bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seat := s.seats.first()
	if quit && seat != nil {
		seat.held.ForfeitPractice()
	}
	s.leaveSeatsLocked()
	s.pending.wake.Send()
}

// actOnSeat calls act with the seat that findSeat returns.
func (s *Session) actOnSeat(side match.Side, act func(*lobby.Seat)) error {
	seat, err := s.findSeat(side)
	if err != nil {
		return err
	}
	act(seat)
	return nil
}

// findSeat returns the session's seat or, in a hot-seat match, side's seat. The error is
// ErrNoMatch, or why an operator has ended the session.
func (s *Session) findSeat(side match.Side) (*lobby.Seat, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil {
		return nil, s.ended
	}
	seat := s.seats.find(side)
	// If the seat has another mailbox, the player has taken it in another session.
	if seat == nil || !seat.held.IsAttachedTo(seat.box) {
		return nil, ErrNoMatch
	}
	return seat.held, nil
}
