package session

import (
	"context"
	"time"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/match/live"
)

// ErrNoMatch is returned for an action of a match by a session that plays none.
var ErrNoMatch = i18n.Errorf("you-are-not-in-a-match")

// Actions in a match. They return at once; their results, refusals included, arrive with
// [Session.Next]. Side is used in a hot seat only.
type (
	// Place places the fleet. The layout must not be changed afterwards.
	Place struct {
		Side   match.Side
		Layout match.Layout
	}
	// Fire fires the shots of a turn: at Cell and, if the turn has several shots, at
	// More. A program may fire some of them first, and the others with further actions.
	Fire struct {
		Side match.Side
		Cell match.Cell
		More []match.Cell `json:",omitempty"`
	}
	// Move moves a ship, or none: [match.Stay].
	Move struct {
		Side match.Side
		Move match.Move
	}
	// Confirm starts the turn clock of a side of a hot seat: its player has taken the
	// terminal.
	Confirm struct{ Side match.Side }
	// AcceptTimeout fires the random shot of a side of a hot seat whose time is up: its
	// player has seen that.
	AcceptTimeout struct{ Side match.Side }
	// Claim claims the win against an opponent who has been away too long.
	Claim struct{}
	// Resign resigns the match.
	Resign struct{ Side match.Side }
	// RemoveOpponent removes the opponent from a private match of the player's before
	// the battle begins. It ends without a result, and a new one is open with another
	// code: State.Offer, after a MatchLost.
	RemoveOpponent struct{}
	// Abort ends a match without a winner: one in a hot seat, or a program's while the
	// server shuts down.
	Abort struct{}
	// LeaveMatch leaves the seat. A running match continues without its player; after a
	// match it declines a rematch.
	LeaveMatch struct{}
)

func (a Place) do(ctx context.Context, s *Local) error {
	return s.command(ctx, a.Side, func(seat *live.Seat) { seat.Place(a.Layout) })
}

func (a Fire) do(ctx context.Context, s *Local) error {
	return s.command(ctx, a.Side, func(seat *live.Seat) { seat.Fire(append([]match.Cell{a.Cell}, a.More...)...) })
}

func (a Move) do(ctx context.Context, s *Local) error {
	return s.command(ctx, a.Side, func(seat *live.Seat) { seat.Sail(a.Move) })
}

func (a Confirm) do(ctx context.Context, s *Local) error {
	return s.command(ctx, a.Side, (*live.Seat).Confirm)
}

func (a AcceptTimeout) do(ctx context.Context, s *Local) error {
	return s.command(ctx, a.Side, (*live.Seat).Lapse)
}

func (Claim) do(ctx context.Context, s *Local) error {
	return s.command(ctx, match.First, (*live.Seat).Claim)
}

func (a Resign) do(ctx context.Context, s *Local) error {
	return s.command(ctx, a.Side, (*live.Seat).Resign)
}

func (RemoveOpponent) do(_ context.Context, s *Local) error {
	seat := s.seatOf(match.First)
	if seat == nil {
		return ErrNoMatch
	}
	return seat.Remove()
}

func (Abort) do(ctx context.Context, s *Local) error {
	seat := s.seatOf(match.First)
	if s.member != nil && seat != nil && seat.Partner == nil {
		return ErrForPrograms
	}
	return s.command(ctx, match.First, func(seat *live.Seat) { seat.Match().Abort() })
}

func (LeaveMatch) do(_ context.Context, s *Local) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leaveSeatsLocked()
	s.pending.wakeNext()
	return nil
}

// settleTime is how long a remote person waits for a command that cannot be saved. It is
// longer than it takes until the match is paused.
const settleTime = time.Second

// command calls give with the session's seat, in a hot seat with that of a side. A gateway
// repeats an action that was not confirmed, so actions of remote sessions return once
// their results are saved.
func (s *Local) command(ctx context.Context, side match.Side, give func(*live.Seat)) error {
	seat := s.seatOf(side)
	if seat == nil {
		return ErrNoMatch
	}
	give(seat.Seat.Seat)
	if !s.client.Remote {
		return nil
	}
	if s.member == nil {
		return seat.Settled(ctx)
	}
	settling, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	err := seat.Settled(settling)
	if err != nil && settling.Err() != nil && ctx.Err() == nil {
		return nil
	}
	return err
}

// seatOf returns the session's seat, in a hot seat that of a side; nil if there is none.
func (s *Local) seatOf(side match.Side) *seat {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seats.of(side)
}
