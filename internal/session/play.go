package session

import (
	"context"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/match/live"
)

// ErrNoMatch is returned for a match action by a session that plays no match.
var ErrNoMatch = i18n.Errorf("you-are-not-in-a-match")

// Match actions. They return at once; their results, including refusals, arrive through
// [Session.Poll]. Side is used only in a hot-seat match.
type (
	// Place places the fleet. The layout must not be modified afterwards.
	Place struct {
		Side   match.Side
		Layout match.Layout
	}
	// Fire fires the shots of a turn: at Cell and, if the turn has several shots, at
	// More. A program may split the shots of a turn between several actions.
	Fire struct {
		Side match.Side
		Cell match.Cell
		More []match.Cell
		// Seen is MatchUpdate.Seq as last shown to a person. If the person has fired at one
		// of the cells since then, this Fire repeats that turn, whose results were late, and
		// does nothing. 0: unknown.
		Seen int
	}
	// Move moves a ship, or none with [match.Stay].
	Move struct {
		Side match.Side
		Move match.Move
	}
	// Confirm starts the turn clock of a side in a hot-seat match, once its player has taken
	// over the terminal.
	Confirm struct{ Side match.Side }
	// AcceptTimeout fires the random shot of a side in a hot-seat match whose time ran out,
	// once its player has been told.
	AcceptTimeout struct{ Side match.Side }
	// Claim claims the win against an opponent who has been away too long.
	Claim struct{}
	// Resign resigns the match.
	Resign struct{ Side match.Side }
	// RemoveOpponent removes the opponent from the player's private match before the
	// battle begins. The match ends without a result. A new private match opens with
	// another code: MatchLost arrives, and State.Offer is set.
	RemoveOpponent struct{}
	// Abort ends a match without a winner. It is allowed in a hot-seat match, and for a program
	// while the server is shutting down.
	Abort struct{}
	// LeaveMatch leaves the seat. A running match continues without its player, except that a
	// guest's match against a bot ends if Quit is set, which means that the player does not plan to
	// return. After a match, LeaveMatch declines a rematch.
	LeaveMatch struct {
		Quit bool
	}
)

func (a Place) do(ctx context.Context, s *Local) error {
	return s.command(a.Side, func(seat *live.Seat) { seat.Place(a.Layout) })
}

func (a Fire) do(ctx context.Context, s *Local) error {
	return s.command(a.Side, func(seat *live.Seat) { seat.FireFrom(a.Seen, append([]match.Cell{a.Cell}, a.More...)...) })
}

func (a Move) do(ctx context.Context, s *Local) error {
	return s.command(a.Side, func(seat *live.Seat) { seat.Sail(a.Move) })
}

func (a Confirm) do(ctx context.Context, s *Local) error {
	return s.command(a.Side, (*live.Seat).Confirm)
}

func (a AcceptTimeout) do(ctx context.Context, s *Local) error {
	return s.command(a.Side, (*live.Seat).Lapse)
}

func (Claim) do(ctx context.Context, s *Local) error {
	return s.command(match.First, (*live.Seat).Claim)
}

func (a Resign) do(ctx context.Context, s *Local) error {
	return s.command(a.Side, (*live.Seat).Resign)
}

func (RemoveOpponent) do(ctx context.Context, s *Local) error {
	s.mu.Lock()
	seat := s.seats.of(match.First)
	s.removing = seat != nil
	s.mu.Unlock()
	if seat == nil {
		return ErrNoMatch
	}
	defer func() { // lets Poll return the end of the match again
		s.mu.Lock()
		defer s.mu.Unlock()
		s.removing = false
		s.pending.wake.Send()
	}()
	if err := seat.Remove(); err != nil {
		return err
	}
	if err := seat.Settled(ctx); err != nil {
		return err
	}
	select {
	case <-seat.Match().Done():
	default: // the battle has begun, so the match has refused the removal
		return nil
	}
	if seat.Match().Record().Reason != match.Removed { // the match ended at the same time
		return nil
	}
	s.mu.Lock()
	s.leaveSeatsLocked()
	s.mu.Unlock()
	err := s.openOffer(seat.Reopen(s.Player()))
	if err == nil {
		err = i18n.Errorf("you-have-removed-x-your", seat.Opponent.Name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending.addLocked(Update{Kind: MatchLost, Err: err})
	return nil
}

func (Abort) do(ctx context.Context, s *Local) error {
	seat := s.seatOf(match.First)
	if s.member != nil && seat != nil && seat.Partner == nil {
		return ErrForPrograms
	}
	return s.command(match.First, func(seat *live.Seat) { seat.Match().Abort() })
}

func (a LeaveMatch) do(_ context.Context, s *Local) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if seat := s.seats.first(); a.Quit && seat != nil {
		seat.Quit()
	}
	s.leaveSeatsLocked()
	s.pending.wake.Send()
	return nil
}

// command calls send with the session's seat, or with the seat of side in a hot-seat match.
func (s *Local) command(side match.Side, send func(*live.Seat)) error {
	seat := s.seatOf(side)
	if seat == nil {
		return ErrNoMatch
	}
	send(seat.Seat.Seat)
	return nil
}

// seatOf returns the session's seat, or the seat of side in a hot-seat match. It returns nil if
// there is none.
func (s *Local) seatOf(side match.Side) *seat {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seats.of(side)
}
