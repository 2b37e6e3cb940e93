package relay

import (
	"io"
	"net"
	"net/netip"
	"time"

	"broadside/internal/ratelimit"
)

// wire is how a client's bytes come and go. One goroutine reads while another
// writes.
type wire interface {
	io.ReadWriter // a write that takes too long is os.ErrDeadlineExceeded
	// hangUp ends what is written. What was written arrives, and a read ends soon.
	hangUp()
	// linger waits until the client has had time to read what was written last.
	linger()
	// Close ends a read and a write that wait, and may be called again.
	Close() error
	// where is where the client is, for the log, and its address if it has one.
	where() (string, netip.Addr)
}

// tcpWire is a connection of the server's own. Writes are made by one goroutine
// at a time.
type tcpWire struct {
	net.Conn
	timeout time.Duration // for writing
	due     time.Time     // the write deadline that is set
}

// keepAlive finds out within half a minute that a client's machine has gone
// without a word, so that nobody is paired with it.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}

func newTCPWire(nc net.Conn, timeout time.Duration) *tcpWire {
	if tcp, ok := nc.(interface {
		SetKeepAliveConfig(net.KeepAliveConfig) error
	}); ok {
		tcp.SetKeepAliveConfig(keepAlive) // without it, the move timeout is all there is
	}
	return &tcpWire{Conn: nc, timeout: timeout}
}

// Write implements [io.Writer]. A client that does not read ends it, once the
// system's buffers are full.
func (w *tcpWire) Write(b []byte) (int, error) {
	// Setting a deadline costs about as much as half a write; one that is
	// still far enough away will do.
	if now := time.Now(); w.due.Sub(now) < w.timeout/2 {
		w.due = now.Add(w.timeout)
		w.SetWriteDeadline(w.due) // fails on a closed connection only, as the write will
	}
	return w.Conn.Write(b)
}

const (
	lingerTime  = 2 * time.Second // for a client to read the last line and close
	lingerBytes = 64 << 10        // of input that is thrown away meanwhile
)

func (w *tcpWire) hangUp() {
	if half, ok := w.Conn.(interface{ CloseWrite() error }); ok {
		half.CloseWrite() // fails if the client has gone
	}
	w.SetReadDeadline(time.Now().Add(lingerTime))
}

// linger throws away what the client still sends, until it closes its end or
// the deadline that hangUp has set is there: closing with unread input would
// destroy the last line on its way.
func (w *tcpWire) linger() { io.CopyN(io.Discard, w, lingerBytes) }

func (w *tcpWire) where() (string, netip.Addr) {
	return w.RemoteAddr().String(), ratelimit.Address(w.RemoteAddr())
}

// carriedWire is a stream that somebody else has opened and will end.
type carriedWire struct {
	io.ReadCloser
	io.Writer
	from string
	addr netip.Addr
}

func (w carriedWire) hangUp()                     { w.ReadCloser.Close() }
func (w carriedWire) linger()                     {}
func (w carriedWire) where() (string, netip.Addr) { return w.from, w.addr }
