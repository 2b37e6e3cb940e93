package live

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"broadside/match"
)

// SeatConfig configures one side's seat.
type SeatConfig struct {
	// Name is shown to the other side. It must be sanitized.
	Name string
	// Clocked means that the rules' turn clock applies. When it runs out, a random shot is fired
	// for the seat.
	Clocked bool
	// Confirms means that the seat shares a terminal with the other side. The turn clock
	// starts with [Seat.ConfirmTurn]. When it has run out, the seat can only call
	// [Seat.FireRandomShots].
	Confirms bool
	// Strict means that an illegal command loses the match. Otherwise it is refused.
	Strict bool
	// PlaceTimeout is the time limit for placing. When it ends, the seat gets a random
	// layout. 0 means no limit.
	PlaceTimeout time.Duration
	// MoveTimeout is the time limit for a turn's shots, and for its results. When it ends,
	// the seat loses. 0 means no limit.
	MoveTimeout time.Duration
	// TotalTime is the time limit for everything that the match waits for the seat to do, plus
	// ShotTime for each of its shots. When it ends, the seat loses. After an interruption, the
	// time before it does not count. 0 means no limit.
	TotalTime, ShotTime time.Duration
	// Grace is how long the seat may be away. It counts only while the match waits for the
	// seat, and starts anew after a return. With 0, a player who leaves loses.
	Grace time.Duration
	// EndsUnused means that the seat loses when its player leaves before the first shot.
	EndsUnused bool
	// Return replaces Grace, if it is longer, until the seat's player attaches for the first
	// time after an interruption.
	Return time.Duration
	// Claims means that the seat decides what happens when the other side has been away for
	// its grace. It may wait or [Seat.Claim] the win. Otherwise the other side loses
	// immediately, as it does when the waiting seat leaves, too.
	Claims bool
}

// Seat is one side of a match. Its methods are safe for concurrent use. Commands do not wait
// until their events are saved. Their outcome arrives in the mailbox. After the match they do
// nothing.
type Seat struct {
	match *Match
	side  match.Side
	// mailbox is the last attached mailbox, or nil once it is detached.
	mailbox atomic.Pointer[Mailbox]
}

// Side returns the side that the seat plays.
func (s *Seat) Side() match.Side { return s.side }

// Match returns the seat's match.
func (s *Seat) Match() *Match { return s.match }

// Attach opens a mailbox for the seat's player and marks the player as present. A mailbox
// attached earlier ends with ErrReplaced. The first update arrives immediately, even after the
// match, with the newest events. wake is sent when there may be something for [Mailbox.Next].
// If it is nil, the mailbox has its own signal.
func (s *Seat) Attach(wake Signal) *Mailbox {
	if wake == nil {
		wake = NewSignal()
	}
	b := &Mailbox{viewer: s.side, signal: wake}
	s.mailbox.Store(b)
	s.match.withReferee(func(r *referee) { r.attach(s.side, b) })
	return b
}

// EventsSince returns the events after the given number of events that the seat's player has seen,
// including its own events of an incomplete turn. It waits for events that are being saved,
// until ctx ends.
func (s *Seat) EventsSince(ctx context.Context, seen int) []match.Event {
	events := make(chan []match.Event, 1)
	s.match.submit(request{side: s.side, run: func(r *referee) { events <- r.seatEvents(s.side, seen) }})
	select {
	case all := <-events:
		return all
	case <-ctx.Done():
		return nil
	}
}

// WaitForCommands waits until all earlier commands have been carried out or refused. It returns
// [ErrOutcomeUnknown] or ctx's error.
func (s *Seat) WaitForCommands(ctx context.Context) error {
	settled := make(chan error, 1)
	s.match.submit(request{side: s.side, run: func(r *referee) { settled <- r.checkRunning() }})
	select {
	case err := <-settled:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Detach marks the mailbox's player as away. It does nothing if another mailbox has been
// attached since.
func (s *Seat) Detach(b *Mailbox) {
	s.mailbox.CompareAndSwap(b, nil)
	s.match.submit(request{side: s.side, detaches: true, run: func(r *referee) { r.detach(s.side, b) }})
}

// IsAttached reports whether a mailbox is attached.
func (s *Seat) IsAttached() bool { return s.mailbox.Load() != nil }

// IsAttachedTo reports whether b is the last attached mailbox and has not been detached.
func (s *Seat) IsAttachedTo(b *Mailbox) bool { return s.mailbox.Load() == b }

// Place places the seat's fleet. The layout must not be changed afterwards.
func (s *Seat) Place(l match.Layout) { s.submitCommand(match.PlaceCommand(s.side, l)) }

// Keep makes the seat ready with a fleet that it keeps, reporting results itself.
func (s *Seat) Keep() { s.submitCommand(match.KeepCommand(s.side)) }

// Fire fires at all of the turn's cells, or at the next ones. It does not keep the slice.
func (s *Seat) Fire(cells ...match.Cell) { s.FireFrom(0, cells...) }

// FireFrom is like Fire for a player who has seen the given number of events, counted as
// [Update.Seq] does. It does nothing if the seat has fired at one of the cells since then,
// because the player is repeating a turn whose results are late.
func (s *Seat) FireFrom(seen int, cells ...match.Cell) {
	c, at := match.FireCommand(s.side, slices.Clone(cells)...), time.Now()
	s.match.submit(request{
		side: s.side, command: true, shots: len(cells),
		run: func(r *referee) { r.fire(c, seen, at) },
	})
}

// Move moves a ship of the seat's fleet, or none. See [match.MoveCommand].
func (s *Seat) Move(m match.Move) { s.submitCommand(match.MoveCommand(s.side, m)) }

// Answer reports the result of the other side's shot at a cell.
func (s *Seat) Answer(c match.Cell, r match.Result) {
	s.submitCommand(match.AnswerCommand(s.side, c, r))
}

// ConfirmTurn starts the turn clock of a seat that confirms, once per turn. At other times it
// does nothing.
func (s *Seat) ConfirmTurn() { s.submit((*referee).startConfirmedClock) }

// FireRandomShots fires the turn's remaining shots at random for a seat that confirms, if its turn
// clock has run out. At other times it does nothing.
func (s *Seat) FireRandomShots() { s.submit((*referee).fireIfExpired) }

// Resign resigns the match.
func (s *Seat) Resign() { s.Forfeit(match.Resigned) }

// Remove ends a private match without a result because its owner, the first side, removes
// the other one. After the battle has started it is refused with [match.ErrRemoval].
func (s *Seat) Remove() { s.submitCommand(match.AbortCommand(s.side, match.Removed)) }

// Claim wins the match against a side that has been away too long. Before that it is refused
// with [ErrNoClaim].
func (s *Seat) Claim() { s.submit((*referee).claimWin) }

// Forfeit loses the match for a reason caused by the seat's player.
func (s *Seat) Forfeit(why match.Reason) { s.submitCommand(match.ForfeitCommand(s.side, why)) }

// closeReplaced closes b after a newer mailbox has taken the seat.
func (s *Seat) closeReplaced(b *Mailbox) {
	s.mailbox.CompareAndSwap(b, nil)
	b.close(ErrReplaced)
}

func (s *Seat) submitCommand(c match.Command) {
	s.submit(func(r *referee, _ match.Side) { r.execute(c) })
}

// submit calls f as a command of the seat.
func (s *Seat) submit(f func(*referee, match.Side)) {
	s.match.submit(request{side: s.side, command: true, run: func(r *referee) { f(r, s.side) }})
}
