package live

import (
	"errors"
	"slices"
	"time"

	"broadside/match"
	"broadside/match/packed"
)

// This file is what a referee does for readers on other nodes, and how it
// begins and ends where the match has a life before or after it.

// returnTime is how long everybody may be away at least after another node has
// taken a match over.
const returnTime = 10 * time.Second

// appendPause is the first pause after a failed [Config].Append.
const appendPause = 10 * time.Millisecond

// faraway is what a referee knows of readers on other nodes.
type faraway struct {
	feeds []*remote           // for the spectators of a node
	heard map[nodeSeat]uint64 // the newest token of a node's readers
	last  [2]string           // the node of the seat's last reader; or empty for this one
}

// nodeSeat is a seat as a node sees it.
type nodeSeat struct {
	node string
	side match.Side
}

// remote is a reader on another node: at a seat, or for all spectators there.
type remote struct {
	referee *referee
	node    string
	viewer  match.Side
	token   uint64
	reply   func([]byte)
	version uint64 // of the last news
	sent    int    // how many events there had been then
	mark    uint64 // the last order that the node has heard to have arrived
	refused error  // why an order was refused; nil once the node knows
	number  uint64 // of that order
	ended   bool
}

// put implements reader.
func (f *remote) put(_ source, _ []match.Event, refused error) {
	if refused != nil {
		f.refused, f.number = refused, f.referee.marks[f.viewer]
	}
	f.tell(f.sent)
}

// tell sends the newest, and the events that happened since there were from.
func (f *remote) tell(from int) {
	r := f.referee
	events := r.game.Events()
	f.version++
	n := news{
		what: newest, viewer: f.viewer, token: f.token, version: f.version, ended: f.ended,
		from: from, to: len(events), refused: f.refused, number: f.number,
	}
	if from < 0 || from > len(events) {
		n.from = len(events)
	}
	for i, e := range events[n.from:] {
		if e, visible := e.Visible(f.viewer); visible {
			n.seen = append(n.seen, seen{n.from + i, e})
		}
	}
	if len(n.seen) > backlog {
		n.from, n.seen, n.missed = n.to, nil, true
	}
	if f.viewer != match.Nobody {
		n.term, n.mark = r.terms[f.viewer], r.marks[f.viewer]
	}
	r.show(&n.update, f.viewer)
	f.sent, f.mark = n.to, n.mark
	f.send(&n)
}

// tellBehind tells a reader what it does not have. If this node took its node
// for gone meanwhile, it has had more news than are known of here.
func (f *remote) tellBehind(w *want) {
	f.version = max(f.version, w.version)
	f.tell(w.have)
}

// close implements reader.
func (f *remote) close(err error) {
	if errors.Is(err, ErrEnded) {
		f.ended = true
		f.tell(f.sent)
		return
	}
	f.send(&news{what: closed, viewer: f.viewer, token: f.token})
}

func (f *remote) send(n *news) {
	data, err := packed.Append(nil, n.pack(time.Now()))
	if err != nil {
		f.referee.cfg.Log.Error("parcel cannot be packed", "match", f.referee.cfg.ID, "error", err)
		return
	}
	f.reply(data)
}

func (w *faraway) publish(events []match.Event) {
	if w == nil {
		return
	}
	for _, f := range w.feeds {
		f.put(nil, events, nil)
	}
}

func (w *faraway) end() {
	if w == nil {
		return
	}
	for _, f := range w.feeds {
		f.close(ErrEnded)
	}
}

// errands does what other nodes want.
func (r *referee) errands() {
	for !r.lost && r.game.Phase() != match.Over {
		e, ok := r.match.errands.next()
		if !ok {
			return
		}
		switch e.do {
		case serve:
			r.serve(&e)
		case gone:
			r.forgetNode(e.node, e.home)
		case yield:
			r.lost, r.yielded = true, e.done
		case relink:
			r.lost, r.relinked = true, true
		case takeOver:
			close(e.done)
		}
	}
}

// serve is [Match.Serve].
func (r *referee) serve(e *errand) {
	var w want
	if err := read(e.data, w.pack); err != nil {
		r.cfg.Log.Warn("bad parcel", "match", r.cfg.ID, "node", e.node, "error", err)
		return
	}
	if r.far == nil {
		r.far = &faraway{heard: map[nodeSeat]uint64{}}
	}
	switch {
	case w.abort:
		r.apply(match.Void(match.Closed))
	case w.viewer == match.Nobody:
		r.serveSpectators(e, &w)
	default:
		r.serveSeat(e, &w)
	}
}

