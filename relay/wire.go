package relay

import (
	"io"
	"net"
	"net/netip"
	"syscall"
	"time"

	"broadside/internal/ratelimit"
)

// wire is a client's stream. One goroutine may read while another writes.
type wire interface {
	io.ReadWriter // a write that takes too long returns os.ErrDeadlineExceeded
	// hangUp closes the write side. Written bytes still arrive, and a read ends soon.
	hangUp()
	// linger waits until the client has had time to read the last line.
	linger()
	// Close ends blocked reads and writes. It may be called more than once.
	Close() error
	// origin returns the client's location for the log, and its address if it has one.
	origin() (string, netip.Addr)
}

// tcpWire is a TCP connection. Write must be called from one goroutine at a time.
type tcpWire struct {
	net.Conn
	timeout  time.Duration // for writing
	due      time.Time     // the current write deadline
	quickAck func()        // nil if the system or the connection cannot
}

// keepAlive detects within half a minute that a client's machine is unreachable, so that
// the client is not paired.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}

func newTCPWire(nc net.Conn, timeout time.Duration) *tcpWire {
	if tcp, ok := nc.(interface {
		SetKeepAliveConfig(net.KeepAliveConfig) error
	}); ok {
		tcp.SetKeepAliveConfig(keepAlive) // if this fails, only the move timeout detects a lost client
	}
	w := &tcpWire{Conn: nc, timeout: timeout}
	if sc, ok := nc.(syscall.Conn); ok {
		if raw, err := sc.SyscallConn(); err == nil {
			w.quickAck = quickAck(raw)
		}
	}
	return w
}

// Read implements [io.Reader]. It acknowledges the data that it has read.
func (w *tcpWire) Read(b []byte) (int, error) {
	n, err := w.Conn.Read(b)
	if n > 0 && w.quickAck != nil {
		w.quickAck()
	}
	return n, err
}

// Write implements [io.Writer]. It times out if the client does not read and the system's
// buffers are full.
func (w *tcpWire) Write(b []byte) (int, error) {
	// Setting a deadline costs about half as much as a write, so keep one that is far
	// enough in the future.
	now := time.Now()
	if w.due.Sub(now) < w.timeout/2 {
		w.due = now.Add(w.timeout)
		w.SetWriteDeadline(w.due) // fails only on a closed connection, like the write
	}
	return w.Conn.Write(b)
}

const (
	lingerTime  = 2 * time.Second // for a client to read the last line and close
	lingerBytes = 64 << 10        // of input that is discarded meanwhile
)

func (w *tcpWire) hangUp() {
	if half, ok := w.Conn.(interface{ CloseWrite() error }); ok {
		half.CloseWrite() // fails if the client has gone
	}
	w.SetReadDeadline(time.Now().Add(lingerTime))
}

// linger discards input until the client closes its end or the deadline set by hangUp has
// passed. Closing with unread input could discard the last line on its way.
func (w *tcpWire) linger() { io.CopyN(io.Discard, w, lingerBytes) }

func (w *tcpWire) origin() (string, netip.Addr) {
	return w.RemoteAddr().String(), ratelimit.Address(w.RemoteAddr())
}

// carriedWire is the stream of a client of [Server.Carry].
type carriedWire struct {
	io.ReadCloser
	io.Writer
	from string
	addr netip.Addr
}

func (w carriedWire) hangUp()                      { w.ReadCloser.Close() }
func (w carriedWire) linger()                      {}
func (w carriedWire) origin() (string, netip.Addr) { return w.from, w.addr }
