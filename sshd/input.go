package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/time/rate"
)

// inputLimits are how many bytes a session may type. A person with a key held
// down sends 30 a second, a pasted fleet has 100. More than that waits in the
// client: SSH's own flow control pushes back.
type inputLimits struct {
	rate  int // bytes a second
	burst int // bytes
}

const (
	// Each event is drawn, which costs far more than its byte: these are how
	// many a session may cause a second, and at once.
	eventRate, eventBurst = 200, 512

	inputChunk = 512 // bytes read at a time

	// maxEvent bounds what makes no event: a paste or a control sequence
	// without an end is collected in memory and parsed anew at every read.
	maxEvent = 64 << 10
)

// errNonsense ends a session whose input makes no sense.
var errNonsense = errors.New("a paste or control sequence without an end")

// meteredReader reads what a session types, at a bounded rate.
type meteredReader struct {
	ctx     context.Context
	r       io.Reader
	limit   *rate.Limiter
	typed   func()       // called at each input
	pending atomic.Int64 // bytes since the last event
}

// Read implements [io.Reader].
func (m *meteredReader) Read(p []byte) (int, error) {
	n, err := m.r.Read(p[:min(len(p), inputChunk, m.limit.Burst())])
	if n > 0 {
		m.typed()
		if m.pending.Add(int64(n)) > maxEvent {
			return 0, errNonsense
		}
		if err := m.limit.WaitN(m.ctx, n); err != nil {
			return 0, err
		}
		return n, nil // the reader's user drops what comes with an error
	}
	return n, err
}

// pumpInput turns a session's bytes into events and hands them to send until
// the input ends, and says why it did if it was not the end. Send must return
// once ctx ends.
func pumpInput(ctx context.Context, r io.Reader, term string, l inputLimits, typed func(), send func(uv.Event)) error {
	m := &meteredReader{ctx: ctx, r: r, limit: rate.NewLimiter(rate.Limit(l.rate), l.burst), typed: typed}
	pace := rate.NewLimiter(eventRate, eventBurst)
	events := make(chan uv.Event)
	done := make(chan error, 1)
	go func() { done <- stream(ctx, m, term, events) }()
	for {
		select {
		case e := <-events:
			m.pending.Store(0)
			if pace.Wait(ctx) == nil { // else the rest is dropped until done
				send(e)
			}
		case err := <-done:
			return err
		}
	}
}

// stream parses input. The parser reads what strangers type; should it fail,
// only their own session does.
func stream(ctx context.Context, r io.Reader, term string, events chan<- uv.Event) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the parser failed: %v", p)
		}
	}()
	return uv.NewTerminalReader(r, term).StreamEvents(ctx, events)
}
