package sshd

import (
	"encoding/binary"
	"sync"

	gossh "golang.org/x/crypto/ssh"
)

// The sizes of terminals. Cells are kept in memory, some 100 bytes each and
// twice, so a client that claims to be larger is shown the largest: 6 MB, which
// still has room for a screen full of small letters.
const (
	maxWidth, maxHeight         = 300, 100
	defaultWidth, defaultHeight = 80, 24
)

// window is a session's terminal: its type, and its size as it changes. The
// library's own way would block the whole connection as soon as nobody reads
// it, would pass on any size, and has a data race; so resizes end here.
type window struct {
	changed chan struct{} // capacity 1
	closed  chan struct{} // closed when the session's channel has ended

	mu            sync.Mutex
	pty           bool   // guarded by mu: a terminal was asked for
	term          string // guarded by mu
	width, height int    // guarded by mu, within the limits
}

func newWindow() *window {
	return &window{
		changed: make(chan struct{}, 1), closed: make(chan struct{}),
		width: defaultWidth, height: defaultHeight,
	}
}

func (w *window) size() (width, height int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.width, w.height
}

func (w *window) terminal() (term string, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.term, w.pty
}

func (w *window) resize(width, height uint32) {
	w.mu.Lock()
	w.width, w.height = clamp(width, maxWidth, defaultWidth), clamp(height, maxHeight, defaultHeight)
	w.mu.Unlock()
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

func clamp(v uint32, most, unknown int) int {
	switch {
	case v == 0:
		return unknown
	case v > uint32(most):
		return most
	}
	return int(v)
}

// open notes the terminal that a pty-req asks for, and makes the size in it
// harmless.
func (w *window) open(req *gossh.Request) bool {
	var p struct {
		Term                                   string
		Width, Height, PixelWidth, PixelHeight uint32
		Modes                                  string
	}
	if gossh.Unmarshal(req.Payload, &p) != nil {
		return false
	}
	w.resize(p.Width, p.Height)
	width, height := w.size()
	// After the terminal's name with its length come the sizes.
	binary.BigEndian.PutUint32(req.Payload[4+len(p.Term):], uint32(width))
	binary.BigEndian.PutUint32(req.Payload[8+len(p.Term):], uint32(height))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pty, w.term = true, cleanTerm(p.Term)
	return true
}
