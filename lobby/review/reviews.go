package review

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
)

// ErrBusy is returned if too many matches are waiting to be reviewed.
var ErrBusy = i18n.Errorf("too many matches are waiting to be analysed: try again later")

const (
	// maxWaiting is how many matches can wait to be reviewed. maxDone is how many callers can wait
	// for the same match.
	maxWaiting, maxDone = 100, 100
	// maxTime limits how long a review may take.
	maxTime = 30 * time.Second
)

// Reviews reviews stored matches in the background, one at a time, and stores the results.
// Its methods may be called from any goroutine.
type Reviews struct {
	// store may be nil. Then there are no matches.
	store *store.Store
	log   *slog.Logger
	// ctx ends with Close.
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup
	// turn has capacity 1 and is full during a review.
	turn chan struct{}

	mu sync.Mutex
	// waiting holds the functions to call, by match ID. mu guards it.
	waiting map[string][]func(Match)
}

// New returns Reviews of the matches in a store, which may be nil. Close it with
// [Reviews.Close].
func New(s *store.Store, log *slog.Logger) *Reviews {
	r := &Reviews{store: s, log: log, turn: make(chan struct{}, 1), waiting: map[string][]func(Match){}}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

// Close ends the review in progress and waits for it.
func (r *Reviews) Close() {
	r.cancel()
	r.work.Wait()
}

// FindOrStart returns a stored match's review. If there is none yet, it returns false, requests a
// review and calls done once that is ready. done must not block. FindOrStart waits for the
// database. It returns [store.ErrNotFound] if the match is not stored.
func (r *Reviews) FindOrStart(ctx context.Context, id string, done func(Match)) (m Match, ready bool, err error) {
	if r.store == nil {
		return m, false, store.ErrNotFound
	}
	stored, err := r.store.Matches.FindByID(ctx, id)
	if err != nil {
		return m, false, err
	}
	if m, ok := parseStored(&stored.Summary); ok {
		return m, true, nil
	}
	return m, false, r.enqueue(stored, done)
}

// enqueue requests a match's review, unless the match is already waiting.
func (r *Reviews) enqueue(stored store.Match, done func(Match)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	callers, waits := r.waiting[stored.ID]
	if len(callers) >= maxDone || !waits && len(r.waiting) >= maxWaiting || r.ctx.Err() != nil {
		return ErrBusy
	}
	r.waiting[stored.ID] = append(callers, done)
	if !waits {
		r.work.Go(func() { r.runReview(stored) })
	}
	return nil
}

func (r *Reviews) runReview(stored store.Match) {
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-r.ctx.Done():
		return
	}
	m, err := r.reviewAndStore(stored)
	r.mu.Lock()
	callers := r.waiting[stored.ID]
	delete(r.waiting, stored.ID)
	r.mu.Unlock()
	switch {
	case err == nil:
		for _, done := range callers {
			done(m)
		}
	case r.ctx.Err() == nil:
		r.log.Warn("match was not reviewed", "match", stored.ID, "error", err)
	}
}

func (r *Reviews) reviewAndStore(stored store.Match) (m Match, err error) {
	ctx, cancel := context.WithTimeout(r.ctx, maxTime)
	defer cancel()
	m, err = ReviewMatch(ctx, stored.Rules, stored.Events)
	if err != nil {
		return m, err
	}
	var sides [2]store.Accuracy
	for i, s := range m {
		costliest, err := json.Marshal(s.Costliest)
		if err != nil {
			return m, err
		}
		sides[i] = store.Accuracy{Judged: s.Judged, Share: s.Accuracy, Costliest: string(costliest)}
	}
	return m, r.store.Matches.SaveAccuracy(ctx, stored.Summary, sides)
}

func parseStored(stored *store.Summary) (m Match, ok bool) {
	for side, s := range stored.Seats {
		m[side] = Side{Judged: s.Judged, Accuracy: s.Share}
		if s.Judged > 0 {
			ok = json.Unmarshal([]byte(s.Costliest), &m[side].Costliest) == nil
		}
	}
	return m, ok
}
