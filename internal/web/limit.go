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
	MaxConns          int // connections
	MaxConnsPerAddr   int // except from reverse proxies
	RequestRate       int // requests per minute from one address
	RequestBurst      int // requests at once from one address
	MaxStreams        int // event streams
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

// listener limits the connections of a listener.
type listener struct {
	net.Listener
	server *Server
}

// Accept returns the next connection that the limits allow, and closes the others.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		addr := ratelimit.Address(c.RemoteAddr())
		counted := addr
		if l.server.trusted(addr) { // its clients are limited by request
			counted = netip.Addr{}
			err = l.server.conns.AcquireShared()
		} else if err = l.server.cfg.Admit(addr); err == nil {
			err = l.server.conns.Acquire(addr)
		}
		if err != nil {
			c.Close()
			continue
		}
		return &conn{Conn: c, release: sync.OnceFunc(func() { l.server.conns.Release(counted) })}, nil
	}
}

// conn is a counted connection.
type conn struct {
	net.Conn
	release func()
}

func (c *conn) Close() error {
	c.release()
	return c.Conn.Close()
}

// trusted reports whether an address belongs to a reverse proxy.
func (s *Server) trusted(a netip.Addr) bool {
	return slices.ContainsFunc(s.cfg.Proxies, func(p netip.Prefix) bool { return p.Contains(a) })
}

// peer returns the address that a request came from, which may be that of a reverse proxy.
func peer(r *http.Request) netip.Addr {
	from, _ := netip.ParseAddrPort(r.RemoteAddr) // the zero address if there is none
	return from.Addr().Unmap().WithZone("")
}

// client returns the address of the client that sent a request, which a reverse proxy adds
// as the last one to X-Forwarded-For.
func (s *Server) client(r *http.Request) netip.Addr {
	addr := peer(r)
	if !s.trusted(addr) {
		return addr
	}
	all := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, a := range slices.Backward(all) {
		client, err := netip.ParseAddr(strings.TrimSpace(a))
		if err != nil {
			break
		}
		addr = client.Unmap().WithZone("")
		if !s.trusted(addr) {
			break
		}
	}
	return addr
}

// policy allows only the server's own style sheet, module, pictures and feeds.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors *"

// guard checks requests before they reach a handler, and sets the headers that all responses
// have.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		if forAPI(r) {
			h.Set("Access-Control-Allow-Origin", "*")
		}
		client := s.client(r)
		switch {
		case s.cfg.Admit(client) != nil:
			refuse(w, r, http.StatusForbidden, "banned")
		case !s.requests.Allow(client):
			h.Set("Retry-After", "10")
			refuse(w, r, http.StatusTooManyRequests, "too many requests")
		case r.ContentLength != 0:
			refuse(w, r, http.StatusRequestEntityTooLarge, "requests have no body")
		case r.Method == http.MethodOptions && forAPI(r):
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
