package proxy

import (
	"bytes"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pires/go-proxyproto"

	"broadside/internal/ratelimit"
)

// ParseTrusted parses addresses and networks, separated by commas. The error is meant for the
// operator.
func ParseTrusted(text string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		p, err := netip.ParsePrefix(word)
		if err != nil {
			a, err := netip.ParseAddr(word)
			if err != nil {
				return nil, fmt.Errorf("%q is neither an address nor a network: write a list such as 192.0.2.7,10.0.0.0/8", word)
			}
			p = netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen())
		}
		all = append(all, p.Masked())
	}
	return all, nil
}

const (
	// headerTime is how long a balancer may take to send the header.
	headerTime = 5 * time.Second
	// nodeTime is how long a connection from a node may take to begin with a header.
	nodeTime = 2 * time.Second
	// maxPending is the maximum number of connections whose header is awaited.
	maxPending = 1024
)

// Listener wraps a listener. It reads the headers of trusted balancers and of other nodes before it
// returns their connections.
type Listener struct {
	net.Listener
	trusted []netip.Prefix
	node    func(netip.Addr) bool
	log     *slog.Logger
	ready   chan net.Conn
	failed  chan error
	done    chan struct{} // closed by Close
	close   sync.Once
	pending chan struct{}
	work    sync.WaitGroup
}

// Listen wraps a listener, which it then owns. Connections from trusted addresses must begin with a
// header. Connections from addresses for which node returns true may: other programs can run on a
// node's machine. node must not block; node and log may be nil.
func Listen(l net.Listener, trusted []netip.Prefix, node func(netip.Addr) bool, log *slog.Logger) *Listener {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if node == nil {
		node = func(netip.Addr) bool { return false }
	}
	p := &Listener{
		Listener: l, trusted: trusted, node: node, log: log,
		ready: make(chan net.Conn), failed: make(chan error), done: make(chan struct{}), pending: make(chan struct{}, maxPending),
	}
	p.work.Go(p.run)
	return p
}

// Accept implements [net.Listener].
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case nc := <-l.ready:
		return nc, nil
	case err := <-l.failed:
		return nil, err
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener]. It waits for the goroutines of the listener.
func (l *Listener) Close() error {
	err := net.ErrClosed
	l.close.Do(func() {
		close(l.done)
		err = l.Listener.Close()
	})
	l.work.Wait()
	return err
}

// run accepts connections until the listener is closed.
func (l *Listener) run() {
	for {
		nc, err := l.Listener.Accept()
		if err != nil {
			select {
			case l.failed <- err:
				continue
			case <-l.done:
				return
			}
		}
		addr := ratelimit.Address(nc.RemoteAddr())
		balancer := slices.ContainsFunc(l.trusted, func(p netip.Prefix) bool { return p.Contains(addr) })
		if !balancer && !l.node(addr) {
			l.deliver(nc)
			continue
		}
		select {
		case l.pending <- struct{}{}:
			l.work.Go(func() {
				defer func() { <-l.pending }()
				l.identify(nc, balancer)
			})
		case <-l.done:
			nc.Close()
		}
	}
}

func (l *Listener) deliver(nc net.Conn) {
	select {
	case l.ready <- nc:
	case <-l.done:
		nc.Close()
	}
}

// identify reads the header of a balancer's connection, or of a node's if there is one.
func (l *Listener) identify(nc net.Conn, balancer bool) {
	stop := make(chan struct{})
	defer close(stop)
	l.work.Go(func() { // Close interrupts reading the header
		select {
		case <-l.done:
			nc.SetReadDeadline(time.Now())
		case <-stop:
		}
	})
	policy, limit := proxyproto.USE, nodeTime
	if balancer {
		policy, limit = proxyproto.REQUIRE, headerTime
	}
	proxied := proxyproto.NewConn(&patientConn{Conn: nc}, proxyproto.WithPolicy(policy), proxyproto.SetReadHeaderTimeout(limit))
	header := proxied.ProxyHeader() // blocks
	if _, err := proxied.Read(nil); header == nil && err != nil {
		l.log.Warn("a load balancer or node sent no valid PROXY header: closing the connection", "remote", nc.RemoteAddr().String(), "error", err)
		nc.Close()
		return
	}
	nc.SetReadDeadline(time.Time{})
	l.deliver(&conn{Conn: nc, in: proxied, passed: header != nil && isPassed(header)})
}

// passedType is the type of the field in a header that marks connections that a node has passed on.
const passedType = proxyproto.PP2_TYPE_MIN_CUSTOM

// PassedHeader returns the header with which a node passes on the connection of a client.
func PassedHeader(client net.Conn) ([]byte, error) {
	h := proxyproto.HeaderProxyFromAddrs(2, client.RemoteAddr(), client.LocalAddr())
	if err := h.SetTLVs([]proxyproto.TLV{{Type: passedType}}); err != nil {
		return nil, err
	}
	return h.Format()
}

func isPassed(h *proxyproto.Header) bool {
	fields, err := h.TLVs()
	return err == nil && slices.ContainsFunc(fields, func(f proxyproto.TLV) bool { return f.Type == passedType })
}

// IsPassed reports whether a node has passed on a connection that a [Listener] returned.
func IsPassed(nc net.Conn) bool {
	c, ok := nc.(*conn)
	return ok && c.passed
}

const (
	// lineStart starts each header of version 1.
	lineStart = "PROXY "
	// maxLine is the maximum length of a header of version 1, in bytes.
	maxLine = 107
)

// patientConn returns a header of version 1 from one Read, even if it arrives in pieces, because the
// parser expects that.
type patientConn struct {
	net.Conn
	complete bool // the header has been read
}

// Read implements [net.Conn].
func (c *patientConn) Read(b []byte) (n int, err error) {
	if c.complete {
		return c.Conn.Read(b)
	}
	for !c.complete {
		var more int
		more, err = c.Conn.Read(b[n:])
		n += more
		start := string(b[:min(n, len(lineStart))])
		c.complete = err != nil || n == len(b) || n >= maxLine || !strings.HasPrefix(lineStart, start) || bytes.IndexByte(b[:n], '\n') >= 0
	}
	return n, err
}

// conn is a connection from a load balancer or a node. Its addresses are those of the client's
// connection.
type conn struct {
	net.Conn
	in     *proxyproto.Conn // the data after the header
	passed bool             // by a node
}

func (c *conn) Read(b []byte) (int, error) { return c.in.Read(b) }
func (c *conn) RemoteAddr() net.Addr       { return c.in.RemoteAddr() }
func (c *conn) LocalAddr() net.Addr        { return c.in.LocalAddr() }

// CloseWrite closes the writing side, if the connection supports it.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// SetKeepAliveConfig configures keep-alive probes, if the connection is a TCP connection.
func (c *conn) SetKeepAliveConfig(k net.KeepAliveConfig) error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		return tcp.SetKeepAliveConfig(k)
	}
	return nil
}
