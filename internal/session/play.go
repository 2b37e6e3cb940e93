package session

import (
	"context"
	"time"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/match/live"
)

// ErrNoMatch is returned for an action of a match by a session that plays none.
var ErrNoMatch = i18n.Errorf("you are not in a match")

// Actions in a match. They return at once; what comes of them, a refusal
// included, arrives with [Session.Next]. Side matters in a hot seat only.
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
	// Move moves a ship, or leaves the fleet where it is: [match.Stay].
	Move struct {
		Side match.Side
		Move match.Move
	}
	// Confirm says that the player of a hot seat has taken the terminal, which
	// starts their turn clock.
	Confirm struct{ Side match.Side }
	// Lapse says that the player of a hot seat has seen that time is up: the
	// random shot is fired.
	AcceptTimeout struct{ Side match.Side }
	// Claim claims the win against an opponent who has been away too long.
	Claim struct{}
	// Resign gives the match up.
	Resign struct{ Side match.Side }
	// RemoveOpponent removes the opponent from the player's own private room before
	// the battle begins, see [Match]. The match ends without a result, and the room
	// is open again with a new code: State.Offer, after a MatchLost.
	RemoveOpponent struct{}
	// BreakOff ends a match without a winner: one in a hot seat, or a program's
	// while the server shuts down.
	Abort struct{}
	// LeaveMatch leaves the seat, or the place where a rematch would be agreed
	// on. A running match goes on without its player.
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
	s.mu.Lock()
	held := s.seatLocked()
	s.mu.Unlock()
	if held == nil {
		return ErrNoMatch
	}
	return held.Remove()
}

func (Abort) do(ctx context.Context, s *Local) error {
	s.mu.Lock()
	held := s.seatLocked()
	s.mu.Unlock()
	if s.member != nil && held != nil && held.Partner == nil {
		return ErrForPrograms
	}
	return s.command(ctx, match.First, func(seat *live.Seat) { seat.Match().Abort() })
}

func (LeaveMatch) do(_ context.Context, s *Local) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leaveSeatsLocked()
	s.rewire()
	return nil
}

// settleTime is how long a person at a gateway waits for a command that cannot be
// saved, which is longer than it takes until the match is paused.
const settleTime = time.Second

// command has a command carried out by the seat that this session holds: the one of a
// side, in a hot seat. A gateway repeats an action that was not confirmed, so actions
// of remote sessions are confirmed once what they have led to is saved.
func (s *Local) command(ctx context.Context, side match.Side, give func(*live.Seat)) error {
	held := s.seatOf(side)
	if held == nil {
		return ErrNoMatch
	}
	give(held.Seat.Seat)
	if !s.remote {
		return nil
	}
	if s.member == nil {
		return held.Seat.Settled(ctx)
	}
	settling, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	err := held.Seat.Settled(settling)
	if err != nil && settling.Err() != nil && ctx.Err() == nil {
		return nil
	}
	return err
}

// seatOf returns the seat that this session holds, in a hot seat that of a side; nil
// if there is none.
func (s *Local) seatOf(side match.Side) *seat {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := s.seatLocked()
	if held != nil && held.Partner != nil {
		held = s.seats[side]
	}
	return held
}
