package live

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"broadside/match"
)

// request is what a seat or a spectator asks of the referee.
type request struct {
	do        verb
	side      match.Side
	command   match.Command
	fired     time.Time  // when a shot was; zero for all else
	mailbox   *Mailbox   // for attach and detach
	spectator *Spectator // for watch
}

type verb uint8

const (
	command verb = iota
	attach
	detach
	claim
	watch
	unwatch
)

// referee owns a game. Every field belongs to its goroutine, unless it says
// otherwise.
type referee struct {
	cfg      Config
	game     *match.Game
	inbox    <-chan request
	started  time.Time
	seats    [2]*Mailbox // nil until the seat's player attaches
	watchers int         // spectators
	stand    stand       // what they see; it has a lock
	clocks   clocks
	seals    [2]string // see [Update]
	timer    *time.Timer
	alarm    time.Time // when timer goes off
}

func newReferee(cfg Config, inbox <-chan request) (*referee, error) {
	r := &referee{cfg: cfg, inbox: inbox, started: time.Now()}
	r.clocks = newClocks(&r.cfg, r.started)
	if !cfg.Interrupted {
		r.game = match.NewGame(cfg.Rules, cfg.Audit)
		return r, nil
	}
	var err error
	if r.game, err = match.Replay(cfg.Rules, cfg.Audit, cfg.History); err != nil {
		return nil, err
	}
	if r.game.Phase() == match.Over {
		return nil, match.ErrOver
	}
	r.seal(cfg.History)
	now := r.started
	if n := len(cfg.History); n > 0 {
		r.started = now.Add(-cfg.History[n-1].At) // as if there had been no interruption
	}
	r.clocks.follow(r.game, now, false)
	for side, seat := range cfg.Seats {
		if seat.Grace > 0 {
			r.clocks.away(match.Side(side), now)
		}
	}
	return r, nil
}

// run referees the match to its end.
func (r *referee) run(ctx context.Context) {
	r.timer = time.NewTimer(time.Hour)
	r.alarm = r.started.Add(time.Hour)
	defer r.timer.Stop()
	defer r.finish()
	// A fault in this match must not end the others: it is logged, and the
	// match ends without a winner.
	defer func() {
		if p := recover(); p != nil {
			r.cfg.Log.Error("match failed", "match", r.cfg.ID, "panic", p, "stack", string(debug.Stack()))
			r.apply(match.Void(match.Closed))
		}
	}()
	r.cfg.Log.Info("match started", "match", r.cfg.ID, "rules", r.cfg.Rules.Name,
		"first", r.cfg.Seats[match.First].Name, "second", r.cfg.Seats[match.Second].Name)
	for r.game.Phase() != match.Over {
		r.arm()
		select {
		case q := <-r.inbox:
			r.handle(q)
		case <-r.timer.C:
			r.alarm = time.Time{}
			r.expire(time.Now())
		case <-ctx.Done():
			r.apply(match.Void(match.Closed))
		}
	}
}

func (r *referee) handle(q request) {
	switch q.do {
	case command:
		err := r.apply(q.command)
		if err != nil {
			r.refuse(q.side, err)
		}
		if err == nil && !q.fired.IsZero() && r.cfg.Shot != nil {
			r.cfg.Shot(time.Since(q.fired))
		}
	case attach:
		if old := r.seats[q.side]; old != nil {
			old.close(ErrReplaced)
		}
		r.seats[q.side] = q.mailbox
		r.clocks.present(q.side)
		r.publish(nil)
	case detach:
		if q.mailbox != nil && r.seats[q.side] == q.mailbox {
			r.leave(q.side)
		}
	case claim:
		other := q.side.Other()
		if r.clocks.late[other] {
			r.apply(match.Forfeit(other, match.Left))
		} else if b := r.seats[q.side]; b != nil {
			b.put(r, nil, ErrNoClaim)
		}
	case watch:
		r.watchers++
		r.stand.admit(r, q.spectator)
	case unwatch:
		if r.watchers--; r.watchers == 0 {
			r.stand.clear()
		}
	}
}

func (r *referee) leave(side match.Side) {
	r.seats[side].close(ErrReplaced)
	r.seats[side] = nil
	if r.cfg.Seats[side].Grace <= 0 {
		r.apply(match.Forfeit(side, match.Left))
		return
	}
	r.clocks.away(side, time.Now())
	if other := side.Other(); r.clocks.late[other] { // nobody waits for it any more
		r.apply(match.Forfeit(other, match.Left))
		return
	}
	r.publish(nil)
}

// apply carries out a command and tells everyone.
func (r *referee) apply(c match.Command) error {
	now := time.Now()
	c.At = now.Sub(r.started)
	events, err := r.game.Apply(c)
	if err != nil {
		return err
	}
	r.seal(events)
	r.clocks.follow(r.game, now, events[0].Kind == match.FleetMoved)
	switch over := r.game.Phase() == match.Over; {
	case over && r.cfg.Ending != nil:
		r.cfg.Ending(r.record())
	case !over && r.cfg.Happened != nil:
		r.cfg.Happened(events)
	}
	r.publish(events)
	return nil
}

// seal commits to the layouts that events bring.
func (r *referee) seal(events []match.Event) {
	for i := range events {
		e := &events[i]
		if e.Kind != match.FleetPlaced {
			continue
		}
		if salt := r.cfg.Seats[e.Side].Salt; salt != "" {
			r.seals[e.Side] = match.Commitment(match.Opening(salt, e.Layout()))
		}
	}
}

