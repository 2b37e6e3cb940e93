package relay

import (
	"io"
	"net"
	"net/netip"
	"syscall"
	"time"

	"broadside/internal/ratelimit"
)

// transport is a client's stream. One goroutine may read while another writes. A write that takes
// too long returns os.ErrDeadlineExceeded.
type transport interface {
	io.ReadWriter
	// closeWrite closes the write side. Written bytes still arrive, and a read ends soon.
	closeWrite()
	// awaitClose waits until the client has had time to read the last line.
	awaitClose()
	// Close ends blocked reads and writes. It may be called more than once.
	Close() error
	// location returns where the client is, for the log.
	location() string
	// address returns the client's address, or zero if it is not an IP address.
	address() netip.Addr
}

// tcpTransport is a TCP connection. Write must be called from one goroutine at a time.
type tcpTransport struct {
	net.Conn
	writeTimeout  time.Duration
	writeDeadline time.Time
	// quickAck acknowledges received data. It is nil if that is not possible.
	quickAck func()
}

// keepAlive detects within half a minute that a client's computer is unreachable, so that
// the client is not paired.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}

func newTCPTransport(nc net.Conn, writeTimeout time.Duration) *tcpTransport {
	if tcp, ok := nc.(interface {
		SetKeepAliveConfig(net.KeepAliveConfig) error
	}); ok {
		// If this fails, only the move timeout detects a lost client.
		tcp.SetKeepAliveConfig(keepAlive)
	}
	t := &tcpTransport{Conn: nc, writeTimeout: writeTimeout}
	if sc, ok := nc.(syscall.Conn); ok {
		if raw, err := sc.SyscallConn(); err == nil {
			t.quickAck = quickAck(raw)
		}
	}
	return t
}

// Read implements [io.Reader]. It acknowledges the data that it has read.
func (t *tcpTransport) Read(b []byte) (int, error) {
	n, err := t.Conn.Read(b)
	if n > 0 && t.quickAck != nil {
		t.quickAck()
	}
	return n, err
}

// Write implements [io.Writer]. It times out if the client does not read and the system's
// buffers are full.
func (t *tcpTransport) Write(b []byte) (int, error) {
	// Setting a deadline costs about half as much as a write, so keep one that is far
	// enough in the future.
	now := time.Now()
	if t.writeDeadline.Sub(now) < t.writeTimeout/2 {
		t.writeDeadline = now.Add(t.writeTimeout)
		// This fails only on a closed connection, like the write.
		t.SetWriteDeadline(t.writeDeadline)
	}
	return t.Conn.Write(b)
}

// closeTime is how long a client may take to read the last line and close its end. Meanwhile, the
// server discards at most maxDiscarded bytes of input.
const (
	closeTime    = 2 * time.Second
	maxDiscarded = 64 << 10
)

func (t *tcpTransport) closeWrite() {
	if half, ok := t.Conn.(interface{ CloseWrite() error }); ok {
		// CloseWrite fails if the client has gone.
		half.CloseWrite()
	}
	t.SetReadDeadline(time.Now().Add(closeTime))
}

// awaitClose discards input until the client closes its end or the deadline set by closeWrite has
// passed. Closing with unread input could discard the last line on its way.
func (t *tcpTransport) awaitClose() { io.CopyN(io.Discard, t, maxDiscarded) }

func (t *tcpTransport) location() string    { return t.RemoteAddr().String() }
func (t *tcpTransport) address() netip.Addr { return ratelimit.IPAddress(t.RemoteAddr()) }

type streamTransport struct {
	io.ReadCloser
	io.Writer
	client StreamClient
}

func (t *streamTransport) closeWrite()         { t.ReadCloser.Close() }
func (t *streamTransport) awaitClose()         {}
func (t *streamTransport) location() string    { return t.client.Location }
func (t *streamTransport) address() netip.Addr { return t.client.Addr }
