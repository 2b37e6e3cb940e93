package sshd_test

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// network is a listener for connections inside the process, whose deadlines
// follow the clock that a test controls.
type network struct {
	calls  chan net.Conn
	closed chan struct{}
	once   sync.Once

	mu    sync.Mutex
	ports int // guarded by mu
}

func newNetwork() *network {
	return &network{calls: make(chan net.Conn), closed: make(chan struct{})}
}

// address is one on a network.
type address string

func (a address) Network() string { return "tcp" }
func (a address) String() string  { return string(a) }

func (n *network) Addr() net.Addr { return address("192.0.2.1:22") }

func (n *network) Accept() (net.Conn, error) {
	select {
	case c := <-n.calls:
		return c, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

func (n *network) Close() error {
	n.once.Do(func() { close(n.closed) })
	return nil
}

// dial connects from an address, of any port.
func (n *network) dial(from string) *line {
	n.mu.Lock()
	n.ports++
	caller := address(net.JoinHostPort(cmp.Or(from, "192.0.2.2"), fmt.Sprint(n.ports)))
	n.mu.Unlock()
	up, down := newStream(), newStream()
	n.calls <- &line{read: up, write: down, local: n.Addr(), remote: caller}
	return &line{read: down, write: up, local: caller, remote: n.Addr()}
}

// line is an end of a connection.
type line struct {
	read, write   *stream
	local, remote net.Addr
	closed        atomic.Bool // at this end
}

// Read fails with [net.ErrClosed] once this end is closed, as TCP does, and with
// [io.EOF] once the other is.
func (l *line) Read(b []byte) (int, error) {
	n, err := l.read.get(b)
	if err == io.EOF && l.closed.Load() {
		err = net.ErrClosed
	}
	return n, err
}

func (l *line) Write(b []byte) (int, error)        { return l.write.put(b) }
func (l *line) LocalAddr() net.Addr                { return l.local }
func (l *line) RemoteAddr() net.Addr               { return l.remote }
func (l *line) SetReadDeadline(t time.Time) error  { l.read.until(t); return nil }
func (l *line) SetWriteDeadline(t time.Time) error { l.write.until(t); return nil }

func (l *line) SetDeadline(t time.Time) error {
	l.read.until(t)
	l.write.until(t)
	return nil
}

func (l *line) Close() error {
	l.closed.Store(true)
	l.read.close()
	l.write.close()
	return nil
}

// stream is one direction of a connection, with room for what is under way.
type stream struct {
	mu       sync.Mutex
	changed  *sync.Cond
	data     []byte
	closed   bool
	deadline time.Time
}

const underWay = 64 << 10 // bytes that a stream has room for

func newStream() *stream {
	s := new(stream)
	s.changed = sync.NewCond(&s.mu)
	return s
}

func (s *stream) get(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.closed && len(s.data) == 0 {
		if s.lateLocked() {
			return 0, os.ErrDeadlineExceeded
		}
		s.changed.Wait()
	}
	if len(s.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b, s.data)
	s.data = s.data[n:]
	s.changed.Broadcast()
	return n, nil
}

func (s *stream) put(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.closed && len(s.data) > underWay {
		if s.lateLocked() {
			return 0, os.ErrDeadlineExceeded
		}
		s.changed.Wait()
	}
	if s.closed {
		return 0, net.ErrClosed
	}
	s.data = append(s.data, b...)
	s.changed.Broadcast()
	return len(b), nil
}

// lateLocked reports whether the deadline has passed.
func (s *stream) lateLocked() bool { return !s.deadline.IsZero() && !time.Now().Before(s.deadline) }

func (s *stream) until(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deadline = t
	if !t.IsZero() {
		time.AfterFunc(time.Until(t), s.changed.Broadcast)
	}
}

func (s *stream) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.changed.Broadcast()
}

// icy is a connection that can be frozen: it no longer receives anything.
type icy struct {
	net.Conn
	frozen, closed chan struct{}
	once           sync.Once
}

func (c *icy) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	select {
	case <-c.frozen:
		<-c.closed
		return 0, net.ErrClosed
	default:
		return n, err
	}
}

func (c *icy) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// client is an SSH connection that can be frozen.
type client struct {
	*gossh.Client
	ice *icy
}

// freeze takes the link down: nothing is received any longer, not even the end of the
// connection.
func (c *client) freeze() { close(c.ice.frozen) }

// connect logs in. The connection is closed with the test.
func (h *testServer) connect(t testing.TB, user string) *client {
	t.Helper()
	c, err := h.connectFrom("", user)
	if err != nil {
		t.Fatalf("logging in: %v", err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// connectFrom logs in from an address of the server's network.
func (h *testServer) connectFrom(from, user string) (*client, error) {
	nc, err := h.dial(from)
	if err != nil {
		return nil, err
	}
	ice := &icy{Conn: nc, frozen: make(chan struct{}), closed: make(chan struct{})}
	conn, chans, reqs, err := gossh.NewClientConn(ice, h.address, &gossh.ClientConfig{
		User: user, Auth: []gossh.AuthMethod{gossh.Password("")}, HostKeyCallback: gossh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		ice.Close()
		return nil, err
	}
	return &client{gossh.NewClient(conn, chans, reqs), ice}, nil
}

func (h *testServer) dial(from string) (net.Conn, error) {
	if h.net != nil {
		return h.net.dial(from), nil
	}
	return net.Dial("tcp", h.address)
}

// open opens a session channel without requests.
func (c *client) open(t testing.TB) (gossh.Channel, <-chan *gossh.Request) {
	t.Helper()
	ch, reqs, err := c.OpenChannel("session", nil)
	if err != nil {
		t.Fatal(err)
	}
	return ch, reqs
}
