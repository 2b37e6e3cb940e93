package sshd

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/time/rate"
)

// How much a session may type. A person with a key held down sends 30 bytes a
// second, a pasted fleet has 100. More than that waits in the client: SSH's own
// flow control pushes back.
const (
	inputRate  = 4096  // bytes a second
	inputBurst = 16384 // bytes
	inputChunk = 512   // bytes read at a time
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

func (m *meteredReader) Read(p []byte) (int, error) {
	n, err := m.r.Read(p[:min(len(p), inputChunk)])
	if n > 0 {
		m.typed()
		if m.pending.Add(int64(n)) > maxEvent {
			return 0, errNonsense
		}
		if err := m.limit.WaitN(m.ctx, n); err != nil {
			return 0, err
		}
	}
	return n, err
}

// pumpInput turns a session's bytes into events and hands them to send until
// the input ends, and says why it did. Send must return once ctx ends.
func pumpInput(ctx context.Context, r io.Reader, term string, typed func(), send func(uv.Event)) error {
	m := &meteredReader{ctx: ctx, r: r, limit: rate.NewLimiter(inputRate, inputBurst), typed: typed}
	events := make(chan uv.Event)
	done := make(chan error, 1)
	go func() { done <- uv.NewTerminalReader(m, term).StreamEvents(ctx, events) }()
	for {
		select {
		case e := <-events:
			m.pending.Store(0)
			send(e)
		case err := <-done:
			return err
		}
	}
}
