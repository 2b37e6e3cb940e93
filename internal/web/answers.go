package web

import (
	"context"
	"sync"
	"time"

	"broadside/internal/session"
	"broadside/internal/web/feed"
)

// Limits on cached answers.
const (
	answerTime = 2 * time.Second  // how long an answer is used
	askTime    = 10 * time.Second // to answer a query
	maxAnswers = 512
)

// answers asks queries of the lobby and keeps the answers for a moment, so that the lobby's
// work does not grow with the number of requests.
type answers struct {
	hub  *feed.Hub
	work sync.WaitGroup

	mu    sync.Mutex
	known map[any]*answer // guarded by mu; by query
}

// answer is an answer that is being read, or was.
type answer struct {
	done    chan struct{} // closed when the fields below are set
	value   any
	err     error
	expires time.Time
}

// ask answers a query of a spectator without an account. The answer is shared and must not be
// modified.
func ask[R any](ctx context.Context, a *answers, q session.Query[R]) (R, error) {
	x, first := a.find(q)
	if first {
		a.work.Go(func() { answerQuery(a, x, q) })
	}
	var none R
	select {
	case <-x.done:
	case <-ctx.Done():
		return none, ctx.Err()
	}
	if x.err != nil {
		return none, x.err
	}
	return x.value.(R), nil
}

// find returns the answer to a query. It reports whether the caller must provide it.
func (a *answers) find(query any) (x *answer, first bool) {
	now := time.Now()
	a.mu.Lock()
	defer a.mu.Unlock()
	if x := a.known[query]; x != nil && now.Before(x.expires) {
		return x, false
	}
	if len(a.known) >= maxAnswers {
		clear(a.known)
	}
	x = &answer{done: make(chan struct{}), expires: now.Add(answerTime)}
	a.known[query] = x
	return x, true
}

// answerQuery provides the answer to a query in a new session.
func answerQuery[R any](a *answers, x *answer, q session.Query[R]) {
	defer close(x.done)
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	own, err := a.hub.Open(ctx)
	if err == nil {
		defer own.Close()
		x.value, err = session.Ask(ctx, own, q)
	}
	if x.err = err; err != nil { // the missing data may exist a moment later
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.known[q] == x {
			delete(a.known, q)
		}
	}
}
