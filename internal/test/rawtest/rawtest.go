package rawtest

import (
	"bufio"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// patience limits every wait, to end tests that hang. It is much longer than any wait on
// a busy machine with -race.
const patience = 5 * time.Minute

// Conn is a connection. One goroutine may send while another receives. Methods that fail
// the test end the calling goroutine. The test closes the connection when it ends.
type Conn struct {
	t  testing.TB
	nc *net.TCPConn
	in *bufio.Reader
}

// Dial connects to addr.
func Dial(t testing.TB, addr string) *Conn {
	t.Helper()
	nc, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		t.Fatalf("rawtest: %v", err)
	}
	c := &Conn{t: t, nc: nc.(*net.TCPConn), in: bufio.NewReader(nc)}
	t.Cleanup(c.Close)
	return c
}

// Send sends the text unchanged, in a single write.
func (c *Conn) Send(text string) {
	c.t.Helper()
	if err := c.TrySend(text); err != nil {
		c.t.Fatalf("rawtest: sending %q: %v", text, err)
	}
}

// TrySend is like [Conn.Send] for a peer that may have closed the connection or does not
// read.
func (c *Conn) TrySend(text string) error {
	c.nc.SetWriteDeadline(time.Now().Add(patience))
	_, err := io.WriteString(c.nc, text)
	return err
}

// Line receives a line that ends in \n and returns it without the \n. It keeps everything
// else, including a \r before it.
func (c *Conn) Line() string {
	c.t.Helper()
	c.wait()
	line, err := c.in.ReadString('\n')
	if err != nil {
		c.t.Fatalf("rawtest: waiting for a line, got %q: %v", line, err)
	}
	return strings.TrimSuffix(line, "\n")
}

// Expect receives exactly the text and nothing after it. The first byte that differs
// fails the test.
func (c *Conn) Expect(text string) {
	c.t.Helper()
	c.wait()
	for i := range len(text) {
		b, err := c.in.ReadByte()
		if err != nil {
			c.t.Fatalf("rawtest: got %q, want %q: %v", text[:i], text, err)
		}
		if b != text[i] {
			more, _ := c.in.Peek(c.in.Buffered())
			c.t.Fatalf("rawtest: got %q, want %q", text[:i]+string(b)+string(more), text)
		}
	}
}

// ExpectEOF waits until the peer closes or resets the connection, and fails the test if
// the peer sends anything before.
func (c *Conn) ExpectEOF() {
	c.t.Helper()
	if rest := c.Rest(); rest != "" {
		c.t.Fatalf("rawtest: got %q, want the end", rest)
	}
}

// Rest receives everything until the peer closes the connection.
func (c *Conn) Rest() string {
	c.t.Helper()
	c.wait()
	rest, err := io.ReadAll(c.in)
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		c.t.Fatalf("rawtest: the peer does not close, got %q: %v", rest, err)
	}
	return string(rest)
}

// CloseWrite closes the sending side. Receiving still works.
func (c *Conn) CloseWrite() { _ = c.nc.CloseWrite() }

// Reset resets the connection, so that the peer gets an error.
func (c *Conn) Reset() {
	_ = c.nc.SetLinger(0)
	_ = c.nc.Close()
}

// Close closes the connection. It may be called more than once.
func (c *Conn) Close() { _ = c.nc.Close() }

func (c *Conn) wait() { c.nc.SetReadDeadline(time.Now().Add(patience)) }
