package live

import (
	"context"
	"sync/atomic"
	"time"

	"broadside/match"
)

// SeatConfig says what holds for the player of one side.
type SeatConfig struct {
	// Name is shown to the other side. It is clean text.
	Name string
	// Salt is what the commitment to the seat's layout is made with, see
	// [match.Opening]. Empty: nobody is told of a commitment.
	Salt string
	// Clocked seats have the turn clock of the rules: when it runs out, a
	// random shot is fired for them.
	Clocked bool
	// Confirms seats share a terminal with the other side. The turn clock starts
	// when the player confirms to have taken the terminal, see [Seat.Confirm]. When
	// it runs out, the random shot waits for [Seat.Lapse].
	Confirms bool
	// Strict seats lose when they give an illegal command; to others it is
	// refused and nothing is lost.
	Strict bool
	// NoEcho seats know what they have said: their mailbox gets no update for
	// a shot or an answer of their own from which nothing else follows, and
	// its events may lack these.
	NoEcho bool
	// PlaceTimeout is the time for placing, after which a random layout is
	// placed for the seat. 0: no limit.
	PlaceTimeout time.Duration
	// MoveTimeout is the time for each shot, each answer and the reveal of a
	// committed fleet, after which the seat loses. 0: no limit.
	MoveTimeout time.Duration
	// FirstMoveTimeout replaces MoveTimeout until the seat has been told the
	// answer to its first shot, where it is shorter: for being ready, for the
	// first answer and for the first shot. 0: MoveTimeout applies.
	FirstMoveTimeout time.Duration
	// Grace is how long the seat may be away, counted only while the match
	// waits for it; coming back fills it up again. 0: whoever leaves loses.
	Grace time.Duration
	// Return takes the place of Grace until the seat's player comes for the
	// first time, if it is longer: for a match that continues after an
	// interruption of which nobody has told them.
	Return time.Duration
	// Claims seats decide what happens once the other side has been away for
	// its grace: they wait, or [Seat.Claim] the win. Facing any other seat, the
	// side loses at once; so it does once the seat that waits leaves, too.
	Claims bool
}

// Seat is one side of a running match. All methods may be called from any
// goroutine. They hand a command to the referee and return without waiting for
// it to be carried out; what came of it arrives in the mailbox. After the
// match they do nothing.
type Seat struct {
	match *Match
	side  match.Side
	box   atomic.Pointer[Mailbox] // attached last; nil once it has been detached
}

// Side returns the side that the seat plays.
func (s *Seat) Side() match.Side { return s.side }

// Match returns the match of the seat.
func (s *Seat) Match() *Match { return s.match }

// Attach opens a mailbox for the seat's player, who is present from now on. A
// mailbox attached earlier ends with ErrReplaced. The first update arrives at
// once, even after the match.
func (s *Seat) Attach() *Mailbox { return s.AttachFrom(0) }

// AttachFrom is Attach for a player who has seen some events, see [Update.Seq]. The
// first update has the events that followed, unless there are too many.
func (s *Seat) AttachFrom(seen int) *Mailbox {
	b := newMailbox(s.side)
	s.box.Store(b)
	s.match.post(request{do: attach, side: s.side, mailbox: b, from: seen})
	return b
}

// Since returns the events after the first ones that the seat's player has seen, and
// its own of a turn that is not complete. It waits for events that are being saved, until ctx ends.
func (s *Seat) Since(ctx context.Context, seen int) []match.Event {
	events := make(chan []match.Event, 1)
	s.match.post(request{do: since, side: s.side, from: seen, events: events})
	select {
	case all := <-events:
		return all
	case <-ctx.Done():
		return nil
	}
}

// Settled waits until the commands that were given before have been carried out or
// refused. Its error is [ErrUnsettled], or that of ctx.
func (s *Seat) Settled(ctx context.Context) error {
	settled := make(chan error, 1)
	s.match.post(request{do: settle, side: s.side, settled: settled})
	select {
	case err := <-settled:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Detach says that the player at this mailbox has left. It means nothing if
// the seat has been attached anew since.
func (s *Seat) Detach(b *Mailbox) {
	s.box.CompareAndSwap(b, nil)
	s.match.post(request{do: detach, side: s.side, mailbox: b})
}

// Held reports whether somebody has attached a mailbox and not detached it.
func (s *Seat) Held() bool { return s.box.Load() != nil }

// Place hands in the seat's layout, which must not be changed afterwards.
func (s *Seat) Place(l match.Layout) { s.command(match.Place(s.side, l)) }

// Keep makes the seat ready with a fleet of its own, for which it will answer.
func (s *Seat) Keep() { s.command(match.Keep(s.side)) }

// Commit makes the seat ready with a fleet of its own that it has committed
// to, and for which it will answer: see [match.Commit].
func (s *Seat) Commit(commitment string) { s.command(match.Commit(s.side, commitment)) }

// Reveal opens the seat's commitment after the last shot. Where there is
// nothing to reveal it is refused with [match.ErrNoReveal], which costs nobody
// anything.
func (s *Seat) Reveal(salt string, l match.Layout) { s.command(match.Reveal(s.side, salt, l)) }

// Fire shoots at cells: at all cells of the turn, or at the next of them.
func (s *Seat) Fire(cells ...match.Cell) {
	s.match.post(request{do: command, side: s.side, command: match.Fire(s.side, cells...), fired: time.Now()})
}

// Sail moves a ship of the seat's fleet, or stays, where and when the rules let
// it: see [match.Sail].
func (s *Seat) Sail(m match.Move) { s.command(match.Sail(s.side, m)) }

// Answer says what the other side's shot at a cell did.
func (s *Seat) Answer(c match.Cell, r match.Result) { s.command(match.Answer(s.side, c, r)) }

// Confirm starts the turn clock of a seat that confirms, once a turn: the player
// is there. At other times it does nothing.
func (s *Seat) Confirm() { s.match.post(request{do: confirm, side: s.side}) }

// Lapse fires a random shot for a seat that confirms, if its turn clock has run
// out. At other times it does nothing.
func (s *Seat) Lapse() { s.match.post(request{do: lapse, side: s.side}) }

// Resign gives the match up.
func (s *Seat) Resign() { s.Forfeit(match.Resigned) }

// Remove ends the match without a result, because the owner of a room, who is the
// first side, removes the other one. Once the battle has begun it is refused with
// [match.ErrRemoval].
func (s *Seat) Remove() { s.command(match.Abort(s.side, match.Removed)) }

// Claim wins the match over a side that has been away for too long. Before
// that it is refused, which costs nobody anything.
func (s *Seat) Claim() { s.match.post(request{do: claim, side: s.side}) }

// Forfeit loses the match for a reason that lies with the seat's player.
func (s *Seat) Forfeit(why match.Reason) { s.command(match.Forfeit(s.side, why)) }

// lost is called when a mailbox's player has lost the seat to another one.
func (s *Seat) lost(b *Mailbox) {
	s.box.CompareAndSwap(b, nil)
	b.close(ErrReplaced)
}

func (s *Seat) command(c match.Command) {
	s.match.post(request{do: command, side: s.side, command: c})
}
