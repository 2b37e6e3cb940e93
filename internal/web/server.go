package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"golang.org/x/sync/singleflight"

	"broadside/internal/ratelimit"
	"broadside/internal/web/feed"
	"broadside/lobby/session"
)

// Config configures a [Server].
type Config struct {
	Host *session.Host
	Log  *slog.Logger // nil: no log
	// Admit returns an error if an address is banned; nil admits everyone.
	Admit  func(netip.Addr) error
	Limits Limits
	// Proxies are the reverse proxies whose X-Forwarded-For and X-Forwarded-Proto headers
	// are used.
	Proxies []netip.Prefix
	// Address is the public address of the SSH server, as host or host:port. If it is empty,
	// pages show the host that the browser has requested, and the port of SSH.
	Address string
	// SSH and Relay are the addresses of the listeners for players and programs. Pages
	// show their ports.
	SSH, Relay  net.Addr
	Ladder      bool   // programs play on a ladder
	Fingerprint string // of the preferred SSH host key
}

// Server serves the website. Create it with [New].
type Server struct {
	cfg      Config
	hub      *feed.Hub
	building singleflight.Group // responses
	http     *http.Server
	ctx      context.Context // ends when the server shuts down
	cancel   context.CancelFunc
	advice   chan struct{} // capacity: simultaneous computations of odds

	conns    *ratelimit.Count
	requests *ratelimit.Rate
	open     *ratelimit.Count // event streams
}

// Timeouts of the HTTP server.
const (
	headerTime = 5 * time.Second
	readTime   = 10 * time.Second
	writeTime  = 30 * time.Second
	idleTime   = time.Minute
)

// New returns a server that does not listen yet.
func New(cfg Config) *Server {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Admit == nil {
		cfg.Admit = func(netip.Addr) error { return nil }
	}
	l := cfg.Limits.WithDefaults()
	s := &Server{
		cfg: cfg, hub: feed.NewHub(cfg.Host, cfg.Log), advice: make(chan struct{}, 1),
		conns:    ratelimit.NewCount(l.MaxConns, l.MaxConnsPerAddr),
		requests: ratelimit.NewRate(l.RequestRate, l.RequestBurst),
		open:     ratelimit.NewCount(l.MaxStreams, l.MaxStreamsPerAddr),
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime,
		IdleTimeout: idleTime, MaxHeaderBytes: 16 << 10,
		BaseContext: func(net.Listener) context.Context { return s.ctx }, // ends streams
		ErrorLog:    slog.NewLogLogger(cfg.Log.Handler(), slog.LevelDebug),
	}
	return s
}

// SetLimits changes the limits. Connections above the new limits stay.
func (s *Server) SetLimits(l Limits) {
	l = l.WithDefaults()
	s.conns.SetLimits(l.MaxConns, l.MaxConnsPerAddr)
	s.requests.SetLimits(l.RequestRate, l.RequestBurst)
	s.open.SetLimits(l.MaxStreams, l.MaxStreamsPerAddr)
}

// Serve serves a listener until it is closed, or until [Server.Shutdown].
func (s *Server) Serve(l net.Listener) error {
	err := s.http.Serve(&listener{Listener: l, server: s})
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return fmt.Errorf("serving the website: %w", err)
}

// Shutdown ends all streams and waits for running requests until ctx ends.
func (s *Server) Shutdown(ctx context.Context) error {
	s.cancel()
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = errors.Join(err, s.http.Close())
	}
	s.hub.Close()
	return err
}

// Handler returns the handler of all pages and of the API.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	get := func(path string, h http.HandlerFunc) { mux.HandleFunc("GET "+path, h) }
	get("/{$}", s.page("home", (*page).home))
	get("/live", s.page("live", (*page).live))
	get("/m/{id}", s.page("live", (*page).match))
	get("/leaderboard", s.page("leaderboard", (*page).leaderboard))
	get("/ladder", s.page("ladder", (*page).ladder))
	get("/ladder/{name}", s.page("ladder", (*page).ladderPlayer))
	get("/daily", s.page("daily", (*page).daily))
	get("/daily/{day}", s.page("daily", (*page).daily))
	get("/programs", s.page("programs", (*page).programs))
	get("/{name}", s.page("", (*page).profile))
	get("/m/{id}/picture.svg", s.answer((*page).picture, (*page).failPicture))
	get("/assets/{file}", s.asset)
	get("/robots.txt", robots)
	s.handleAPI(get)
	mux.HandleFunc("/", s.unknown)
	return s.guard(mux)
}
