package live

import (
	"errors"
	"log/slog"
	"sync"

	"broadside/match"
)

// Far is how a handle speaks to the node that runs its match.
type Far struct {
	// Send sends a parcel to the node that runs the match, where it is for
	// [Match.Serve]. It is called on the match's goroutine and never waits. What
	// it sends may be lost, for it is sent again; it arrives in order. Where no
	// other node is known to run the match, it drops it. It may be nil for a
	// handle that nobody reads at.
	Send func(data []byte)
	// Ended is as [Config].Ended, for a match that ends while another node runs
	// it. It may be nil.
	Ended func()
	Log   *slog.Logger // nil: no log
}

// ErrFenced is the answer of [Config].Append that another node runs the match.
var ErrFenced = errors.New("another node runs the match")

var errHere = errors.New("the match runs here already")

// errandKind is what an errand asks for.
type errandKind uint8

const (
	serve errandKind = iota
	deliver
	gone
	relink
	takeOver
	yield
)

// errand is what other nodes, or who manages them, want of a handle.
type errand struct {
	do      errandKind
	node    string        // for serve and gone
	data    []byte        // for serve and deliver
	home    []match.Side  // for gone
	reply   func([]byte)  // for serve
	referee *referee      // for takeOver: the new one
	done    chan struct{} // for takeOver and yield: closed once that is so
}

// maxParcels bounds the parcels that wait for a match; more are lost.
const maxParcels = 256

// errands are a queue that makes nobody wait.
type errands struct {
	wake chan struct{} // capacity 1: there is something in the list

	mu   sync.Mutex // held for a copy at most
	list []errand   // guarded by mu
}

func newErrands() *errands { return &errands{wake: make(chan struct{}, 1)} }

func (q *errands) put(e errand) {
	q.mu.Lock()
	if len(q.list) < maxParcels || e.do != serve && e.do != deliver {
		q.list = append(q.list, e)
	}
	q.mu.Unlock()
	q.ring()
}

// bell rings when there is something in the list; never if there is no list.
func (q *errands) bell() <-chan struct{} {
	if q == nil {
		return nil
	}
	return q.wake
}

// ring makes the match look into the list.
func (q *errands) ring() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *errands) next() (e errand, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		q.list = nil
		return errand{}, false
	}
	e = q.list[0]
	q.list = q.list[1:]
	return e, true
}

// has tells whether an errand of a kind is in the list.
func (q *errands) has(do errandKind) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range q.list {
		if q.list[i].do == do {
			return true
		}
	}
	return false
}

// Here tells whether this handle runs the match.
func (m *Match) Here() bool { return m.here.Load() }

// Serve takes a parcel from the handle that another node has of the match,
// which runs here. Answers go to reply, on the match's goroutine or, after the
// match, the caller's; it must not wait and may lose them, but not change their
// order. Serve never waits. Where the match does not run it does nothing.
func (m *Match) Serve(node string, data []byte, reply func(data []byte)) {
	m.errand(errand{do: serve, node: node, data: data, reply: reply})
}

// Gone says that a node is dead: its players are away, and so are those of the
// sides that are at home there, even if they never came; its spectators leave. If
// it was not, it has to call [Match.Relink] once it hears of this one again.
func (m *Match) Gone(node string, home ...match.Side) {
	m.errand(errand{do: gone, node: node, home: home})
}

// Deliver takes a parcel that the node that runs the match has sent to this
// handle. It never waits.
func (m *Match) Deliver(data []byte) { m.errand(errand{do: deliver, data: data}) }

// Relink says that another node runs the match now, even if it ran here until
// now, or that the same one may have taken this one for dead: [Far].Send reaches
// it. A handle that runs the match stops it, so the owner's must not be told so.
// All readers of the handle come to it anew, and what it may not have heard is
// said again. A player whose seat somebody else has taken since is told
// [ErrReplaced].
func (m *Match) Relink() { m.errand(errand{do: relink}) }

// TakeOver runs the match here from now on, with cfg.History as what has
// happened in it and marks as [Config].Append has been given them last. Players
// and spectators at this handle stay. All others are away until they come; they
// have their grace for that, and 10 s at least. A history that has its end
// already leads to Ending and Ended. TakeOver waits until it is done, or returns
// an error: the history is none, the match runs here already, or the handle has
// ended (ErrEnded).
func (m *Match) TakeOver(cfg Config, marks [2]uint64) error {
	if m.errands == nil || m.Here() {
		return errHere
	}
	r, err := resume(m, cfg, marks)
	if err != nil {
		return err
	}
	e := errand{do: takeOver, referee: r, done: make(chan struct{})}
	m.errand(e)
	<-e.done
	if !r.began {
		select {
		case <-m.done:
			return ErrEnded
		default:
			return errHere
		}
	}
	return nil
}

// Yield stops running the match here without ending it, and returns once that
// is so: it appends nothing any more. The handle goes on as one of a match that
// runs elsewhere; Config.Far says how. Where the match does not run, or has
// ended, Yield does nothing.
func (m *Match) Yield() {
	e := errand{do: yield, done: make(chan struct{})}
	if m.errand(e) {
		<-e.done
	}
}

// errand hands over an errand, if the match can have any.
func (m *Match) errand(e errand) bool {
	if m.errands == nil {
		return false
	}
	m.errands.put(e)
	select {
	case <-m.done:
		m.forget()
	default:
	}
	return true
}

// forget deals with errands that came too late: who has not heard of the end is
// told.
func (m *Match) forget() {
	if m.errands == nil {
		return
	}
	for e, ok := m.errands.next(); ok; e, ok = m.errands.next() {
		if e.do == serve {
			m.serveLate(e)
		}
		if e.done != nil {
			close(e.done)
		}
	}
}
