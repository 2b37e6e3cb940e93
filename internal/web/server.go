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
	// Log may be nil.
	Log *slog.Logger
	// Admit returns an error if an address is banned. A nil function admits everyone.
	Admit  func(netip.Addr) error
	Limits Limits
	// Proxies are the reverse proxies whose X-Forwarded-For and X-Forwarded-Proto headers
	// are used.
	Proxies []netip.Prefix
	// Address is the SSH server's public address, as host or host:port. If it is empty,
	// pages show the host that the browser has requested, and the port of SSH.
	Address string
	// SSH and Relay are the addresses at which players and programs connect. Pages show
	// their ports.
	SSH, Relay net.Addr
	// Ladder is set if programs play on a ladder.
	Ladder bool
	// Fingerprint is that of the preferred SSH host key.
	Fingerprint string
}

// Server serves the website. Create it with [New].
type Server struct {
	cfg Config
	hub *feed.Hub
	// responses joins identical requests.
	responses singleflight.Group
	http      *http.Server
	// ctx ends when the server shuts down.
	ctx    context.Context
	cancel context.CancelFunc
	// adviceSlots has the capacity of simultaneous computations of odds.
	adviceSlots chan struct{}

	conns    *ratelimit.Count
	requests *ratelimit.Rate
	streams  *ratelimit.Count
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
		cfg: cfg, hub: feed.NewHub(cfg.Host, cfg.Log), adviceSlots: make(chan struct{}, 1),
		conns:    ratelimit.NewCount(l.MaxConns, l.MaxConnsPerAddr),
		requests: ratelimit.NewRate(l.RequestRate, l.RequestBurst),
		streams:  ratelimit.NewCount(l.MaxStreams, l.MaxStreamsPerAddr),
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler: s.NewHandler(), ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime,
		IdleTimeout: idleTime, MaxHeaderBytes: 16 << 10,
		// The end of ctx ends the streams.
		BaseContext: func(net.Listener) context.Context { return s.ctx },
		ErrorLog:    slog.NewLogLogger(cfg.Log.Handler(), slog.LevelDebug),
	}
	return s
}

// SetLimits changes the limits. Connections above the new limits stay.
func (s *Server) SetLimits(l Limits) {
	l = l.WithDefaults()
	s.conns.SetLimits(l.MaxConns, l.MaxConnsPerAddr)
	s.requests.SetLimits(l.RequestRate, l.RequestBurst)
	s.streams.SetLimits(l.MaxStreams, l.MaxStreamsPerAddr)
}

// Serve serves a listener until it is closed, or until [Server.Shutdown].
func (s *Server) Serve(l net.Listener) error {
	err := s.http.Serve(&limitedListener{Listener: l, server: s})
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return fmt.Errorf("serve the website: %w", err)
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

// NewHandler returns the handler of all pages and endpoints.
func (s *Server) NewHandler() http.Handler {
	mux := http.NewServeMux()
	get := func(path string, h http.HandlerFunc) { mux.HandleFunc("GET "+path, h) }
	get("/{$}", s.newPageHandler("home", (*page).readHome))
	get("/live", s.newPageHandler("live", (*page).readLive))
	get("/m/{id}", s.newPageHandler("live", (*page).readMatch))
	get("/leaderboard", s.newPageHandler("leaderboard", (*page).readLeaderboard))
	get("/ladder", s.newPageHandler("ladder", (*page).readLadder))
	get("/ladder/{name}", s.newPageHandler("ladder", (*page).readLadderPlayer))
	get("/daily", s.newPageHandler("daily", (*page).readDaily))
	get("/daily/{day}", s.newPageHandler("daily", (*page).readDaily))
	get("/puzzles", s.newPageHandler("puzzles", (*page).readPuzzles))
	get("/programs", s.newPageHandler("programs", (*page).readPrograms))
	get("/{name}", s.newPageHandler("", (*page).readProfile))
	get("/m/{id}/picture.svg", s.newHandler((*page).matchPicture, (*page).textFailure))
	get("/turns/{file}", s.newHandler((*page).readTurns, (*page).textFailure))
	get("/assets/{file}", s.serveAsset)
	get("/robots.txt", serveRobots)
	s.addAPIHandlers(get)
	mux.HandleFunc("/", s.serveUnknown)
	return s.checkRequests(mux)
}