func (r *referee) newRemote(e *errand, w *want) *remote {
	return &remote{referee: r, node: e.node, viewer: w.viewer, token: w.token, reply: e.reply, version: w.version, sent: w.have}
}

func (r *referee) serveSpectators(e *errand, w *want) {
	i := slices.IndexFunc(r.far.feeds, func(f *remote) bool { return f.node == e.node })
	if w.leave {
		if i >= 0 {
			r.far.feeds = slices.Delete(r.far.feeds, i, i+1)
		}
		r.newRemote(e, w).close(ErrReplaced)
		return
	}
	known := i >= 0
	if !known {
		i = len(r.far.feeds)
		r.far.feeds = append(r.far.feeds, r.newRemote(e, w))
	}
	f := r.far.feeds[i]
	if f.token != w.token {
		f, known = r.newRemote(e, w), false
		r.far.feeds[i] = f
	}
	if !known || w.ask && w.version != f.version {
		f.tellBehind(w)
	}
}

func (r *referee) serveSeat(e *errand, w *want) {
	side := w.viewer
	f, ok := r.seats[side].(*remote)
	version := uint64(0) // of what it was told before
	if ok && f.node == e.node && f.token == w.token {
		f.reply, version = e.reply, f.version
	} else {
		f = r.newRemote(e, w)
		from := nodeSeat{e.node, side}
		// Whose token was heard before has left, or somebody came in its place;
		// so did somebody if its term is over, but for itself: what it has said
		// first may arrive again, and late. Who has the same term has come home.
		_, home := r.seats[side].(*Mailbox)
		late := w.term != 0 && (w.term < r.terms[side] && r.far.last[side] != e.node || w.term == r.terms[side] && home)
		if w.token <= r.far.heard[from] || late {
			f.close(ErrReplaced)
			return
		}
		r.far.heard[from] = w.token
		r.far.last[side] = e.node
		term := max(w.term, r.terms[side])
		if w.term == 0 {
			term = r.nextTerm(side)
		}
		r.seat(side, f, term)
	}
	if w.refused >= f.number {
		f.refused = nil
	}
	for i := range w.orders {
		o := &w.orders[i]
		if o.number <= r.marks[side] {
			continue
		}
		r.marks[side] = o.number
		q := o.request(side)
		r.carryOut(&q)
		if r.lost || r.game.Phase() == match.Over {
			return
		}
	}
	switch {
	case w.leave:
		f.close(ErrReplaced)
		if r.seats[side] == reader(f) {
			r.leave(side)
		}
	case w.ask && f.version == version && w.version != version:
		f.tellBehind(w)
	case f.mark < r.marks[side]:
		f.mark = r.marks[side]
		f.send(&news{what: acked, viewer: side, token: f.token, mark: f.mark})
	}
}

// serveLate answers a parcel that came after the end, if it is known how the
// match has ended. Any goroutine may call it: nothing changes.
func (m *Match) serveLate(e errand) {
	var w want
	if read(e.data, w.pack) != nil {
		return
	}
	if r := m.referee; r != nil {
		f := r.newRemote(&e, &w)
		f.ended = true
		f.tell(w.have)
		return
	}
	if last := m.follower.newest(match.Nobody); last != nil && last.View.Phase == match.Over {
		n := news{what: newest, viewer: w.viewer, token: w.token, version: w.version + 1, ended: true, update: *last}
		n.update.View.Viewer = w.viewer
		n.from, n.to = max(w.have, 0)+1, max(w.have, 0)+1 // what came last is not among its events
		if data, err := packed.Append(nil, n.pack(time.Now())); err == nil {
			e.reply(data)
		}
	}
}

// forgetNode is [Match.Gone].
func (r *referee) forgetNode(node string, home []match.Side) {
	for _, side := range home {
		if r.seats[side] == nil && !r.clocks.gone[side] && r.game.Phase() != match.Over {
			r.leave(side)
		}
	}
	if r.far == nil {
		return
	}
	r.far.feeds = slices.DeleteFunc(r.far.feeds, func(f *remote) bool { return f.node == node })
	for side := match.First; side <= match.Second; side++ {
		delete(r.far.heard, nodeSeat{node, side})
		// It is not told: if it lives, it may come back.
		if f, ok := r.seats[side].(*remote); ok && f.node == node && r.game.Phase() != match.Over {
			r.leave(side)
		}
	}
}

