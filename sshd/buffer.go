package sshd

import (
	"io"
	"sync"
)

// The SSH library allocates about 50 bytes for each unread packet, even if it has one
// byte of data. Therefore each channel is read as soon as it is open, into an inputBuffer.
const (
	// maxEarlyInput is the number of bytes that a client may send before it requests a shell or a
	// command. Clients wait for the reply to that request, so more is a flood.
	maxEarlyInput = 4 << 10

	// maxInputChunk is the maximum number of bytes that removeChunk returns.
	maxInputChunk = 8 << 10

	// inputReadSize is the number of bytes that are read at a time.
	inputReadSize = 512
)

// inputBuffer holds the input of a channel that the session has not read yet. One goroutine
// fills it. Any goroutine may call the other methods.
type inputBuffer struct {
	unread *unread
	// readable has a capacity of 1. It receives when there is data, or at the end.
	readable chan struct{}

	// mu guards the fields below.
	mu   sync.Mutex
	data []byte
	// started is set when the client has requested a shell or a command.
	started bool
	// ended is set when the client has closed its input, and closed when the session has closed the buffer.
	ended  bool
	closed bool
}

func newInputBuffer(u *unread) *inputBuffer {
	return &inputBuffer{unread: u, readable: make(chan struct{}, 1)}
}

// fill appends everything that r returns, up to its end. It returns false if the client sends too much before
// the session starts.
func (b *inputBuffer) fill(r io.Reader) bool {
	defer b.markEnd()
	chunk := make([]byte, inputReadSize)
	for {
		n, err := r.Read(chunk)
		if !b.append(chunk[:n]) {
			return false
		}
		if err != nil {
			return true
		}
	}
}

// append returns false if there is too much data before the session has started. After Close, it drops the data.
func (b *inputBuffer) append(data []byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(data) == 0 || b.closed {
		return true
	}
	if !b.started && len(b.data)+len(data) > maxEarlyInput {
		return false
	}
	b.data = append(b.data, data...)
	b.unread.add(len(data))
	b.wakeReader()
	return true
}

func (b *inputBuffer) markEnd() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	b.wakeReader()
}

// markStarted allows more than maxEarlyInput, because the client has requested a shell or a command.
func (b *inputBuffer) markStarted() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.started = true
}

func (b *inputBuffer) wakeReader() {
	select {
	case b.readable <- struct{}{}:
	default:
	}
}

// removeChunk removes and returns the first data, and reports whether the input has ended. It does not wait.
func (b *inputBuffer) removeChunk() (data []byte, ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	data = b.removeLocked(maxInputChunk)
	return data, len(b.data) == 0 && (b.ended || b.closed)
}

// removeLocked removes and returns at most n bytes of data.
func (b *inputBuffer) removeLocked(n int) []byte {
	n = min(n, len(b.data))
	data := b.data[:n:n]
	b.data = b.data[n:]
	if len(b.data) > 0 {
		b.wakeReader()
	} else {
		// An idle session needs no memory for it.
		b.data = nil
	}
	b.unread.remove(n)
	return data
}

// Read implements [io.Reader]. Only one goroutine may read at a time.
func (b *inputBuffer) Read(p []byte) (int, error) {
	for {
		n, ended := b.readAvailable(p)
		if n > 0 || len(p) == 0 {
			return n, nil
		}
		if ended {
			// The next Read must return, too.
			b.wakeReader()
			return 0, io.EOF
		}
		<-b.readable
	}
}

func (b *inputBuffer) readAvailable(p []byte) (n int, ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n = copy(p, b.removeLocked(len(p)))
	return n, b.ended || b.closed
}

// Close drops all data, now and later. A pending Read returns.
func (b *inputBuffer) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.removeLocked(len(b.data))
	b.wakeReader()
	return nil
}
