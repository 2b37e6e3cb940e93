package live

import (
	"errors"
	"time"

	"broadside/match"
)

// pauseAfter is how long saving may take before the match counts as paused.
const pauseAfter = 500 * time.Millisecond

// After a failure, a match is saved again after minRetry, and then after twice as long each
// time, up to maxRetry.
const (
	minRetry = 10 * time.Millisecond
	maxRetry = time.Second
)

// maxWaiting is the maximum number of commands of one side that wait while events are being
// saved. A program sends at most its results, a move and a turn's shots.
const maxWaiting = 2*match.MaxShips + 4

// ErrPaused refuses commands while the match is paused.
var ErrPaused = errors.New("the match is paused: the server cannot save it at the moment")

// ErrOutcomeUnknown is returned if it is unknown whether a command was carried out, because the
// match's context has ended.
var ErrOutcomeUnknown = errors.New("the match no longer runs here")

func (r *referee) startSaving(events []match.Event) {
	r.saving, r.unsaved, r.savingSince = true, events, time.Now()
	go r.save(events)
}

// save saves the newest events, on its own goroutine. It ends the match if the game is over, or
// if the context has ended before they are saved.
func (r *referee) save(events []match.Event) {
	m, all, over := r.match, r.game.Events(), r.game.Phase() == match.Over
	timer := time.AfterFunc(pauseAfter, func() { m.withReferee(func(r *referee) { r.pause(len(all)) }) })
	ok := r.retrySave(func() error {
		if over {
			return r.callFinish(all)
		}
		return r.cfg.Append(r.ctx, len(all)-len(events), events, r.turnAfter(events))
	})
	timer.Stop()
	if ok && !over {
		m.withReferee((*referee).resume)
		return
	}
	m.mu.Lock()
	// Readers must not see the end before this, so that players who see it can start another match.
	close(m.done)
	if ok {
		m.withRefereeLocked((*referee).resume)
	} else {
		// visibleGame must be computed before the match ends.
		r.visibleGame()
		r.stopped = true
	}
	r.finish()
	m.mu.Unlock()
	if r.cfg.OnEnded != nil {
		r.cfg.OnEnded()
	}
}

// retrySave calls save until it succeeds. It returns false if the match's context ends before that.
func (r *referee) retrySave(save func() error) bool {
	for pause := minRetry; ; pause = min(2*pause, maxRetry) {
		err := save()
		if err == nil || r.ctx.Err() != nil {
			return err == nil
		}
		if pause == minRetry {
			r.cfg.Log.Warn("cannot save the newest events of a match; retrying", "match", r.cfg.ID, "error", err)
		}
		select {
		case <-time.After(pause):
		case <-r.ctx.Done():
			return false
		}
	}
}

// callFinish calls Finish. If Finish panics, the match still ends.
func (r *referee) callFinish(events []match.Event) error {
	defer func() {
		p := recover()
		if p != nil {
			r.cfg.logPanic(p)
		}
	}()
	if r.cfg.Finish == nil {
		return nil
	}
	return r.cfg.Finish(r.ctx, r.newRecord(events))
}

// resume continues the match after its events are saved.
func (r *referee) resume() {
	took, paused, events := time.Since(r.savingSince), r.paused, r.unsaved
	r.saving, r.unsaved, r.paused, r.publishedGame = false, nil, false, nil
	r.clocks.shiftDeadlines(took)
	if len(events) > 0 {
		r.publishSaved()
	}
	if paused {
		// Readers who may not see the events still need to learn that the pause is over.
		r.cfg.Log.Info("match resumed", "match", r.cfg.ID, "after", took)
		r.publish(nil)
	}
	for len(r.waiting) > 0 && !r.saving && !r.isOver() {
		var w request
		w, r.waiting = r.waiting[0], r.waiting[1:]
		w.run(r)
	}
}

// pause marks the match as paused, unless more than the given number of events have happened
// since.
func (r *referee) pause(events int) {
	if r.saving && !r.isOver() && events == len(r.game.Events()) {
		r.paused = true
		r.publish(nil)
	}
}

// request is a call that waits while events are being saved.
type request struct {
	side match.Side
	// command marks a request that may change the game. After the match it does nothing.
	command  bool
	detaches bool
	// shots is the number of shots that the request fires.
	shots int
	run   func(*referee)
}

// submit calls w.run after all requests that wait. It drops a command if too many requests wait or
// the match is over.
func (r *referee) submit(w request) {
	if w.command && r.isOver() {
		return
	}
	if w.command && r.saving && w.side <= match.Second && r.hasTooManyWaiting(w) {
		r.sendError(w.side, ErrPaused)
		return
	}
	if r.saving && !r.isOver() {
		r.waiting = append(r.waiting, w)
		return
	}
	w.run(r)
}

// hasTooManyWaiting reports whether so many commands of a side wait that another one is refused.
// While the match is paused, the limit is the shots of one turn.
func (r *referee) hasTooManyWaiting(w request) bool {
	commands, shots := 0, w.shots
	for i := range r.unsaved {
		e := &r.unsaved[i]
		if e.Kind == match.ShotFired && e.Side == w.side {
			shots++
		}
	}
	for _, other := range r.waiting {
		if other.side == w.side && other.command {
			commands++
			shots += other.shots
		}
	}
	chart := r.game.Chart(w.side)
	allowed := r.cfg.Rules.ShotsPerTurn(len(r.cfg.Rules.Fleet), &chart)
	return commands >= maxWaiting || r.paused && w.shots > 0 && shots > allowed
}

// visibleGame returns the game as readers may see it.
func (r *referee) visibleGame() *match.Game {
	if r.unsaved == nil && r.game.IncompleteEvents() == 0 {
		return r.game
	}
	if r.publishedGame == nil {
		r.publishedGame = r.replayPublished()
	}
	return r.publishedGame
}

// replayPublished returns a new game with the events that readers may see.
func (r *referee) replayPublished() *match.Game {
	g, err := match.Replay(r.cfg.Rules, r.cfg.Audit, r.game.Events()[:r.published])
	if err != nil {
		// This cannot happen with events of this game.
		r.cfg.Log.Error("cannot replay a match", "match", r.cfg.ID, "error", err)
		g = match.NewGame(r.cfg.Rules, r.cfg.Audit)
	}
	return g
}
