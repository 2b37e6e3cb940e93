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

// What a session may set in its environment.
const (
	maxEnv      = 32
	maxEnvBytes = 4096
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

// filteredChannel is a new channel whose session requests pass through filter
// on their way to the library.
type filteredChannel struct {
	gossh.NewChannel
	window *window
	filter sync.WaitGroup
}

// Accept accepts the channel. The requests are taken off the connection for as
// long as the channel lives, whatever the session does with them.
func (c *filteredChannel) Accept() (gossh.Channel, <-chan *gossh.Request, error) {
	ch, in, err := c.NewChannel.Accept()
	if err != nil {
		return nil, nil, err
	}
	out := make(chan *gossh.Request)
	c.filter.Go(func() {
		defer close(c.window.closed)
		defer close(out)
		filter(in, out, c.window)
	})
	return ch, out, nil
}

// filter passes on the requests that the library is to see. It sees one
// terminal of harmless size, no resizes, and a bounded environment; requests
// that we do not serve end here.
func filter(in <-chan *gossh.Request, out chan<- *gossh.Request, w *window) {
	env, envBytes := 0, 0
	for req := range in {
		pass := false
		switch req.Type {
		case "window-change":
			var p struct{ Width, Height, PixelWidth, PixelHeight uint32 }
			if gossh.Unmarshal(req.Payload, &p) == nil {
				w.resize(p.Width, p.Height)
			}
			reply(req, true)
			continue
		case "pty-req":
			pass = w.open(req)
		case "env":
			env, envBytes = env+1, envBytes+len(req.Payload)
			pass = env <= maxEnv && envBytes <= maxEnvBytes
		case "shell", "exec":
			pass = true
		}
		if !pass {
			reply(req, false)
			continue
		}
		out <- req // the library reads on until the channel is closed
	}
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

func reply(req *gossh.Request, ok bool) {
	if req.WantReply {
		req.Reply(ok, nil) // fails only if the connection is gone
	}
}
