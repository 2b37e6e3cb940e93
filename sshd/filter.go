package sshd

import (
	"encoding/binary"
	"sync"
	"time"

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

// requestTime is how long a session channel is kept for which no shell and no
// command is requested.
const requestTime = 10 * time.Second

// acceptedChannel is a session channel that is accepted. The session requests of
// its client pass through filter on their way to the library, and its data
// through the session's inputBuffer.
type acceptedChannel struct {
	gossh.NewChannel
	channel  gossh.Channel
	input    *inputBuffer
	requests chan *gossh.Request
	work     sync.WaitGroup // ends after the channel does
}

// accept accepts a channel for the session. From now on, everything that the
// client sends on it is taken off the connection, whatever the session does.
func (s *session) accept(nc gossh.NewChannel) (*acceptedChannel, error) {
	limitWindow(nc) // without, there are other limits
	ch, in, err := nc.Accept()
	if err != nil {
		return nil, err
	}
	c := &acceptedChannel{NewChannel: nc, channel: ch, input: s.input, requests: make(chan *gossh.Request)}
	c.work.Go(func() {
		defer close(s.window.closed)
		defer close(c.requests)
		s.filter(in, c.requests, ch)
	})
	c.work.Go(func() {
		if !s.input.fill(ch) {
			s.conn.flood(floodEarly)
		}
	})
	c.work.Go(func() {
		var b [1]byte
		if n, _ := ch.Stderr().Read(b[:]); n > 0 { // that is for servers to send
			s.conn.flood(floodExtended)
		}
	})
	return c, nil
}

// Accept implements [gossh.NewChannel].
func (c *acceptedChannel) Accept() (gossh.Channel, <-chan *gossh.Request, error) {
	return bufferedChannel{c.channel, c.input}, c.requests, nil
}

// bufferedChannel is a channel that is read through a buffer.
type bufferedChannel struct {
	gossh.Channel
	input *inputBuffer
}

// Read implements [gossh.Channel].
func (c bufferedChannel) Read(p []byte) (int, error) { return c.input.Read(p) }

// filter passes on the requests that the library is to see, until the channel
// ends. It closes the channel if no session is requested in time.
func (s *session) filter(in <-chan *gossh.Request, out chan<- *gossh.Request, ch gossh.Channel) {
	f := requestFilter{window: s.window}
	late := time.NewTimer(requestTime)
	defer late.Stop()
	for {
		select {
		case req, ok := <-in:
			switch {
			case !ok:
				return
			case f.passes(req):
				if isStart(req) {
					late.Stop()
				}
				out <- req // the library reads on until the channel is closed
			}
		case <-late.C:
			cut := time.AfterFunc(s.server.limits().WriteTimeout, func() { s.conn.cut("does not close its session") })
			defer cut.Stop()
			_ = ch.Close() // fails if the client has closed it already
		}
	}
}

// isStart reports whether a request is for a shell or a command.
func isStart(req *gossh.Request) bool { return req.Type == "shell" || req.Type == "exec" }

// requestFilter chooses the requests that the library is to see: one terminal of
// harmless size, no resizes, and a bounded environment. Requests that the server
// does not serve end here.
type requestFilter struct {
	window        *window
	env, envBytes int
}

// passes reports whether the library is to see a request. It answers the others.
func (f *requestFilter) passes(req *gossh.Request) bool {
	pass := false
	switch req.Type {
	case "window-change":
		var p struct{ Width, Height, PixelWidth, PixelHeight uint32 }
		if gossh.Unmarshal(req.Payload, &p) == nil {
			f.window.resize(p.Width, p.Height)
		}
		reply(req, true)
		return false
	case "pty-req":
		pass = f.window.open(req)
	case "env":
		f.env, f.envBytes = f.env+1, f.envBytes+len(req.Payload)
		pass = f.env <= maxEnv && f.envBytes <= maxEnvBytes
	default:
		pass = isStart(req)
	}
	if !pass {
		reply(req, false)
	}
	return pass
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
