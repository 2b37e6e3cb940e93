package sshd

import (
	"bytes"
	"net"
	"sync"
	"time"
)

// outbox writes to a connection. Between hold and release, it buffers packets to write a frame with one system
// call. One call for each packet takes longer than drawing the frame, and wakes the client each time.
type outbox struct {
	conn net.Conn

	// mu is held during writes. It guards the fields below.
	mu sync.Mutex
	// holds is the number of holds without a release.
	holds int
	// held is nil if nothing is buffered.
	held *bytes.Buffer
	// late writes the held data after maxHold.
	late *time.Timer
}

// maxHold is the maximum time that data is buffered. Writing a frame takes less, unless it waits for the
// client. The client may need the buffered data before it extends the window or exchanges keys.
const maxHold = 5 * time.Millisecond

// heldBuffers pools the buffers, because few connections buffer data at the same time.
var heldBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Write implements [net.Conn].
func (o *outbox) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.held != nil {
		return o.held.Write(p)
	}
	return o.conn.Write(p)
}

// hold buffers everything that is written until release, or for maxHold at most.
func (o *outbox) hold() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.holds++; o.holds > 1 {
		return
	}
	held := heldBuffers.Get().(*bytes.Buffer)
	o.held = held
	o.late = time.AfterFunc(maxHold, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.held == held {
			o.flushLocked()
		}
	})
}

// release ends a hold. The last release writes the buffered data. A later write returns the error, if there is
// one.
func (o *outbox) release() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.holds--; o.holds == 0 && o.held != nil {
		o.flushLocked()
	}
}

// flushLocked writes the buffered data and stops buffering.
func (o *outbox) flushLocked() {
	o.late.Stop()
	// The library learns of errors from a later write, as it does for each packet.
	_, _ = o.conn.Write(o.held.Bytes())
	o.held.Reset()
	heldBuffers.Put(o.held)
	o.held, o.late = nil, nil
}
