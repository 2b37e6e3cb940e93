package live

import (
	"context"
	"slices"
	"time"

	"broadside/match"
	"broadside/match/packed"
)

// The times after which a follower speaks up: when something was not answered,
// and to find out whether it has missed something.
const (
	againTime = time.Second
	checkTime = 5 * time.Second
)

// follower is a match's goroutine while another node runs the match. It passes
// on what its readers want, and tells them what it hears.
type follower struct {
	match *Match
	far   Far
	feeds [3]feed // by viewer
	abort bool    // the match is to end
	token uint64  // of the newest feed
	timer *time.Timer
	over  bool
}

// feed is what a follower hears for one seat, or for its spectators.
type feed struct {
	viewer  match.Side
	mailbox *Mailbox // of a seat
	wanted  bool     // somebody reads
	leaving bool     // nobody reads any more, which has to be said
	ended   bool     // nothing more comes

	token    uint64
	term     uint64 // 0 until it is known, then as in news
	answered bool   // the token was heard of
	gap      bool   // news were lost
	have     int    // see want
	version  uint64 // of the last news
	mark     uint64 // number of the last order
	orders   []order
	refused  uint64    // number of the last order whose refusal was told
	sent     time.Time // when something was said last
	missed   bool      // the news that are told now lack events

	last *Update // without events; nil before the first
}

// newFollower makes a follower whose readers have to be entered.
func newFollower(m *Match, far Far) *follower {
	if far.Log == nil {
		far.Log = discard
	}
	// Tokens are moments at first, so that another handle of the same match has
	// had smaller ones.
	f := &follower{match: m, far: far, token: uint64(time.Now().UnixNano())}
	for viewer := range f.feeds {
		f.feeds[viewer].viewer, f.feeds[viewer].have = match.Side(viewer), -1
		f.feeds[viewer].token = f.newToken()
	}
	return f
}

func (f *follower) newToken() uint64 {
	f.token++
	return f.token
}

// run follows the match to its end, or until it runs here: then it returns true.
func (f *follower) run(ctx context.Context) (goesOn bool) {
	m := f.match
	f.timer = time.NewTimer(time.Hour)
	defer f.timer.Stop()
	m.errands.ring()
	for !f.over {
		if len(m.later) > 0 {
			q := m.later[0]
			m.later = m.later[1:]
			f.handle(q)
			continue
		}
		f.arm()
		select {
		case q := <-m.inbox:
			f.handle(q)
		case <-m.errands.wake:
			if f.errands() {
				return true
			}
		case <-f.timer.C:
			f.remind(time.Now())
		case <-ctx.Done():
			f.over = true
		}
	}
	for i := range f.feeds {
		if b := f.feeds[i].mailbox; b != nil {
			b.close(ErrEnded)
		}
	}
	m.stand.end()
	return false
}

// errands does what other nodes want, and returns true once the match runs here.
func (f *follower) errands() bool {
	for !f.over {
		e, ok := f.match.errands.next()
		if !ok {
			return false
		}
		switch e.do {
		case deliver:
			f.deliver(e.data)
		case relink:
			f.relink()
		case yield:
			close(e.done)
		case takeOver:
			f.match.referee, f.match.follower = e.referee, nil
			f.match.here.Store(true)
			e.referee.began = true
			e.referee.adopt(f)
			close(e.done)
			return true
		}
	}
	return false
}

// handle does what a seat or a spectator of this node wants.
func (f *follower) handle(q request) {
	x := &f.feeds[q.side]
	switch q.do {
	case command, claim:
		if q.side == match.Nobody {
			f.abort = true
			f.send(x, false)
			return
		}
		if len(x.orders) == maxOrders {
			f.far.Log.Warn("commands that nobody hears of are dropped", "match", f.match.id, "side", q.side)
			return
		}
		x.orders = append(x.orders, order{claim: q.do == claim, command: q.command})
		if x.answered {
			x.count()
			f.send(x, false)
		}
	case attach:
		if x.mailbox != nil {
			x.mailbox.close(ErrReplaced)
		}
		x.mailbox = q.mailbox
		f.come(x)
	case detach:
		if x.mailbox == q.mailbox && q.mailbox != nil {
			x.mailbox.close(ErrReplaced)
			x.mailbox = nil
			f.leave(x)
		}
	case watch:
		f.match.watchers++
		if f.knows(match.Nobody) {
			f.match.stand.admit(f, q.spectator)
		} else {
			f.match.stand.admit(nil, q.spectator)
		}
		if !x.wanted {
			f.come(x)
		}
	case unwatch:
		if f.match.watchers--; f.match.watchers == 0 {
			f.match.stand.clear()
			x.last = nil
			f.leave(x)
		}
	}
}

// come announces a new reader.
func (f *follower) come(x *feed) {
	x.token, x.term = f.newToken(), 0
	x.wanted, x.leaving, x.ended, x.answered, x.gap = true, false, false, false, false
	x.have, x.version = -1, 0
	f.send(x, false)
}

func (f *follower) leave(x *feed) {
	x.wanted, x.leaving = false, true
	f.send(x, false)
}

// relink is [Match.Relink].
func (f *follower) relink() {
	for i := range f.feeds {
		x := &f.feeds[i]
		if x.wanted && !x.ended || x.leaving {
			x.token = f.newToken()
			x.answered, x.gap, x.version = false, false, 0
			f.send(x, true)
		}
	}
	if f.abort {
		f.send(&f.feeds[match.Nobody], false)
	}
}

