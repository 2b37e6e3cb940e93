// Package batch combines lookups that many callers make at the same time, so that they
// share few queries.
package batch

import (
	"context"
	"sync"
)

// Lookups combines lookups of keys K with results V. Set its functions before the first
// lookup. Its methods may be called from any goroutine.
type Lookups[K, V any] struct {
	Max   int                         // keys per query
	Start func(run func()) error      // runs a function in a goroutine, or fails
	Find  func(keys []K) ([]V, error) // returns the results of at most Max keys, in their order

	mu      sync.Mutex
	waiting []*lookup[K, V] // guarded by mu
	running bool            // guarded by mu; run is running
}

// lookup is a key to look up and the result.
type lookup[K, V any] struct {
	key   K
	found V
	err   error
	done  chan struct{} // closed when found and err are set
}

// Get looks up a key. Lookups that arrive during a query share the next one.
func (ls *Lookups[K, V]) Get(ctx context.Context, key K) (found V, err error) {
	l := &lookup[K, V]{key: key, done: make(chan struct{})}
	if err := ls.add(l); err != nil {
		return found, err
	}
	select {
	case <-l.done:
		return l.found, l.err
	case <-ctx.Done():
		return found, ctx.Err()
	}
}

// add queues a lookup and starts run if necessary.
func (ls *Lookups[K, V]) add(l *lookup[K, V]) error {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if !ls.running {
		if err := ls.Start(ls.run); err != nil {
			return err
		}
		ls.running = true
	}
	ls.waiting = append(ls.waiting, l)
	return nil
}

// run carries out lookups until none are waiting.
func (ls *Lookups[K, V]) run() {
	for {
		ls.mu.Lock()
		count := min(len(ls.waiting), ls.Max)
		now := ls.waiting[:count:count]
		ls.waiting = ls.waiting[count:]
		ls.running = count > 0
		ls.mu.Unlock()
		if count == 0 {
			return
		}
		keys := make([]K, count)
		for i, l := range now {
			keys[i] = l.key
		}
		found, err := ls.Find(keys)
		for i, l := range now {
			if l.err = err; err == nil {
				l.found = found[i]
			}
			close(l.done)
		}
	}
}
