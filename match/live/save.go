package live

import (
	"errors"
	"slices"
	"time"

	"broadside/match"
)

// pauseAfter is how long saving may take before the match counts as paused.
const pauseAfter = 500 * time.Millisecond

// After a failure, [Config].Append is called again at once, then after minRetry, and
// then after twice as long each time, up to maxRetry.
const (
	minRetry = 10 * time.Millisecond
	maxRetry = time.Second
)

// maxWaiting is the maximum number of commands of one side that wait while events are being
// saved. A program sends at most its results, a move and the shots of a turn.
const maxWaiting = 2*match.MaxShips + 4

// ErrPaused is returned for commands while the match is paused.
var ErrPaused = errors.New("the match is paused: the server cannot save it at the moment")

// ErrUnsettled is returned if it is unknown whether a command was carried out, because the
// match's context has ended.
var ErrUnsettled = errors.New("the match no longer runs here")

// save appends events and, if they end the match, calls Ending. It reports whether
// readers may see the events, and whether the match was paused meanwhile. The clocks
// stand still until it returns.
func (r *referee) save(events []match.Event) (saved, paused bool) {
	began := time.Now()
	r.unsaved = events
	if !r.append(events) {
		r.seen() // must be computed before the match ends
		return false, false
	}
	r.recordCommitments(events)
	if r.game.Phase() == match.Over && r.cfg.Ending != nil {
		r.ending()
	}
	took := time.Since(began)
	r.clocks.shift(took)
	if paused = r.paused; paused {
		r.cfg.Log.Info("match resumed", "match", r.cfg.ID, "after", took)
	}
	r.unsaved, r.paused, r.before = nil, false, nil
	return true, paused
}

// append calls Append until it succeeds. It returns false if the match's context
// ends before that.
func (r *referee) append(events []match.Event) bool {
	last := &events[len(events)-1]
	if r.cfg.Append == nil || r.ctx.Err() != nil && last.Kind == match.GameEnded && last.Reason == match.Closed {
		return true
	}
	if !r.cfg.Waits && r.cfg.Append(r.ctx, events) == nil {
		return true
	}
	return r.await(func() error { return r.cfg.Append(r.ctx, events) })
}

func (r *referee) ending() {
	rec := r.record(r.game.Events())
	if !r.cfg.Waits {
		r.cfg.Ending(rec)
		return
	}
	r.await(func() error { r.cfg.Ending(rec); return nil })
}

// await calls f on another goroutine until it succeeds, and accepts requests meanwhile. It
// returns false if the match's context ends first.
func (r *referee) await(f func() error) bool {
	result := make(chan error, 1)
	calling := false
	call := func() {
		calling = true
		go func() { result <- f() }()
	}
	call()
	pause := time.NewTimer(pauseAfter)
	defer pause.Stop()
	var again <-chan time.Time
	for retry := minRetry; ; {
		select {
		case err := <-result:
			calling = false
			if err == nil {
				return true
			}
			if r.ctx.Err() != nil {
				return false
			}
			if retry == minRetry {
				r.cfg.Log.Warn("cannot save the newest events of a match; retrying", "match", r.cfg.ID, "error", err)
			}
			again = time.After(retry)
			retry = min(2*retry, maxRetry)
		case <-again:
			call()
		case <-pause.C:
			r.paused = true
			r.publish(nil)
		case q := <-r.match.inbox:
			r.hold(&q)
		case <-r.ctx.Done():
			return calling && <-result == nil
		}
	}
}

// hold accepts a request while events are being saved. Readers attach and detach at once;
// commands wait.
func (r *referee) hold(q *request) {
	switch q.do {
	case attach:
		r.waiting = slices.DeleteFunc(r.waiting, func(w request) bool { return w.do == detach && w.side == q.side })
		r.handle(q)
	case watch, unwatch:
		r.handle(q)
	case detach, since, settle:
		r.waiting = append(r.waiting, *q)
	default:
		if r.tooMany(q) {
			r.sendError(q.side, ErrPaused)
			return
		}
		r.waiting = append(r.waiting, *q)
	}
}

// tooMany reports whether too many commands of a side are waiting to accept another one.
// While the match is paused, the limit is the shots of one turn.
func (r *referee) tooMany(q *request) bool {
	commands, shots := 0, 0
	for i := range r.unsaved {
		if e := &r.unsaved[i]; e.Kind == match.ShotFired && e.Side == q.side {
			shots++
		}
	}
	chart := r.game.Chart(q.side)
	allowed := r.cfg.Rules.Shots(len(r.cfg.Rules.Fleet), &chart)
	for i := range r.waiting {
		w := &r.waiting[i]
		if w.side != q.side || w.do == detach || w.do == since || w.do == settle {
			continue
		}
		commands++
		shots += w.shots()
	}
	return commands >= maxWaiting || r.paused && q.shots() > 0 && shots+q.shots() > allowed
}

// shots returns how many shots a request fires.
func (q *request) shots() int {
	if q.fires() && q.command.Cells == nil {
		return len(q.target)
	}
	return len(q.command.Cells) // 0 for other commands
}

// seen returns the game as readers may see it.
func (r *referee) seen() *match.Game {
	if r.unsaved == nil && r.game.Partial() == 0 {
		return r.game
	}
	if r.before == nil {
		g, err := match.Replay(r.cfg.Rules, r.cfg.Audit, r.game.Events()[:r.told])
		if err != nil { // cannot happen with events of this game
			r.cfg.Log.Error("match cannot be replayed", "match", r.cfg.ID, "error", err)
			g = match.NewGame(r.cfg.Rules, r.cfg.Audit)
		}
		r.before = g
	}
	return r.before
}
