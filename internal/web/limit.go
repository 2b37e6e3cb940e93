package web

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"broadside/internal/ratelimit"
)

// Limits bounds what clients can use. Fields that are 0 have a default.
type Limits struct {
	MaxConns int
	// MaxConnsPerAddr does not apply to reverse proxies.
	MaxConnsPerAddr int
	// RequestRate is the number of requests per minute from one address, of which RequestBurst may come together.
	RequestRate  int
	RequestBurst int
	// MaxStreams is the number of open event streams.
	MaxStreams        int
	MaxStreamsPerAddr int
}

// WithDefaults returns the limits with the defaults of fields that are 0.
func (l Limits) WithDefaults() Limits {
	return Limits{
		MaxConns: cmp.Or(l.MaxConns, 16384), MaxConnsPerAddr: cmp.Or(l.MaxConnsPerAddr, 1024),
		RequestRate: cmp.Or(l.RequestRate, 3000), RequestBurst: cmp.Or(l.RequestBurst, 1000),
		MaxStreams: cmp.Or(l.MaxStreams, 12000), MaxStreamsPerAddr: cmp.Or(l.MaxStreamsPerAddr, 512),
	}
}

// limitedListener accepts only as many connections as the limits allow.
type limitedListener struct {
	net.Listener
	server *Server
}

// Accept returns the next connection that the limits allow, and closes the others.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		release, err := l.server.reserveConn(ratelimit.IPAddress(c.RemoteAddr()))
		if err != nil {
			c.Close()
			continue
		}
		return &countedConn{Conn: c, release: sync.OnceFunc(release)}, nil
	}
}

// reserveConn counts a connection from an address, or returns an error if it is not allowed.
func (s *Server) reserveConn(a netip.Addr) (release func(), err error) {
	if s.isProxy(a) {
		// A proxy's clients are limited by request.
		return func() { s.conns.Release(netip.Addr{}) }, s.conns.AcquireShared()
	}
	if err := s.cfg.Admit(a); err != nil {
		return nil, err
	}
	return func() { s.conns.Release(a) }, s.conns.Acquire(a)
}

// countedConn is a counted connection.
type countedConn struct {
	net.Conn
	release func()
}

func (c *countedConn) Close() error {
	c.release()
	return c.Conn.Close()
}

// isProxy reports whether an address belongs to a reverse proxy.
func (s *Server) isProxy(a netip.Addr) bool {
	return slices.ContainsFunc(s.cfg.Proxies, func(p netip.Prefix) bool { return p.Contains(a) })
}

// peerAddress returns the address that a request came from, which may be a reverse proxy's. It is the zero
// address if there is none.
func peerAddress(r *http.Request) netip.Addr {
	from, _ := netip.ParseAddrPort(r.RemoteAddr)
	return from.Addr().Unmap().WithZone("")
}

// clientAddress returns the address of the client that sent a request, which a reverse proxy adds
// as the last one to X-Forwarded-For.
func (s *Server) clientAddress(r *http.Request) netip.Addr {
	addr := peerAddress(r)
	if !s.isProxy(addr) {
		return addr
	}
	all := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, a := range slices.Backward(all) {
		client, err := netip.ParseAddr(strings.TrimSpace(a))
		if err != nil {
			break
		}
		addr = client.Unmap().WithZone("")
		if !s.isProxy(addr) {
			break
		}
	}
	return addr
}

// contentPolicy allows only the server's own style sheet, module, pictures and feeds.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors *"

// checkRequests checks requests before they reach a handler, and sets the headers that all responses
// have.
func (s *Server) checkRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		if isForAPI(r) {
			h.Set("Access-Control-Allow-Origin", "*")
		}
		client := s.clientAddress(r)
		switch {
		case s.cfg.Admit(client) != nil:
			writeRefusal(w, r, http.StatusForbidden, "banned")
		case !s.requests.Allow(client):
			h.Set("Retry-After", "10")
			writeRefusal(w, r, http.StatusTooManyRequests, "too many requests")
		case r.ContentLength != 0:
			writeRefusal(w, r, http.StatusRequestEntityTooLarge, "requests have no body")
		case r.Method == http.MethodOptions && isForAPI(r):
			answerPreflight(w)
		case path.Clean(r.URL.Path) != r.URL.Path:
			to := url.URL{Path: path.Clean("/" + r.URL.Path), RawQuery: r.URL.RawQuery}
			http.Redirect(w, r, to.String(), http.StatusPermanentRedirect)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// answerPreflight answers a browser's CORS preflight request: pages of other sites may send these headers.
func answerPreflight(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", "GET, HEAD")
	h.Set("Access-Control-Allow-Headers", "Last-Event-ID, If-None-Match, Cache-Control")
	h.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
}
