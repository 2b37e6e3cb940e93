package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"broadside/internal/store"
	"broadside/match"
)

const (
	journalPause = time.Second            // after a failed write of a journal
	journalPace  = 100 * time.Millisecond // the journals of all matches are written together at this interval
)

// journal records the events of a running match, so that it can resume after a restart.
//
// On a single server, events reach the database soon after the players have seen them,
// those of all matches in one transaction. Until then, the store's tail holds them. In a cluster, a match continues when another node becomes active and opens
// a new lobby, and the sessions of all players are attached to it. Events must therefore
// be in the database before anyone sees them.
type journal struct {
	game *game

	mu      sync.Mutex    // never held while waiting
	kept    bool          // the match has a journal; guarded by mu, like the fields below
	begun   bool          // the store has the beginning of the match
	stored  int           // number of events that the store has
	waiting []match.Event // the events after those
	since   time.Time     // when the oldest unstored event happened; zero if all are stored
	shown   int           // number of events that the players may see
	writing bool          // a goroutine is writing the journal
	failing bool          // the last write failed
}

// details holds the data about a running match that the store keeps in addition to its
// events.
type details struct {
	Rated   bool       `json:"rated"`
	Choice  Stakes     `json:"choice"`
	Stakes  Stakes     `json:"stakes"`
	Codes   [2]string  `json:"codes"` // see [SeatState]
	Salts   [2]string  `json:"salts"` // of the commitments to both fleets
	Private bool       `json:"room,omitempty"`
	Host    match.Side `json:"host,omitzero"` // see [Seat.Hosts]
	Ladder  bool       `json:"ladder,omitzero"`
	Timed   bool       `json:"timed,omitzero"`
	// Keys holds the fingerprints of the keys that the players signed in with.
	Keys [2][]string `json:"keys"`
	// Players is set in a cluster, where sessions of guests and programs continue.
	Players *[2]Player `json:"players,omitempty"`
}

// resumableLocked reports whether a match can continue after a restart. Only in a cluster
// do connections survive the restart, so only there can a match between programs resume.
func (g *game) resumableLocked() bool {
	return g.matches.lobby.clustered() || !g.hotSeat && g.countLocked(Program) == 0 && g.countLocked(Person) > 0
}

// outlastsLocked reports whether a match continues after a restart.
func (g *game) outlastsLocked() bool { return g.journal.isKept() && g.resumableLocked() }

// openLocked calls start to start a match, and writes its beginning before its events. A
// match that cannot resume still gets a journal if it should appear in a person's match
// history.
func (j *journal) openLocked(start func() error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := start(); err != nil {
		return err
	}
	g := j.game
	switch l := g.matches.lobby; {
	case !l.clustered():
		j.kept = l.cfg.Store != nil && !g.hotSeat && g.countLocked(Person) > 0
		if j.kept && (!j.begun || len(j.waiting) > 0) {
			j.startWriting()
		}
	case j.begun:
		j.kept = true
	default:
		j.kept = true
		if err := l.cfg.Store.Running.Begin(l.ctx, g.beginningLocked()); err != nil {
			l.cfg.Log.Error("the beginning of a match cannot be stored", "match", g.id, "error", err)
		}
	}
	return nil
}

// sleep waits for d. It returns false if ctx ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// append adds events to the journal and returns once players may see them, that is, once
// the events survive the end of the process. After an error the match calls append again
// with the same events.
func (j *journal) append(ctx context.Context, events []match.Event) error {
	l := j.game.matches.lobby
	if l.clustered() {
		return j.appendDurably(ctx, events)
	}
	end := events[len(events)-1]
	over := end.Kind == match.GameEnded
	if over && end.Reason == match.Closed && ctx.Err() != nil {
		return nil // the server is shutting down; the match has not ended
	}
	j.mu.Lock()
	if !j.kept {
		j.mu.Unlock()
		return nil
	}
	if j.shown == j.stored+len(j.waiting) { // false on a retry
		if len(j.waiting) == 0 {
			j.since = time.Now()
		}
		j.waiting = append(j.waiting, events...)
	}
	stored, waiting := j.stored, j.waiting
	j.mu.Unlock()

	err := l.cfg.Store.Running.Hold(j.game.id, stored, waiting)

	j.mu.Lock()
	defer j.mu.Unlock()
	if !over || err != nil { // the end is about to be stored with the whole match
		j.startWriting()
	}
	// Events that the tail cannot hold must be in the store before players see them.
	if err != nil && len(j.waiting) > 0 && ctx.Err() == nil {
		return err
	}
	j.shown = j.stored + len(j.waiting)
	return nil
}

// appendDurably is append in a cluster.
func (j *journal) appendDurably(ctx context.Context, events []match.Event) error {
	j.mu.Lock()
	stored := j.stored
	if j.since.IsZero() {
		j.since = time.Now()
	}
	j.mu.Unlock()
	err := j.game.matches.lobby.cfg.Store.Running.Append(ctx, j.game.id, stored, events)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stored, j.since = stored+len(events), time.Time{}
	return nil
}

// startWriting starts the writing goroutine unless it is running. It requires j.mu.
func (j *journal) startWriting() {
	if !j.writing {
		j.writing = true
		j.game.matches.lobby.work.Go(j.write)
	}
}

