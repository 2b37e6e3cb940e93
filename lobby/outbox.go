package lobby

import (
	"context"
	"errors"
	"sync"
	"time"

	"broadside/lobby/cluster"
)

// outbox is what is still to be written to entries that only this node writes:
// one goroutine writes in turn, so that what comes later is written later.
type outbox struct {
	mu     sync.Mutex
	todo   []func(context.Context) error // guarded by mu
	closed bool                          // guarded by mu
	signal chan struct{}                 // capacity 1
	done   chan struct{}
}

// post writes to entries later. The lobby may be locked.
func (l *Lobby) post(write func(context.Context) error) {
	o := &l.outbox
	o.mu.Lock()
	if !o.closed {
		o.todo = append(o.todo, write)
	}
	o.mu.Unlock()
	o.wake()
}

func (o *outbox) wake() {
	select {
	case o.signal <- struct{}{}:
	default:
	}
}

// open starts the goroutine of the outbox.
func (o *outbox) open(l *Lobby) {
	o.signal, o.done = make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(o.done)
		for range o.signal {
			o.mu.Lock()
			todo, closed := o.todo, o.closed
			o.todo = nil
			o.mu.Unlock()
			for _, write := range todo {
				if !l.written(write) && closed {
					break // the others clear away what is left
				}
			}
			if closed {
				return
			}
		}
	}()
}

// close waits until all is written, or cannot be.
func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.wake()
	<-o.done
}

// written writes until that is done, and returns whether it is. While the nodes
// are out of touch it is tried again, unless the lobby closes.
func (l *Lobby) written(write func(context.Context) error) bool {
	for {
		ctx, cancel := l.waiting()
		err := write(ctx)
		cancel()
		if err == nil {
			return true
		}
		if l.ctx.Err() != nil || !errors.Is(err, cluster.ErrCut) && !errors.Is(err, context.DeadlineExceeded) {
			l.cfg.Log.Warn("an entry was not written", "error", err)
			return false
		}
		select {
		case <-time.After(time.Second):
		case <-l.ctx.Done():
		}
	}
}
