// Package memnet is a network inside the process. Its deadlines follow the clock of a
// synctest bubble, so tests control when they pass.
package memnet

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Network is a listener for connections inside the process.
type Network struct {
	calls  chan net.Conn
	closed chan struct{}
	once   sync.Once

	mu    sync.Mutex
	ports int // guarded by mu
}

// New returns a network without connections.
func New() *Network {
	return &Network{calls: make(chan net.Conn), closed: make(chan struct{})}
}

type address string

func (a address) Network() string { return "tcp" }
func (a address) String() string  { return string(a) }

// Addr implements [net.Listener].
func (n *Network) Addr() net.Addr { return address("192.0.2.1:22") }

// Accept implements [net.Listener].
func (n *Network) Accept() (net.Conn, error) {
	select {
	case c := <-n.calls:
		return c, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener]. Open connections stay open.
func (n *Network) Close() error {
	n.once.Do(func() { close(n.closed) })
	return nil
}

// Dial connects from an IP address and waits until the connection is accepted. An empty address stands for
// any address. It must not be called after Close.
func (n *Network) Dial(from string) *Conn {
	n.mu.Lock()
	n.ports++
	caller := address(net.JoinHostPort(cmp.Or(from, "192.0.2.2"), fmt.Sprint(n.ports)))
	n.mu.Unlock()
	up, down := newStream(), newStream()
	n.calls <- &Conn{read: up, write: down, local: n.Addr(), remote: caller}
	return &Conn{read: down, write: up, local: caller, remote: n.Addr()}
}

// Conn is an end of a connection. It implements [net.Conn].
type Conn struct {
	read, write   *stream
	local, remote net.Addr
	closed        atomic.Bool // at this end
}

// Read fails with [net.ErrClosed] once this end is closed, as TCP does, and with
// [io.EOF] once the other is.
func (c *Conn) Read(b []byte) (int, error) {
	n, err := c.read.read(b)
	if err == io.EOF && c.closed.Load() {
		err = net.ErrClosed
	}
	return n, err
}

func (c *Conn) Write(b []byte) (int, error) { return c.write.write(b) }
func (c *Conn) LocalAddr() net.Addr         { return c.local }
func (c *Conn) RemoteAddr() net.Addr        { return c.remote }
func (c *Conn) SetReadDeadline(t time.Time) error {
	c.read.setDeadline(&c.read.readDeadline, t)
	return nil
}
func (c *Conn) SetWriteDeadline(t time.Time) error {
	c.write.setDeadline(&c.write.writeDeadline, t)
	return nil
}

func (c *Conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

func (c *Conn) Close() error {
	c.closed.Store(true)
	c.read.close()
	c.write.close()
	return nil
}

// CloseWrite ends the stream that the other end reads.
func (c *Conn) CloseWrite() error {
	c.write.close()
	return nil
}

// stream is one direction of a connection, with a bounded buffer.
type stream struct {
	mu                          sync.Mutex
	changed                     *sync.Cond
	data                        []byte
	closed                      bool
	readDeadline, writeDeadline time.Time
}

// streamCapacity is a number of bytes. A write waits while the stream holds more.
const streamCapacity = 64 << 10

func newStream() *stream {
	s := new(stream)
	s.changed = sync.NewCond(&s.mu)
	return s
}

func (s *stream) read(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(b) == 0 { // as TCP does
		return 0, nil
	}
	for !s.closed && len(s.data) == 0 {
		if isPast(s.readDeadline) {
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

func (s *stream) write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.closed && len(s.data) > streamCapacity {
		if isPast(s.writeDeadline) {
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

// isPast reports whether a deadline has passed.
func isPast(deadline time.Time) bool { return !deadline.IsZero() && !time.Now().Before(deadline) }

// setDeadline sets one of the stream's two deadlines, to which the pointer leads, and wakes those who wait when it
// has passed.
func (s *stream) setDeadline(deadline *time.Time, t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*deadline = t
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
