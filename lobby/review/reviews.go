package review

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
)

// ErrBusy is returned if too many matches wait for their review.
var ErrBusy = i18n.Errorf("too many matches are waiting to be analysed: try again later")

const (
	// maxWaiting is the number of matches that can wait for their review, and maxDone the
	// number of callers that can wait for one match.
	maxWaiting, maxDone = 100, 100
	// maxTime limits a review.
	maxTime = 30 * time.Second
	// maxRecent is the number of reviews kept in memory.
	maxRecent = 64
)

// Reviews reviews stored matches in the background, one at a time, and stores the results.
// Its methods may be called from any goroutine.
type Reviews struct {
	store  *store.Store // nil: there are no matches
	log    *slog.Logger
	ctx    context.Context // of the goroutine
	cancel context.CancelFunc
	work   sync.WaitGroup

	mu      sync.Mutex // never held while waiting
	waiting []*job     // guarded by mu, like the fields below; the first one is running
	recent  []result   // newest last
}

type job struct {
	id   string
	done []func()
}

// result is a review in memory, or why there is none.
type result struct {
	id    string
	match Match
	err   error
}

// New returns Reviews of the matches in a store, which may be nil. Close it with
// [Reviews.Close].
func New(s *store.Store, log *slog.Logger) *Reviews {
	r := &Reviews{store: s, log: log}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

// Close ends the review in progress and waits for it.
func (r *Reviews) Close() {
	r.cancel()
	r.work.Wait()
}

// Of returns the review of a stored match. If there is none yet, Of returns false, the
// match waits for its review, and done is called once Of returns it; done must not block.
// Of may wait for the database. It returns [store.ErrNotFound] if the match is not stored.
func (r *Reviews) Of(ctx context.Context, id string, done func()) (m Match, ready bool, err error) {
	if r.store == nil {
		return m, false, store.ErrNotFound
	}
	if found, ok := r.find(id); ok {
		return found.match, true, found.err
	}
	stored, err := r.store.Matches.ByID(ctx, id)
	if err != nil {
		return m, false, err
	}
	if m, ok := parse(&stored.Summary); ok {
		return m, true, nil
	}
	return m, false, r.add(id, done)
}

func (r *Reviews) find(id string) (result, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.recent, func(x result) bool { return x.id == id })
	if i < 0 {
		return result{}, false
	}
	return r.recent[i], true
}

// add queues a match, unless it is queued already.
func (r *Reviews) add(id string, done func()) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.waiting, func(j *job) bool { return j.id == id })
	if i < 0 {
		if len(r.waiting) >= maxWaiting || r.ctx.Err() != nil {
			return ErrBusy
		}
		i = len(r.waiting)
		r.waiting = append(r.waiting, &job{id: id})
		if i == 0 {
			r.work.Go(r.run)
		}
	}
	j := r.waiting[i]
	if len(j.done) >= maxDone {
		return ErrBusy
	}
	j.done = append(j.done, done)
	return nil
}

func (r *Reviews) run() {
	for {
		r.mu.Lock()
		j := r.waiting[0]
		r.mu.Unlock()
		m, err := r.review(j.id)
		r.mu.Lock()
		r.recent = append(r.recent, result{j.id, m, err})
		r.recent = slices.Delete(r.recent, 0, max(0, len(r.recent)-maxRecent))
		r.waiting = r.waiting[1:]
		done, more := j.done, len(r.waiting) > 0
		if !more {
			r.waiting = nil
		}
		r.mu.Unlock()
		for _, f := range done {
			f()
		}
		if !more {
			return
		}
	}
}

func (r *Reviews) review(id string) (m Match, err error) {
	ctx, cancel := context.WithTimeout(r.ctx, maxTime)
	defer cancel()
	defer func() {
		if err != nil && r.ctx.Err() == nil {
			r.log.Warn("match was not reviewed", "match", id, "error", err)
		}
	}()
	stored, err := r.store.Matches.ByID(ctx, id)
	if err != nil {
		return m, err
	}
	m, err = Of(ctx, stored.Rules, stored.Events)
	if err != nil {
		return m, fmt.Errorf("reviewing the match %s: %w", id, err)
	}
	var sides [2]store.Accuracy
	for i, s := range m {
		costliest, err := json.Marshal(s.Costliest)
		if err != nil {
			return m, fmt.Errorf("encoding the review of %s: %w", id, err)
		}
		sides[i] = store.Accuracy{Judged: s.Judged, Share: s.Accuracy, Costliest: string(costliest)}
	}
	return m, r.store.Matches.Review(ctx, stored.Summary, sides)
}

// parse returns the stored review of a match, or false if there is none.
func parse(stored *store.Summary) (m Match, ok bool) {
	for side, s := range stored.Seats {
		m[side] = Side{Judged: s.Judged, Accuracy: s.Share}
		if s.Judged > 0 {
			ok = json.Unmarshal([]byte(s.Costliest), &m[side].Costliest) == nil
		}
	}
	return m, ok
}
