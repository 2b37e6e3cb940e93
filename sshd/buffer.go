package sshd

import (
	"io"
	"sync"
)

// The SSH library allocates about 50 bytes for each unread packet, even if it has one
// byte of data. So each channel is read as soon as it is open, into an inputBuffer.
const (
	// maxEarly is how many bytes a client may send before it requests a shell or a
	// command. Clients wait for the reply to that request, so more is a flood.
	maxEarly = 4 << 10

	// maxUnread is how many bytes are kept for a session that does not read them. Beyond
	// that the client is blocked: see accept in flow.go.
	maxUnread = 8 << 10

	inputChunk = 512 // bytes read at a time
)

// inputBuffer holds input of a channel that the session has not read yet. One goroutine
// fills it; any goroutine may call the other methods.
type inputBuffer struct {
	backlog *backlog      // of the connection
	behind  bool          // owned by fill: the backlog counts this buffer
	more    chan struct{} // capacity 1: there is data, or the end

	mu      sync.Mutex
	room    *sync.Cond // with mu: signaled when data was taken, or by Close
	data    []byte     // guarded by mu
	started bool       // guarded by mu: a shell or a command was requested
	ended   bool       // guarded by mu: the client has closed its input
	closed  bool       // guarded by mu: the session has closed the buffer
}

func newInputBuffer(l *backlog) *inputBuffer {
	b := &inputBuffer{backlog: l, more: make(chan struct{}, 1)}
	b.room = sync.NewCond(&b.mu)
	return b
}

// fill reads r to the end. It returns false if the client sends too much before the
// session starts.
func (b *inputBuffer) fill(r io.Reader) bool {
	defer b.end()
	defer b.fallBehind(false)
	chunk := make([]byte, inputChunk)
	for {
		n, err := r.Read(chunk)
		if b.behind {
			b.backlog.read(n)
			b.fallBehind(n == len(chunk)) // after a short read, the library has no more
		}
		if !b.put(chunk[:n]) {
			return false
		}
		if err != nil {
			return true
		}
	}
}

// put appends data. If the buffer is full, it waits once the session has started, and
// returns false before. After Close it drops the data.
func (b *inputBuffer) put(data []byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	full := func() bool { return len(b.data) > 0 && len(b.data)+len(data) > maxUnread }
	for b.started && !b.closed && full() {
		b.fallBehind(true)
		b.room.Wait()
	}
	switch {
	case len(data) == 0 || b.closed:
		return true
	case !b.started && len(b.data)+len(data) > maxEarly:
		return false
	}
	b.data = append(b.data, data...)
	b.wake()
	return true
}

// fallBehind stores whether the library may hold data that fill has not read.
func (b *inputBuffer) fallBehind(behind bool) {
	if b.behind != behind {
		b.behind = behind
		b.backlog.stall(behind)
	}
}

// end marks the end of the input.
func (b *inputBuffer) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	b.wake()
}

// start marks the request for a shell or a command.
func (b *inputBuffer) start() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.started = true
}

// wake notifies the reader.
func (b *inputBuffer) wake() {
	select {
	case b.more <- struct{}{}:
	default:
	}
}

// take returns all data in the buffer, and whether the input has ended. It does not
// wait.
func (b *inputBuffer) take() (data []byte, ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	data, b.data = b.data, nil
	b.room.Signal()
	return data, b.ended || b.closed
}

// Read implements [io.Reader]. Only one goroutine may read at a time.
func (b *inputBuffer) Read(p []byte) (int, error) {
	for {
		if n, ended := b.copy(p); n > 0 || len(p) == 0 {
			return n, nil
		} else if ended {
			b.wake() // so that the next Read returns, too
			return 0, io.EOF
		}
		<-b.more
	}
}

func (b *inputBuffer) copy(p []byte) (n int, ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n = copy(p, b.data)
	if b.data = b.data[n:]; len(b.data) == 0 {
		b.data = nil // an idle session needs no memory for it
	}
	b.room.Signal()
	return n, b.ended || b.closed
}

// Close drops all data. A pending Read returns.
func (b *inputBuffer) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed, b.data = true, nil
	b.room.Signal()
	b.wake()
	return nil
}
