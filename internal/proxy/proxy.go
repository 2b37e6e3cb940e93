// Package proxy reads the addresses of clients behind load balancers from the PROXY protocol,
// version 1 or 2. It does not connect to other servers.
//
// Only trusted balancers may, and must, send a header, because any client could forge one.
// For all other clients, a header is ordinary data.
package proxy

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/pires/go-proxyproto"

	"broadside/internal/ratelimit"
)

// ParseTrusted parses addresses and networks, separated by commas. The error is meant for the
// operator.
func ParseTrusted(text string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		if word == "" {
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
	// nodeTime is how long a node may take to send the header.
	nodeTime = 2 * time.Second
)

// listener returns connections of load balancers and of nodes as [Conn].
type listener struct {
	net.Listener
	trusted []netip.Prefix
	isNode  func(netip.Addr) bool
}

// Listen wraps a listener. Connections from trusted addresses must start with a header. Connections
// from addresses for which isNode returns true may, because other programs can run on a node's computer.
// Both are returned as [Conn], before the header is read. isNode must not block, and may be nil.
func Listen(l net.Listener, trusted []netip.Prefix, isNode func(netip.Addr) bool) net.Listener {
	return &listener{Listener: l, trusted: trusted, isNode: isNode}
}

// Accept implements [net.Listener].
func (l *listener) Accept() (net.Conn, error) {
	nc, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	addr := ratelimit.IPAddress(nc.RemoteAddr())
	switch {
	case slices.ContainsFunc(l.trusted, func(p netip.Prefix) bool { return p.Contains(addr) }):
		return newConn(nc, proxyproto.REQUIRE, headerTime), nil
	case l.isNode != nil && l.isNode(addr):
		return newConn(nc, proxyproto.USE, nodeTime), nil
	}
	return nc, nil
}

// Conn is a connection from a load balancer or a node. Its addresses are those of the client's
// connection. Asking for them, reading and writing wait for the header.
type Conn struct {
	*proxyproto.Conn
	raw net.Conn
}

func newConn(nc net.Conn, policy proxyproto.Policy, limit time.Duration) *Conn {
	c := proxyproto.NewConn(&patientConn{Conn: nc}, proxyproto.WithPolicy(policy), proxyproto.SetReadHeaderTimeout(limit))
	return &Conn{Conn: c, raw: nc}
}

// ReadHeader reads the header. After an error, which says why the header is invalid, the connection is
// useless.
func (c *Conn) ReadHeader() error {
	_, err := c.Read(nil)
	return err
}

// CloseWrite closes the writing side, if the connection supports it.
func (c *Conn) CloseWrite() error {
	if half, ok := c.raw.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// SetKeepAliveConfig configures keep-alive probes, if the connection is a TCP connection.
func (c *Conn) SetKeepAliveConfig(k net.KeepAliveConfig) error {
	if tcp, ok := c.raw.(*net.TCPConn); ok {
		return tcp.SetKeepAliveConfig(k)
	}
	return nil
}

// forwardedType is the type of the header field that marks connections that a node has forwarded.
const forwardedType = proxyproto.PP2_TYPE_MIN_CUSTOM

// ForwardHeader returns the header with which a node forwards a client's connection.
func ForwardHeader(client net.Conn) ([]byte, error) {
	h := proxyproto.HeaderProxyFromAddrs(2, client.RemoteAddr(), client.LocalAddr())
	if err := h.SetTLVs([]proxyproto.TLV{{Type: forwardedType}}); err != nil {
		return nil, err
	}
	return h.Format()
}

// IsForwarded reports whether a connection from a [Listen] listener was forwarded by a node.
func IsForwarded(nc net.Conn) bool {
	c, ok := nc.(*Conn)
	if !ok || c.ProxyHeader() == nil {
		return false
	}
	fields, err := c.ProxyHeader().TLVs()
	return err == nil && slices.ContainsFunc(fields, func(f proxyproto.TLV) bool { return f.Type == forwardedType })
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
	started bool // the first Read has returned
}

// Read implements [net.Conn].
func (c *patientConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	for !c.started && err == nil && n < min(len(b), maxLine) && isPartialHeader(string(b[:n])) {
		var more int
		more, err = c.Conn.Read(b[n:])
		n += more
	}
	c.started = true
	return n, err
}

// isPartialHeader reports whether a text is an incomplete header of version 1.
func isPartialHeader(text string) bool {
	return strings.HasPrefix(lineStart, text) || strings.HasPrefix(text, lineStart) && !strings.Contains(text, "\n")
}
