package live

import (
	"fmt"
	"time"

	"broadside/match"
	"broadside/match/packed"
	"broadside/words"
)

// This file is about the parcels that handles of one match on several nodes
// send each other. Each parcel tells all that the other end may have missed, so
// that any of them may be lost.

// wireVersion is the first byte of each parcel.
const wireVersion = 2

// order is a command of a seat that the match may not have heard of.
type order struct {
	number  uint64 // of the seat's commands, from 1; 0 while that is not known
	claim   bool   // it claims the win, and has no command
	command match.Command
}

// maxOrders bounds the commands that a seat can give before the first one is
// acknowledged.
const maxOrders = 64

// want is a parcel from a handle to the node that runs the match: what one of
// its readers wants, and has.
type want struct {
	viewer  match.Side // the seat, or Nobody for all spectators of the node
	token   uint64     // grows with each reader that comes here
	term    uint64     // as in news, when the reader had the seat before; else 0
	leave   bool       // it leaves, once its orders are carried out
	ask     bool       // tell it what it does not have
	abort   bool       // end the match
	have    int        // how many events of the match it has had; -1 if it does not want former ones
	version uint64     // of the last news
	refused uint64     // number of the last order whose refusal it was told
	orders  []order    // all that were not acknowledged
}

func (w *want) pack(c *packed.Coder) {
	version(c)
	packed.Int(c, &w.viewer, match.First, match.Nobody)
	c.Uint(&w.token)
	c.Uint(&w.term)
	c.Bits(&w.leave, &w.ask, &w.abort)
	packed.Int(c, &w.have, -1, 1<<20)
	c.Uint(&w.version)
	c.Uint(&w.refused)
	packed.List(c, &w.orders, maxOrders, func(c *packed.Coder, o *order) {
		c.Uint(&o.number)
		c.Bits(&o.claim)
		o.command.Pack(c)
		if o.command.Action == match.VoidGame || !o.claim && o.command.Side != w.viewer {
			c.Fail() // not for a seat to say
		}
	})
}

// parcel is what a piece of news is.
type parcel uint8

const (
	acked  parcel = iota // orders were heard of
	closed               // the reader has left, or another one has come in its place
	newest               // the match as it is now
)

// news is a parcel from the node that runs the match to a reader elsewhere.
type news struct {
	what   parcel
	viewer match.Side
	token  uint64 // of the reader that it is for
	mark   uint64 // number of the last order that was heard of, from whatever node

	// For newest alone.
	term    uint64 // when the reader took the seat: who came later has a larger one
	version uint64 // grows
	ended   bool   // the match is over, nothing more will come
	missed  bool   // there would be too many events
	from    int    // how many events there had been before those in here
	to      int    // how many there are
	seen    []seen
	refused error  // why an order was not carried out
	number  uint64 // which one
	update  Update // all but Events, Missed and Refused
}

// seen is an event that a reader may see, the number at of the match from 0.
type seen struct {
	at    int
	event match.Event
}

// pack tells moments as the time left from now on.
func (n *news) pack(now time.Time) func(*packed.Coder) {
	return func(c *packed.Coder) {
		version(c)
		packed.Int(c, &n.what, acked, newest)
		packed.Int(c, &n.viewer, match.First, match.Nobody)
		c.Uint(&n.token)
		c.Uint(&n.mark)
		if n.what != newest {
			return
		}
		c.Uint(&n.term)
		c.Uint(&n.version)
		c.Bits(&n.ended, &n.missed)
		packed.Int(c, &n.from, 0, 1<<20)
		packed.Int(c, &n.to, n.from, 1<<20)
		packed.List(c, &n.seen, backlog, func(c *packed.Coder, s *seen) {
			packed.Int(c, &s.at, n.from, n.to)
			s.event.Pack(c)
		})
		packRefusal(c, &n.refused)
		c.Uint(&n.number)
		n.update.pack(c, now)
	}
}

func (u *Update) pack(c *packed.Coder, now time.Time) {
	u.View.Pack(c)
	for side := range u.Names {
		c.Text(&u.Names[side], 200)
		c.Text(&u.Seals[side], 200)
		c.Time(&u.AwayUntil[side], now)
	}
	c.Bits(&u.Away[0], &u.Away[1], &u.Late[0], &u.Late[1])
	c.Time(&u.Deadline, now)
}

func version(c *packed.Coder) {
	v := wireVersion
	packed.Int(c, &v, wireVersion, wireVersion)
}

// maxRefusal bounds what is said of a refusal, in bytes.
const maxRefusal = 4000

func packRefusal(c *packed.Coder, err *error) {
	var said []byte
	if !c.Reading() && *err != nil {
		said = words.Carry(*err)
	}
	c.Raw(&said, maxRefusal)
	if !c.Reading() || c.Failed() {
		return
	}
	*err = nil
	if len(said) == 0 {
		return
	}
	e, failed := words.Carried(said)
	if failed != nil {
		c.Fail()
		return
	}
	*err = known(e)
}

// refusals are what a command can be refused for, if no more is to be said of
// it than that.
var refusals = []error{
	ErrNoClaim, match.ErrOver, match.ErrPlacing, match.ErrReady, match.ErrNotYourTurn, match.ErrUnanswered,
	match.ErrNoShot, match.ErrWrongCell, match.ErrOffBoard, match.ErrBadResult, match.ErrBadCommand,
	match.ErrCounts, match.ErrNoMoves, match.ErrMoved, match.ErrNoShip, match.ErrFleetSize,
	match.ErrCommitment, match.ErrCommitMoving, match.ErrNoReveal, match.ErrRevealing,
}

// known is the error itself where one that arrived says what one of refusals
// does.
func known(arrived error) error {
	for _, err := range refusals {
		if err.Error() == arrived.Error() {
			return err
		}
	}
	return arrived
}

// read reads a parcel.
func read(data []byte, pack func(*packed.Coder)) error {
	if err := packed.Read(data, pack); err != nil {
		return fmt.Errorf("reading a parcel of a match: %w", err)
	}
	return nil
}
