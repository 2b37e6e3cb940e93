package lobby

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"broadside/internal/store"
	"broadside/match"
	"broadside/match/live"
)

// storeTimeout limits how long a caller waits for the database.
const storeTimeout = 3 * time.Second

// recorder stores finished matches and their consequences. Matches that cannot be stored
// go to its backlog, which a goroutine retries until it is empty or the lobby closes.
type recorder struct {
	lobby *Lobby

	mu      sync.Mutex    // never held while waiting
	backlog []*record     // guarded by mu
	empty   chan struct{} // guarded by mu: closed when the goroutine ends; nil if it is not running
}

// record is a match that has ended.
type record struct {
	game    *game
	match   store.Match
	players [2]Player // at the end of the match
}

const (
	// maxBacklog limits the memory of the backlog.
	maxBacklog = 1000
	// firstRetry and lastRetry are the shortest and the longest pause before the backlog
	// is retried.
	firstRetry, lastRetry = time.Second, time.Minute
)

// record stores a finished match. The match calls it before publishing its end, so only
// its players wait for the database.
func (rc *recorder) record(g *game, r live.Record) {
	l := rc.lobby
	if r.Winner != match.Nobody {
		l.mu.Lock()
		g.score[r.Winner]++
		l.mu.Unlock()
	}
	if l.cfg.Store == nil {
		return
	}
	if g.interrupted(r.Reason) {
		l.setOutcome(g, Outcome{Continues: true})
		return
	}
	l.mu.Lock()
	ended := &record{g, recordOf(r, g.storeSeatsLocked(), g.salts, g.stakes, g.private), g.players}
	l.mu.Unlock()
	rc.storeOrDrop(context.Background(), ended)
}

// storeOrDrop stores a match, or removes its journal if the match should not be stored.
func (rc *recorder) storeOrDrop(ctx context.Context, r *record) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	l, id := rc.lobby, r.match.ID
	r.match.Ladder = r.game.ladder
	if isHotSeat(r.players) && !hotSeatRecord(&r.match) {
		if !l.clustered() {
			return
		}
		if err := l.cfg.Store.Running.Forget(ctx, id); err != nil {
			l.cfg.Log.Warn("the journal of a match was not removed", "match", id, "error", err)
		}
		return
	}
	err := rc.store(ctx, r)
	switch {
	case err == nil:
	case rc.add(r):
		l.cfg.Log.Error("match not stored; retrying", "match", id, "error", err)
	default:
		rc.giveUp(r, err)
	}
}

// store stores a match.
func (rc *recorder) store(ctx context.Context, r *record) error {
	stored, err := rc.lobby.cfg.Store.Matches.Finish(ctx, r.match)
	if err != nil {
		return err
	}
	rc.lobby.memories.Learn(ctx, r.players, r.match)
	rc.lobby.Accounts.AddMatch(stored, r.match.Aborter)
	rc.lobby.setOutcome(r.game, outcomeOf(stored))
	rc.lobby.setRatings(stored)
	return nil
}

// setOutcome sets the outcome of a match that has ended.
func (l *Lobby) setOutcome(g *game, o Outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g.outcome = o
}

// setRatings shows the new ratings of a match's players in all their sessions.
func (l *Lobby) setRatings(stored store.Summary) {
	o := outcomeOf(stored)
	if !o.Rated {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for side, seat := range stored.Seats {
		for _, m := range l.members.byID[seat.Player] {
			m.player.Ratings = m.player.Ratings.Replace(stored.RuleSet, o.RatingText(match.Side(side)))
			l.changedLocked()
		}
	}
}

// add adds a match to the backlog. It returns false if the backlog is full.
func (rc *recorder) add(r *record) bool {
	rc.mu.Lock()
	defer rc.mu.Unlock()
	if len(rc.backlog) >= maxBacklog {
		return false
	}
	rc.backlog = append(rc.backlog, r)
	if rc.empty == nil {
		rc.empty = make(chan struct{})
		rc.lobby.work.Go(rc.retry)
	}
	return true
}

// retry stores the backlog. It makes a last attempt when the lobby closes.
func (rc *recorder) retry() {
	l := rc.lobby
	for pause := firstRetry; ; pause = min(2*pause, lastRetry) {
		closing := !sleep(l.ctx, pause)
		failed, err := rc.storeBacklog()
		switch {
		case err == nil:
		case closing:
			for _, r := range failed {
				rc.giveUp(r, err)
			}
			rc.remove(failed...)
		default:
			l.cfg.Log.Warn("matches waiting to be stored", "count", len(failed), "error", err)
		}
		if rc.endIfEmpty() {
			return
		}
	}
}

// storeBacklog tries to store the backlog. It returns the matches that could not be
// stored and the last error.
func (rc *recorder) storeBacklog() (failed []*record, why error) {
	rc.mu.Lock()
	all := slices.Clone(rc.backlog)
	rc.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	for _, r := range all {
		if err := rc.store(ctx, r); err != nil {
			failed, why = append(failed, r), err
			continue
		}
		rc.remove(r)
		rc.lobby.cfg.Log.Info("match stored after retrying", "match", r.match.ID)
	}
	return failed, why
}

// remove removes matches from the backlog.
func (rc *recorder) remove(some ...*record) {
	rc.mu.Lock()
	defer rc.mu.Unlock()
	rc.backlog = slices.DeleteFunc(rc.backlog, func(r *record) bool { return slices.Contains(some, r) })
}

// endIfEmpty reports whether the backlog is empty. If so, the goroutine must end.
func (rc *recorder) endIfEmpty() bool {
	rc.mu.Lock()
	defer rc.mu.Unlock()
	if len(rc.backlog) > 0 {
		return false
	}
	close(rc.empty)
	rc.empty = nil
	return true
}

// count returns the number of matches in the backlog.
func (rc *recorder) count() int {
	rc.mu.Lock()
	defer rc.mu.Unlock()
	return len(rc.backlog)
}

// wait waits until the backlog is empty or ctx ends, and returns the length of the
// backlog.
func (rc *recorder) wait(ctx context.Context) int {
	rc.mu.Lock()
	empty := rc.empty
	rc.mu.Unlock()
	if empty != nil {
		select {
		case <-empty:
		case <-ctx.Done():
		}
	}
	return rc.count()
}

// giveUp logs a match that cannot be stored. In a cluster, the next active node stores
// it.
func (rc *recorder) giveUp(r *record, why error) {
	l, id := rc.lobby, r.match.ID
	if l.clustered() {
		l.cfg.Log.Info("match left for the next active node to store", "match", id, "error", why)
		return
	}
	events, err := match.EncodeEvents(r.match.Rules, r.match.Events)
	if err != nil {
		l.cfg.Log.Error("events cannot be written", "match", id, "error", err)
	}
	text, err := json.Marshal(struct {
		store.Summary
		Record json.RawMessage
	}{r.match.Summary, events})
	if err != nil {
		l.cfg.Log.Error("record cannot be written", "match", id, "error", err)
	}
	l.cfg.Log.Error("match cannot be stored; the field record has it", "match", id, "error", why, "record", string(text))
}
