package sshd

import (
	"bytes"
	"net"
	"sync"
	"time"
)

// outbox writes to a connection. While data is held back, it collects the packets of a frame to write
// them together: a system call for each takes longer than drawing the frame, and the client
// would wake up for each.
type outbox struct {
	conn net.Conn

	mu    sync.Mutex    // held while writing
	holds int           // guarded by mu: calls of hold without release
	held  *bytes.Buffer // guarded by mu; nil: nothing is held back
}

// maxHold is the maximum time that data is held back. Collecting takes less, unless the client must get
// the data first: to renew its window, or for an exchange of keys.
const maxHold = 5 * time.Millisecond

// heldBuffers pools the buffers for data that is held back, because few connections hold back any at
// the same time.
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

// hold holds back what is written until release is called, for at most maxHold. release returns
// the error of the connection.
func (o *outbox) hold() (release func() error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.holds++; o.holds == 1 {
		o.held = heldBuffers.Get().(*bytes.Buffer)
	}
	late := time.AfterFunc(maxHold, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		_ = o.flushLocked() // the next write fails as well
	})
	return func() error {
		late.Stop()
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.holds--; o.holds > 0 {
			return nil
		}
		return o.flushLocked()
	}
}

// flushLocked writes what is held back, and holds back nothing more.
func (o *outbox) flushLocked() error {
	if o.held == nil {
		return nil
	}
	_, err := o.conn.Write(o.held.Bytes())
	o.held.Reset()
	heldBuffers.Put(o.held)
	o.held = nil
	return err
}
