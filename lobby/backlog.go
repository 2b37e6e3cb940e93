package lobby

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"broadside/internal/store"
	"broadside/match"
)

// backlog is the matches that have ended and could not be stored. One goroutine
// tries them again, all of them in turn, until they are stored or the lobby
// ends. All of it is guarded by the lobby's lock.
type backlog struct {
	waiting []*unstored
	empty   chan struct{} // closed when the goroutine has nothing left to do; nil if there is none
}

// unstored is such a match.
type unstored struct {
	game    *game
	match   store.Match
	players [2]Player // as of its end
}

const (
	// maxBacklog bounds the memory that a disk which stays away costs.
	maxBacklog = 1000
	// retryFirst and retryLast are the shortest and the longest pause before
	// the disk is tried again.
	retryFirst, retryLast = time.Second, time.Minute
)

// storeLater takes a match in that could not be stored.
func (l *Lobby) storeLater(u *unstored, why error) {
	if !l.queue(u) {
		l.giveUp(u, why)
		return
	}
	l.cfg.Log.Error("match was not stored: it is tried again", "match", u.match.ID, "error", why)
}

// queue puts a match behind those that wait, unless they are too many.
func (l *Lobby) queue(u *unstored) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := &l.backlog
	if len(b.waiting) >= maxBacklog {
		return false
	}
	b.waiting = append(b.waiting, u)
	if b.empty == nil {
		b.empty = make(chan struct{})
		l.work.Go(l.catchUp)
	}
	return true
}

// catchUp stores what waits. When the lobby ends, it tries everything once more.
func (l *Lobby) catchUp() {
	for pause := retryFirst; ; pause = min(2*pause, retryLast) {
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-l.ctx.Done():
			timer.Stop()
		}
		last := l.ctx.Err() != nil
		failed, why := l.storeWaiting()
		switch {
		case why == nil:
		case last:
			for _, u := range failed {
				l.giveUp(u, why)
			}
			l.forget(failed)
		default:
			l.cfg.Log.Warn("matches wait to be stored", "count", len(failed), "error", why)
		}
		if l.settle() {
			return
		}
	}
}

// storeWaiting tries to store all matches that wait, and returns those that wait
// on and the reason of the last one.
func (l *Lobby) storeWaiting() (failed []*unstored, why error) {
	l.mu.Lock()
	all := slices.Clone(l.backlog.waiting)
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	for _, u := range all {
		if err := l.store(ctx, u); err != nil {
			failed, why = append(failed, u), err
			continue
		}
		l.forget([]*unstored{u})
		l.cfg.Log.Info("match is stored after all", "match", u.match.ID)
	}
	return failed, why
}

// forget takes matches out of those that wait.
func (l *Lobby) forget(some []*unstored) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.backlog.waiting = slices.DeleteFunc(l.backlog.waiting, func(u *unstored) bool { return slices.Contains(some, u) })
}

// settle ends the goroutine if nothing waits, and tells whether it has.
func (l *Lobby) settle() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := &l.backlog
	if len(b.waiting) > 0 {
		return false
	}
	close(b.empty)
	b.empty = nil
	return true
}

// giveUp writes a whole match to the log, which is where it is kept then.
func (l *Lobby) giveUp(u *unstored, why error) {
	if l.clustered() {
		l.cfg.Log.Info("match is left to the next active node to store", "match", u.match.ID, "error", why)
		return
	}
	events, err := match.EncodeEvents(u.match.Rules, u.match.Events)
	if err != nil {
		l.cfg.Log.Error("events cannot be written", "match", u.match.ID, "error", err)
	}
	record, err := json.Marshal(struct {
		store.Summary
		Record json.RawMessage
	}{u.match.Summary, events})
	if err != nil {
		l.cfg.Log.Error("record cannot be written", "match", u.match.ID, "error", err)
	}
	l.cfg.Log.Error("match is lost to the database: this is its record", "match", u.match.ID, "error", why, "record", string(record))
}

// caughtUp waits until no match waits to be stored, or ctx ends, and returns how
// many do.
func (l *Lobby) caughtUp(ctx context.Context) int {
	l.mu.Lock()
	empty := l.backlog.empty
	l.mu.Unlock()
	if empty != nil {
		select {
		case <-empty:
		case <-ctx.Done():
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.backlog.waiting)
}

// store stores a match that is over, with what follows from it.
func (l *Lobby) store(ctx context.Context, u *unstored) error {
	stored, err := l.cfg.Store.Matches.Finish(ctx, u.match)
	if err != nil {
		return err
	}
	o := Outcome{Stored: true, Rated: stored.Rated}
	for side, s := range stored.Seats {
		o.Before[side], o.After[side], o.Provisional[side] = s.Before, s.After, s.Provisional
	}
	l.learn(ctx, u.players, u.match)
	l.settleOutcome(u.game, o)
	return nil
}