// write writes the journal until the store has all of it. After a failure it retries the
// failed write until the lobby closes.
func (j *journal) write() {
	l := j.game.matches.lobby
	for {
		if j.hasBegun() {
			sleep(l.ctx, time.Until(time.Now().Truncate(journalPace).Add(journalPace)))
		}
		done, err := j.writeNext()
		closing := err != nil && !sleep(l.ctx, journalPause)
		if closing {
			done, err = j.writeNext() // one last attempt
		}
		switch {
		case done:
			return
		case closing && err != nil:
			j.mu.Lock()
			j.writing = false
			j.mu.Unlock()
			l.cfg.Log.Error("the journal of a match is incomplete", "match", j.game.id, "error", err)
			return
		}
	}
}

// writeNext writes the beginning of the match or the waiting events. done reports that
// nothing was left to write.
func (j *journal) writeNext() (done bool, err error) {
	l, id := j.game.matches.lobby, j.game.id
	j.mu.Lock()
	begun, from, events := j.begun, j.stored, j.waiting
	if begun && len(events) == 0 {
		j.writing = false
		j.mu.Unlock()
		return true, nil
	}
	j.mu.Unlock()

	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	began := time.Now()
	if begun {
		err = l.cfg.Store.Running.Append(ctx, id, from, events)
	} else {
		err = l.cfg.Store.Running.Begin(ctx, j.game.beginning())
	}
	if errors.Is(err, store.ErrNotFound) { // the match has ended in the meantime
		err = nil
	}

	j.mu.Lock()
	defer j.mu.Unlock()
	j.noteResult(err)
	switch {
	case err != nil:
		return false, err
	case !begun:
		j.begun = true
		return false, nil
	}
	j.stored, j.waiting, j.since = from+len(events), j.waiting[len(events):], began
	if len(j.waiting) == 0 {
		j.waiting, j.since = nil, time.Time{}
	}
	return false, nil
}

// noteResult records whether the last write failed. It requires j.mu.
func (j *journal) noteResult(err error) {
	if failing := err != nil; j.failing != failing {
		j.failing = failing
		j.game.matches.lobby.journals.note(err)
	}
}

// rewriteLocked stores the match's new resume codes, because the old ones would be valid
// again after a restart. It retries until shortly after the lobby has closed.
func (j *journal) rewriteLocked() {
	g := j.game
	l := g.matches.lobby
	if !j.isKept() || !g.resumableLocked() {
		return
	}
	l.work.Go(func() {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		context.AfterFunc(l.ctx, func() {
			sleep(ctx, storeTimeout)
			cancel()
		})
		for more := true; more; more = sleep(l.ctx, journalPause) { // the beginning may not be stored yet
			l.mu.Lock()
			over, running := g.over, g.beginningLocked()
			l.mu.Unlock()
			if over {
				return
			}
			found, err := l.cfg.Store.Running.SaveDetails(ctx, running)
			if found {
				return
			}
			if err != nil {
				l.cfg.Log.Warn("the resume codes of a match cannot be stored; retrying", "match", g.id, "error", err)
			}
		}
	})
}

func (j *journal) hasBegun() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.begun
}

func (j *journal) isKept() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.kept
}

// lag returns the age of the oldest event that is not stored yet.
func (j *journal) lag() time.Duration {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.since.IsZero() {
		return 0
	}
	return time.Since(j.since)
}

// beginning returns the beginning of the match for the store.
func (g *game) beginning() store.RunningMatch {
	l := g.matches.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	return g.beginningLocked()
}

func (g *game) beginningLocked() store.RunningMatch {
	d := details{
		Rated: g.stakes.Rated(), Choice: g.choice, Stakes: g.stakes, Codes: g.codes, Salts: g.salts, Private: g.private, Host: g.host, Ladder: g.ladder, Timed: g.timed, Keys: g.keys,
	}
	if g.matches.lobby.clustered() {
		players := g.players
		d.Players = &players
	}
	running := store.RunningMatch{ID: g.id, Rules: g.rules, Started: g.started, Seats: g.storeSeatsLocked()}
	running.Details, _ = json.Marshal(d) // cannot fail for these types
	return running
}

// interrupted reports whether a match ended only because the server is shutting down, so
// that it resumes after a restart.
func (g *game) interrupted(why match.Reason) bool {
	l := g.matches.lobby
	if why != match.Closed || l.ctx.Err() == nil || !g.journal.isKept() {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return g.resumableLocked()
}

// journals counts the journals that cannot be written. It logs the first failure, and the
// recovery of the last failing journal.
type journals struct {
	log *slog.Logger

	mu      sync.Mutex
	failing int       // guarded by mu
	since   time.Time // guarded by mu: when the first one failed
}

// note records that a journal has failed, or has recovered if err is nil.
func (js *journals) note(err error) {
	js.mu.Lock()
	defer js.mu.Unlock()
	if err != nil {
		if js.failing++; js.failing == 1 {
			js.since = time.Now()
			js.log.Error("the journal of running matches cannot be written: matches continue, and the server retries; free disk space or restore the connection to the database", "error", err)
		}
		return
	}
	if js.failing--; js.failing == 0 {
		js.log.Info("the journal of running matches is complete again", "after", time.Since(js.since))
	}
}
