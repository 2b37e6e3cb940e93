package live

import (
	"context"
	"errors"
	"sync"
	"time"

	"broadside/match"
)

// Update is the newest state of a match for one reader, with the events since the reader's
// last update.
type Update struct {
	View match.View
	// Events are as the reader may see them, oldest first.
	Events []match.Event

	// Missed means that Events does not continue the reader's last update. Some events were dropped,
	// or happened before the reader attached. View is complete.
	Missed bool

	// Seq is the number of events so far that a seat's reader may see.
	Seq int

	Names [2]string

	// Deadline is when the side that must act runs out of time for its turn, or for placing.
	// It is zero if no clock runs. For a seat that confirms, it may be in the past.
	Deadline time.Time
	// Away marks the sides that are away. AwayUntil is when such a side loses or becomes
	// Late. It is zero while its absence clock is stopped. A late side loses as soon as the
	// other one claims the win.
	Away      [2]bool
	AwayUntil [2]time.Time
	Late      [2]bool

	// Paused means that the match cannot be saved at the moment. The view does not include
	// the events being saved, and no clock runs.
	Paused bool

	// Refused is why the seat's last command was not carried out, or nil.
	Refused error
}

// ErrNoClaim refuses a [Seat.Claim] while the opponent is not late.
var ErrNoClaim = errors.New("you cannot claim the win: your opponent has not been away long enough")

// ErrTimeOver refuses a shot of a seat that confirms after its turn clock has run out.
var ErrTimeOver = errors.New("your time is up: press enter to fire a random shot")

// [Mailbox.Receive] returns these errors once every update has been received.
var (
	ErrEnded    = errors.New("the match has ended")
	ErrReplaced = errors.New("another session took over the match")
)

// backlog is the number of events that a mailbox keeps for a slow reader. It is 16 rounds, since
// each shot and each result is an event.
const backlog = 64

// Mailbox delivers the updates of a match to one reader. The referee never waits for the
// reader. Receive and Poll must be called from one goroutine at a time.
type Mailbox struct {
	viewer match.Side
	// signal is sent when there is something to receive.
	signal Signal

	// mu guards the fields below. It is held only to copy an update.
	mu sync.Mutex
	// update is the next update, while pending.
	update Update
	// pending reports whether there is an update to receive.
	pending bool
	// hasReceived reports whether an update has been received.
	hasReceived bool
	// err is the error after the last update.
	err error
}

// Receive waits for the next update and stores it in u. After the last one it returns ErrEnded
// or ErrReplaced. When ctx ends it returns ctx's error. On an error u is unchanged.
func (b *Mailbox) Receive(ctx context.Context, u *Update) error {
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

// Next returns the next update, or nil if there is none at the moment.
func (b *Mailbox) Next() (*Update, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.pending {
		return nil, b.err
	}
	u := b.update
	b.update, b.pending, b.hasReceived = Update{}, false, true
	return &u, nil
}

// Poll is like Receive but does not wait. It reports whether there was an update.
func (b *Mailbox) Poll(u *Update) (got bool, err error) {
	news, err := b.Next()
	if news == nil {
		return false, err
	}
	*u = *news
	return true, nil
}

// putUpdate updates the pending update, adds events to it as long as there is room, and wakes the
// reader. The caller holds the match's lock.
func (b *Mailbox) putUpdate(r *referee, events []match.Event, refused error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	u := &b.update
	if !b.pending {
		u.Events, u.Missed, u.Refused = u.Events[:0], !b.hasReceived, nil
	}
	r.fillUpdate(u, b.viewer)
	if refused != nil {
		u.Refused = refused
	}
	u.addEvents(events, b.viewer)
	if len(u.Events) > backlog {
		u.Events, u.Missed = nil, true
	}
	b.pending = true
	b.signal.Send()
}

// addEvents adds the events that the viewer may see.
func (u *Update) addEvents(events []match.Event, viewer match.Side) {
	for i := range events {
		e, seen := events[i].RedactFor(viewer)
		if seen {
			u.Events = append(u.Events, e)
		}
	}
}

// close lets the reader receive the pending update, then err.
func (b *Mailbox) close(err error) {
	b.mu.Lock()
	if b.err == nil {
		b.err = err
	}
	b.mu.Unlock()
	b.signal.Send()
}