// count gives their numbers to orders that have none.
func (x *feed) count() {
	for i := range x.orders {
		if x.orders[i].number == 0 {
			x.mark++
			x.orders[i].number = x.mark
		}
	}
}

// counted tells whether all orders have their numbers.
func (x *feed) counted() bool {
	return !slices.ContainsFunc(x.orders, func(o order) bool { return o.number == 0 })
}

// send tells the other node all that it may not know of a feed.
func (f *follower) send(x *feed, ask bool) {
	x.sent = time.Now()
	if f.far.Send == nil {
		return
	}
	w := want{
		viewer: x.viewer, token: x.token, term: x.term, ask: ask, abort: f.abort,
		have: x.have, version: x.version, refused: x.refused,
		leave: x.leaving && x.counted(), // the numbers come with the answer
	}
	for _, o := range x.orders {
		if o.number != 0 {
			w.orders = append(w.orders, o)
		}
	}
	data, err := packed.Append(nil, w.pack)
	if err != nil {
		f.far.Log.Error("parcel cannot be packed", "match", f.match.id, "error", err)
		x.orders = nil
		return
	}
	f.far.Send(data)
}

// due is when a feed speaks up if nothing is heard; zero for never.
func (f *follower) due(x *feed) time.Time {
	switch {
	case x.ended:
	case x.leaving, x.wanted && (!x.answered || x.gap || len(x.orders) > 0), f.abort && x.viewer == match.Nobody:
		return x.sent.Add(againTime)
	case x.wanted:
		return x.sent.Add(checkTime)
	}
	return time.Time{}
}

func (f *follower) arm() {
	var next time.Time
	for i := range f.feeds {
		if at := f.due(&f.feeds[i]); !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	if next.IsZero() {
		f.timer.Stop()
	} else {
		f.timer.Reset(time.Until(next))
	}
}

// remind says again what was not answered.
func (f *follower) remind(now time.Time) {
	for i := range f.feeds {
		if at := f.due(&f.feeds[i]); !at.IsZero() && !at.After(now) {
			f.send(&f.feeds[i], true)
		}
	}
}

// deliver is [Match.Deliver].
func (f *follower) deliver(data []byte) {
	var n news
	if err := read(data, n.pack(time.Now())); err != nil {
		f.far.Log.Warn("bad parcel", "match", f.match.id, "error", err)
		return
	}
	x := &f.feeds[n.viewer]
	if n.token != x.token || !x.wanted && !x.leaving {
		return
	}
	if n.what == closed {
		x.wanted, x.leaving, x.orders = false, false, nil
		if x.mailbox != nil {
			f.match.seats[x.viewer].lost(x.mailbox)
			x.mailbox = nil
		}
		return
	}
	x.orders = slices.DeleteFunc(x.orders, func(o order) bool { return o.number != 0 && o.number <= n.mark })
	x.mark = max(x.mark, n.mark)
	if n.what == newest {
		f.learn(x, &n)
	}
}

// learn tells the readers of a feed what is new.
func (f *follower) learn(x *feed, n *news) {
	if !x.answered {
		x.answered, x.term = true, n.term
		if !x.counted() || x.leaving {
			x.count()
			defer f.send(x, false)
		}
	}
	if n.version <= x.version {
		return
	}
	lost := x.have >= 0 && n.from > x.have
	if x.gap = lost && !n.missed && !n.ended; x.gap {
		f.send(x, true)
		return
	}
	var events []match.Event
	for _, s := range n.seen {
		if s.at >= x.have {
			events = append(events, s.event)
		}
	}
	x.have, x.version, x.missed = n.to, n.version, lost
	x.last = &n.update
	x.ended = n.ended
	if x.viewer == match.Nobody && x.wanted {
		if lost {
			f.match.stand.skip()
		}
		f.match.stand.publish(f, events)
	} else if b := x.mailbox; b != nil {
		var refused error
		if n.number > x.refused {
			refused, x.refused = n.refused, n.number
		}
		b.put(f, events, refused)
		if x.ended {
			b.close(ErrEnded)
		}
	}
	x.missed = false
	if x.ended {
		f.over = !slices.ContainsFunc(f.feeds[:], func(x feed) bool { return x.wanted && !x.ended })
	}
}

// knows tells whether it can show the match to a viewer.
func (f *follower) knows(viewer match.Side) bool { return f.newest(viewer) != nil }

// newest is what a viewer may see. After the end all may see the same.
func (f *follower) newest(viewer match.Side) *Update {
	if u := f.feeds[viewer].last; u != nil {
		return u
	}
	for i := range f.feeds {
		if u := f.feeds[i].last; u != nil && u.View.Phase == match.Over {
			return u
		}
	}
	return nil
}

// show implements source.
func (f *follower) show(u *Update, viewer match.Side) {
	events, missed, refused := u.Events, u.Missed || f.feeds[viewer].missed, u.Refused
	*u = *f.newest(viewer)
	u.Events, u.Missed, u.Refused = events, missed, refused
	u.View.Viewer = viewer
}

// record is what is known of a match that has ended elsewhere.
func (f *follower) record() Record {
	rec := Record{ID: f.match.id, Winner: match.Nobody}
	if u := f.newest(match.Nobody); u != nil && u.View.Phase == match.Over {
		rec.Rules, rec.Names, rec.Seals = u.View.Rules, u.Names, u.Seals
		rec.Took, rec.Winner, rec.Reason = u.View.Took, u.View.Winner, u.View.Reason
	}
	return rec
}

// request is an order as a seat of this node gives it.
func (o order) request(side match.Side) request {
	q := request{do: command, side: side, command: o.command}
	if o.claim {
		q.do = claim
	}
	return q
}
