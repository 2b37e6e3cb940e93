package sshd

import (
	"io"
	"sync"
)

// The SSH library stores every data packet that has not been read as an element
// of its own, about 50 bytes for one byte of data. Each channel is therefore read
// from the moment it opens, into an inputBuffer.
const (
	// maxEarly is how many bytes a client may send before it requests a shell or
	// a command. Clients wait for the answer to that request, so more is a flood.
	maxEarly = 4 << 10

	// maxUnread is how many bytes are kept for a session that does not read
	// them. After that the client has to wait: see limitWindow.
	maxUnread = 8 << 10

	inputChunk = 2 << 10 // bytes read at a time
)

// inputBuffer holds what a client has sent on a channel and the session has not
// read yet. One goroutine fills it; any goroutine may call the other methods.
type inputBuffer struct {
	backlog *backlog      // of the connection
	behind  bool          // fill's: the backlog counts this buffer
	more    chan struct{} // capacity 1: there is something to read, or the end

	mu      sync.Mutex
	room    *sync.Cond // with mu: data was taken, or the buffer was closed
	data    []byte     // guarded by mu
	started bool       // guarded by mu: a shell or a command was requested
	ended   bool       // guarded by mu: the client sends nothing more
	closed  bool       // guarded by mu: the session reads nothing more
}

func newInputBuffer(l *backlog) *inputBuffer {
	b := &inputBuffer{backlog: l, more: make(chan struct{}, 1)}
	b.room = sync.NewCond(&b.mu)
	return b
}

// fill reads r to its end. It returns false if the client sends more than it may
// before the session starts.
func (b *inputBuffer) fill(r io.Reader) bool {
	defer b.end()
	defer b.fallBehind(false)
	chunk := make([]byte, inputChunk)
	for {
		n, err := r.Read(chunk)
		if b.behind {
			b.backlog.read(n)
			b.fallBehind(n == len(chunk)) // a short read has left nothing in the library
		}
		if !b.put(chunk[:n]) {
			return false
		}
		if err != nil {
			return true
		}
	}
}

// put appends what the client has sent, and waits for room once the session has
// started. After Close it drops the data. It returns false if there is too much.
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

// fallBehind notes whether the library may hold data that fill has not read.
func (b *inputBuffer) fallBehind(behind bool) {
	if b.behind != behind {
		b.behind = behind
		b.backlog.stall(behind)
	}
}

// end notes that the client sends nothing more.
func (b *inputBuffer) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	b.wake()
}

// start notes that the client has requested a shell or a command.
func (b *inputBuffer) start() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.started = true
}

// wake tells the reader that there is news.
func (b *inputBuffer) wake() {
	select {
	case b.more <- struct{}{}:
	default:
	}
}

// take returns everything that is in the buffer, and whether nothing will
// follow. It does not wait.
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
			b.wake() // for the next Read
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
		b.data = nil // an idle session keeps no memory for it
	}
	b.room.Signal()
	return n, b.ended || b.closed
}

// Close drops the data and everything that follows. A Read that waits returns.
func (b *inputBuffer) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed, b.data = true, nil
	b.room.Signal()
	b.wake()
	return nil
}