// refuse answers a command that was illegal.
func (r *referee) refuse(side match.Side, err error) {
	if side > match.Second {
		return
	}
	if r.cfg.Seats[side].Strict {
		r.cfg.Log.Warn("illegal command", "match", r.cfg.ID, "player", r.cfg.Seats[side].Name, "error", err)
		r.apply(match.Forfeit(side, breach(err)))
		return
	}
	if b := r.seats[side]; b != nil {
		b.put(r, nil, err)
	}
}

// breach is the reason to lose that goes with an illegal command.
func breach(err error) match.Reason {
	switch {
	case errors.Is(err, match.ErrOffBoard):
		return match.BadCell
	case errors.Is(err, match.ErrWrongCell):
		return match.WrongCell
	case errors.Is(err, match.ErrBadResult):
		return match.BadParameters
	}
	return match.OutOfTurn
}

// publish gives everyone the new state, and what led to it.
func (r *referee) publish(events []match.Event) {
	for side, b := range r.seats {
		if hidden(events, match.Side(side)) {
			continue // not even when it happened is told
		}
		if b != nil && !(r.cfg.Seats[side].NoEcho && echoes(events, match.Side(side))) {
			b.put(r, events, nil)
		}
	}
	if r.watchers > 0 && !hidden(events, match.Nobody) {
		r.stand.publish(r, events)
	}
}

// show brings an update up to date for a viewer, but for its events.
func (r *referee) show(u *Update, viewer match.Side) {
	u.View = r.game.View(viewer)
	u.Names = [2]string{r.cfg.Seats[match.First].Name, r.cfg.Seats[match.Second].Name}
	u.Seals = r.seals
	r.clocks.show(u)
}

// hidden tells whether there are events of which the viewer may know none.
func hidden(events []match.Event, viewer match.Side) bool {
	for _, e := range events {
		if _, seen := e.Visible(viewer); seen {
			return false
		}
	}
	return len(events) > 0
}

// echoes tells whether the events are shots and answers of one side, and
// nothing else.
func echoes(events []match.Event, side match.Side) bool {
	for i := range events {
		e := &events[i]
		if e.Side != side || e.Kind != match.ShotFired && e.Kind != match.ShotAnswered {
			return false
		}
	}
	return len(events) > 0
}

// greet gives a new reader the state as it is. After the match any goroutine
// may call it, for nothing changes any more.
func (r *referee) greet(b *Mailbox) { b.put(r, nil, nil) }

// arm sets the timer to the next deadline. A timer that will go off too early
// is left alone: that costs one idle wake-up now and then, where setting it
// anew would cost something at every shot.
func (r *referee) arm() {
	next := r.clocks.next()
	if next.IsZero() || !r.alarm.IsZero() && !next.Before(r.alarm) {
		return
	}
	r.alarm = next
	r.timer.Reset(time.Until(next))
}

// expire does what the clocks that have run out ask for.
func (r *referee) expire(now time.Time) {
	for side := match.First; side <= match.Second; side++ {
		var c match.Command
		switch r.clocks.expired(side, now) {
		case placeTime:
			c = match.Place(side, r.cfg.Rules.RandomLayout(r.cfg.Rand))
		case sailTime:
			c = match.Sail(side, match.Stay)
			c.Auto = true
		case turnTime:
			c = match.Fire(side, r.randomShot(side))
			c.Auto = true
		case moveTime:
			c = match.Forfeit(side, match.Silent)
		case graceTime:
			if other := side.Other(); r.cfg.Seats[other].Claims && r.seats[other] != nil {
				r.clocks.late[side] = true
				r.publish(nil)
				continue
			}
			c = match.Forfeit(side, match.Left)
		default:
			continue
		}
		if err := r.apply(c); err != nil {
			r.cfg.Log.Error("clock could not act", "match", r.cfg.ID, "side", side, "error", err)
			r.apply(match.Void(match.Closed))
		}
		return // the game has moved on, so have the other clocks
	}
}

// randomShot is one of the cells worth a shot. Only answers that contradict
// the rules can leave none.
func (r *referee) randomShot(side match.Side) match.Cell {
	chart := r.game.Chart(side)
	cells := chart.Open()
	if cells.Empty() {
		cells = r.cfg.Rules.Board()
	}
	return cells.Nth(r.cfg.Rand.IntN(cells.Len()))
}

// finish tells all readers that nothing more will come.
func (r *referee) finish() {
	rec := r.record()
	r.cfg.Log.Info("match ended", "match", rec.ID, "winner", rec.winnerName(), "reason", rec.Reason.String(), "took", rec.Took)
	for _, b := range r.seats {
		if b != nil {
			b.close(ErrEnded)
		}
	}
	r.stand.end()
}

func (r *referee) record() Record {
	events := r.game.Events()
	rec := Record{
		ID: r.cfg.ID, Rules: r.cfg.Rules, Started: r.started, Events: events,
		Names: [2]string{r.cfg.Seats[0].Name, r.cfg.Seats[1].Name}, Seals: r.seals,
	}
	if n := len(events); n > 0 && events[n-1].Kind == match.GameEnded {
		rec.Took, rec.Winner, rec.Reason = events[n-1].At, events[n-1].Side, events[n-1].Reason
	}
	return rec
}

func (r Record) winnerName() string {
	if r.Winner > match.Second {
		return ""
	}
	return r.Names[r.Winner]
}