// append appends events to what outlives this node, for as long as it takes.
// False means that the referee is lost.
func (r *referee) append(events []match.Event) bool {
	m := r.match
	for pause := appendPause; ; pause = min(2*pause, time.Second) {
		err := r.cfg.Append(r.ctx, events, r.marks)
		if err == nil {
			return true
		}
		if r.ctx.Err() != nil && events[0].Kind == match.GameEnded && events[0].Reason == match.Closed {
			return true // it ends with this node; others know nothing of it
		}
		if errors.Is(err, ErrFenced) || r.ctx.Err() != nil {
			return false
		}
		if pause == appendPause {
			r.cfg.Log.Warn("a match waits: its newest events cannot be kept yet", "match", r.cfg.ID, "error", err)
		}
		timer := time.NewTimer(pause)
		for waiting := true; waiting; {
			inbox := m.inbox
			if len(m.later) >= maxParcels {
				inbox = nil
			}
			select {
			case q := <-inbox: // its sender must not wait for other nodes
				m.later = append(m.later, q)
			case <-timer.C:
				waiting = false
			case <-r.ctx.Done():
				waiting = false
			}
		}
		timer.Stop()
		if m.errands.has(yield) || m.errands.has(relink) {
			return false // whoever is next finds out whether they were appended
		}
	}
}

// resume is a referee for a match that another one has begun.
func resume(m *Match, cfg Config, marks [2]uint64) (*referee, error) {
	r := &referee{match: m, cfg: cfg, started: time.Now(), marks: marks}
	if r.cfg.Log == nil {
		r.cfg.Log = discard
	}
	r.clocks = newClocks(&r.cfg, r.started)
	if err := r.rebuild(); err != nil {
		return nil, err
	}
	for side, seat := range cfg.Seats {
		if !seat.Bot && r.game.Phase() != match.Over {
			r.clocks.spent[side] = min(0, seat.Grace-returnTime)
			r.clocks.away(match.Side(side), time.Now())
		}
	}
	return r, nil
}

// adopt takes the readers of a follower over.
func (r *referee) adopt(f *follower) {
	m := r.match
	if r.game.Phase() == match.Over && r.cfg.Ending != nil {
		r.cfg.Ending(r.record())
	}
	since := func(x *feed) []match.Event {
		if x.have < 0 || x.have > r.told {
			return nil
		}
		return r.game.Events()[x.have:]
	}
	for side := match.First; side <= match.Second; side++ {
		// What this node knows of others may be from when it was not the owner any
		// more: they say themselves when they have come.
		x := &f.feeds[side]
		if x.mailbox != nil {
			r.seats[side], r.terms[side] = x.mailbox, x.term
			if x.term == 0 {
				r.terms[side] = r.nextTerm(side)
			}
			r.clocks.present(side)
		}
		var orders []request
		for _, o := range x.orders {
			if o.number == 0 || o.number > r.marks[side] {
				orders = append(orders, o.request(side))
			}
		}
		m.later = append(orders, m.later...)
	}
	if f.abort {
		m.later = append(m.later, request{do: command, side: match.Nobody, command: match.Void(match.Closed)})
	}
	for side := match.First; side <= match.Second; side++ {
		if b := r.seats[side]; b != nil {
			b.put(r, since(&f.feeds[side]), nil)
		}
	}
	if m.watchers > 0 {
		m.stand.publish(r, since(&f.feeds[match.Nobody]))
	}
}

// give gives the readers to a follower.
func (r *referee) give() {
	m := r.match
	f := newFollower(m, r.cfg.Far)
	f.far.Log = r.cfg.Log
	for side := match.First; side <= match.Second; side++ {
		x := &f.feeds[side]
		x.mark, x.term = r.marks[side], r.terms[side]
		b, ok := r.seats[side].(*Mailbox)
		if !ok {
			continue
		}
		if r.cfg.Seats[side].Bot {
			m.seats[side].lost(b)
			continue
		}
		x.mailbox, x.wanted, x.have, x.sent = b, true, r.told, time.Now()
		if q := r.open; q != nil && q.side == side {
			x.orders = []order{{number: x.mark, claim: q.do == claim, command: q.command}}
		}
	}
	if q := r.open; q != nil && q.side == match.Nobody {
		f.abort = true
	}
	if m.watchers > 0 {
		x := &f.feeds[match.Nobody]
		x.wanted, x.have, x.sent = true, r.told, time.Now()
	}
	r.cfg.Log.Info("match runs elsewhere", "match", r.cfg.ID)
	m.referee, m.follower = nil, f
	m.here.Store(false)
	if r.yielded != nil {
		close(r.yielded)
	}
	if r.relinked {
		f.relink()
	}
}
