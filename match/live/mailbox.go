package live

import (
	"context"
	"errors"
	"sync"
	"time"

	"broadside/match"
)

// Update is the newest state of a match for one reader, and what led to it
// since the reader's last update.
type Update struct {
	View   match.View
	Events []match.Event `json:",omitzero"` // as the reader may see them, oldest first
	Missed bool          `json:",omitzero"` // events were dropped, or happened before the reader came; View is complete

	// Seq is how many events of the match so far the reader of a seat may see, see
	// [Seat.AttachFrom].
	Seq int `json:",omitzero"`

	Names [2]string `json:",omitzero"`

	// Seals are the commitments to both layouts, from when they are placed or
	// committed to: see [match.Commitment]. Empty for a side that only keeps its
	// fleet.
	Seals [2]string `json:",omitzero"`

	// Deadline is when time runs out for the side that has to act: the turn
	// clock, or the time for placing. Zero if no such clock runs. For a seat that
	// confirms it can be over.
	Deadline time.Time `json:",omitzero"`
	// Away tells who has left the match; AwayUntil is when such a side loses
	// it, or is Late. Zero while its absence clock stands still. A side that is
	// late loses as soon as the other one claims the win.
	Away      [2]bool      `json:",omitzero"`
	AwayUntil [2]time.Time `json:",omitzero"`
	Late      [2]bool      `json:",omitzero"`

	// Paused means that the match waits because it cannot be saved: the view is as it
	// was before the events that are being saved, and no clock runs.
	Paused bool

	// Refused is why a command of this seat was not carried out, a sentence
	// for the player; nil otherwise.
	Refused error `json:",omitzero"`
}

// ErrNoClaim is why a claim of the win is refused.
var ErrNoClaim = errors.New("you cannot claim the win: your opponent has not been away for too long")

// ErrTimeOver is why a shot of a seat that confirms is refused once its turn clock
// has run out.
var ErrTimeOver = errors.New("your time is up: press enter to fire a random shot")

// The errors of [Mailbox.Recv], once every update has been received.
var (
	ErrEnded    = errors.New("the match has ended")
	ErrReplaced = errors.New("the match was taken over from elsewhere")
)

// backlog is the number of events a mailbox holds for a slow reader. A shot
// and its answer are two; a reader sixteen exchanges behind watches a match,
// it does not play one.
const backlog = 64

// Mailbox is where one reader of a match gets its updates. The referee never
// waits for the reader. Receive from one goroutine at a time.
type Mailbox struct {
	viewer match.Side
	signal chan struct{} // capacity 1: there is something to receive

	mu     sync.Mutex // held for a copy at most
	update *Update    // guarded by mu: nil once it has been received
	came   bool       // guarded by mu: an update has been received
	err    error      // guarded by mu: no more updates will come, and why
}

// updates lends memory to mailboxes: an update is large, and few of them are
// under way at a time.
var updates = sync.Pool{New: func() any { return new(Update) }}

func newMailbox(viewer match.Side) *Mailbox {
	return &Mailbox{viewer: viewer, signal: make(chan struct{}, 1)}
}

// Recv waits for the next update and writes it to u. Once the last one has
// been received it returns ErrEnded, or ErrReplaced; it returns ctx's error
// when ctx ends. On an error u is as it was. The memory of u's former events is
// used again: whoever keeps events gives each Recv an Update of its own.
func (b *Mailbox) Recv(ctx context.Context, u *Update) error {
	for {
		if got, err := b.Poll(u); got || err != nil {
			return err
		}
		select {
		case <-b.signal:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Ready yields when there may be something for [Mailbox.Poll]. It is never
// closed.
func (b *Mailbox) Ready() <-chan struct{} { return b.signal }

// Take returns the next update, or nil if there is none at the moment, without
// copying it. Its memory is used again if the receiver calls [Release].
func (b *Mailbox) Take() (*Update, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.update == nil {
		return nil, b.err
	}
	u := b.update
	b.update, b.came = nil, true
	return u, nil
}

// Release returns an update from [Mailbox.Take] for reuse. The caller must not use it afterwards.
func Release(u *Update) {
	*u = Update{Events: u.Events[:0]}
	updates.Put(u)
}

// Poll is Recv without waiting: it reports whether there was an update.
func (b *Mailbox) Poll(u *Update) (got bool, err error) {
	news, err := b.Take()
	if news == nil {
		return false, err
	}
	read := u.Events[:0]
	*u = *news
	*news = Update{Events: read}
	updates.Put(news)
	return true, nil
}

// put brings the update up to date and adds events to those that the reader
// has not had yet, as long as there is room. It runs on the match's
// goroutine, or once that has ended.
func (b *Mailbox) put(r *referee, events []match.Event, refused error) {
	b.mu.Lock()
	if b.update == nil {
		b.update = updates.Get().(*Update)
		b.update.Missed = !b.came
	}
	u := b.update
	r.show(u, b.viewer)
	if refused != nil {
		u.Refused = refused
	}
	for _, e := range events {
		if e, seen := e.Visible(b.viewer); seen {
			u.Events = append(u.Events, e)
		}
	}
	if len(u.Events) > backlog {
		u.Events, u.Missed = u.Events[:0], true
	}
	b.mu.Unlock()
	b.wake()
}

// close lets the reader receive what is there, then err.
func (b *Mailbox) close(err error) {
	b.mu.Lock()
	if b.err == nil {
		b.err = err
	}
	b.mu.Unlock()
	b.wake()
}

func (b *Mailbox) wake() {
	select {
	case b.signal <- struct{}{}:
	default:
	}
}
