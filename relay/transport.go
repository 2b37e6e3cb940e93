package relay

import (
	"io"
	"net"
	"net/netip"
	"syscall"
	"time"

	"broadside/internal/ratelimit"
)

// transport is a client's stream. One goroutine may read while another writes.
type transport interface {
	io.ReadWriter // a write that takes too long returns os.ErrDeadlineExceeded
	// closeWrite closes the write side. Written bytes still arrive, and a read ends soon.
	closeWrite()
	// awaitClose waits until the client has had time to read the last line.
	awaitClose()
	// Close ends blocked reads and writes. It may be called more than once.
	Close() error
	// origin returns the client's location for the log, and its address if it has one.
	origin() (string, netip.Addr)
}

// tcpTransport is a TCP connection. Write must be called from one goroutine at a time.
type tcpTransport struct {
	net.Conn
	timeout  time.Duration // for writing
	deadline time.Time     // the current write deadline
	quickAck func()        // nil if the system or the connection cannot
}

// keepAlive detects within half a minute that a client's machine is unreachable, so that
// the client is not paired.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}

func newTCPTransport(nc net.Conn, timeout time.Duration) *tcpTransport {
	if tcp, ok := nc.(interface {
		SetKeepAliveConfig(net.KeepAliveConfig) error
	}); ok {
		tcp.SetKeepAliveConfig(keepAlive) // if this fails, only the move timeout detects a lost client
	}
	w := &tcpTransport{Conn: nc, timeout: timeout}
	if sc, ok := nc.(syscall.Conn); ok {
		if raw, err := sc.SyscallConn(); err == nil {
			w.quickAck = quickAck(raw)
		}
	}
	return w
}

// Read implements [io.Reader]. It acknowledges the data that it has read.
func (w *tcpTransport) Read(b []byte) (int, error) {
	n, err := w.Conn.Read(b)
	if n > 0 && w.quickAck != nil {
		w.quickAck()
	}
	return n, err
}

// Write implements [io.Writer]. It times out if the client does not read and the system's
// buffers are full.
func (w *tcpTransport) Write(b []byte) (int, error) {
	// Setting a deadline costs about half as much as a write, so keep one that is far
	// enough in the future.
	now := time.Now()
	if w.deadline.Sub(now) < w.timeout/2 {
		w.deadline = now.Add(w.timeout)
		w.SetWriteDeadline(w.deadline) // fails only on a closed connection, like the write
	}
	return w.Conn.Write(b)
}

const (
	closeTime    = 2 * time.Second // for a client to read the last line and close
	maxDiscarded = 64 << 10        // of input that is discarded meanwhile
)

func (w *tcpTransport) closeWrite() {
	if half, ok := w.Conn.(interface{ CloseWrite() error }); ok {
		half.CloseWrite() // fails if the client has gone
	}
	w.SetReadDeadline(time.Now().Add(closeTime))
}

// awaitClose discards input until the client closes its end or the deadline set by hangUp has
// passed. Closing with unread input could discard the last line on its way.
func (w *tcpTransport) awaitClose() { io.CopyN(io.Discard, w, maxDiscarded) }

func (w *tcpTransport) origin() (string, netip.Addr) {
	return w.RemoteAddr().String(), ratelimit.Address(w.RemoteAddr())
}

// streamTransport is the stream of a client of [Server.ServeStream].
type streamTransport struct {
	io.ReadCloser
	io.Writer
	where string
	addr  netip.Addr
}

func (w streamTransport) closeWrite()                  { w.ReadCloser.Close() }
func (w streamTransport) awaitClose()                  {}
func (w streamTransport) origin() (string, netip.Addr) { return w.where, w.addr }
