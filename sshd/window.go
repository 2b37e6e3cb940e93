package sshd

import (
	"encoding/binary"
	"sync"

	gossh "golang.org/x/crypto/ssh"
)

// Sizes of terminals. Each cell of a screen takes about 200 bytes, so the size that a client requests is
// limited. The largest screen takes 6 MB.
const (
	maxWidth, maxHeight         = 300, 100
	defaultWidth, defaultHeight = 80, 24
)

// window is a session's terminal: its type and its current size. The library is not used for resizes, because
// it blocks the whole connection until they are read, allows any size, and has a data race.
type window struct {
	// changed has a capacity of 1. It receives after a resize.
	changed chan struct{}
	// closed is closed when the session's channel has ended.
	closed chan struct{}

	// mu guards the fields below.
	mu sync.Mutex
	// pty is set if the client has requested a terminal.
	pty           bool
	term          string
	width, height int
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

// storeTerminal stores the terminal of a pty-req and limits the size in the request. It returns false if the
// request is malformed.
func (w *window) storeTerminal(req *gossh.Request) bool {
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
	// The sizes follow the length and the terminal's name.
	binary.BigEndian.PutUint32(req.Payload[4+len(p.Term):], uint32(width))
	binary.BigEndian.PutUint32(req.Payload[8+len(p.Term):], uint32(height))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pty, w.term = true, cleanTerm(p.Term)
	return true
}
