package sshd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	"charm.land/wish/v2"
	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/i18n"
	"broadside/internal/ratelimit"
)

// Config configures a [Server].
type Config struct {
	// HostKeys are the server's keys, the preferred one first. See [OpenHostKeys]. They are required, like App,
	// Lines and Command.
	HostKeys []gossh.Signer
	// App creates a session's screen.
	App App
	// Lines runs line mode for sessions that cannot show a screen.
	Lines Lines
	// Command returns the command for the words of a user's command line, which are not empty.
	Command func(user User, words []string) Command
	// Access decides who may connect. If it is nil, everyone may.
	Access Access
	// Log is the server log, or nil.
	Log   *slog.Logger
	Meter Meter
	// Notice returns a message to the screen that shows the user a sentence, such as a
	// warning that the session will end soon. If it is nil, nothing is shown.
	Notice func(said i18n.Message) tea.Msg
	// Language returns a user's language. If it is nil, the language in the user's environment is used.
	Language func(ctx context.Context, user User) i18n.Language

	Limits
}

// Access decides who may connect. Its methods may be called from any goroutine. A new ban
// must apply here before [Server.Disconnect] closes its connections.
type Access interface {
	// CheckAddress is called for each connection before anything is read from it. It must not wait. After an
	// error, the connection is closed without a message.
	CheckAddress(a netip.Addr) error
	// CheckKey is called for each session with the verified key's fingerprint, which is empty for guests.
	// An error ends the session and is shown to the user.
	CheckKey(ctx context.Context, fingerprint string) error
}

func (c Config) withDefaults() Config {
	c.Limits = c.Limits.WithDefaults()
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

func (c Config) validate() error {
	if len(c.HostKeys) == 0 || c.App == nil || c.Lines == nil || c.Command == nil {
		return errors.New("Config needs HostKeys, App, Lines and Command")
	}
	return c.Limits.validate()
}

// Server is an SSH server. Its methods may be called from any goroutine.
type Server struct {
	cfg           Config
	srv           *ssh.Server
	pty           ssh.PtyHandler
	currentLimits atomic.Pointer[Limits]
	connCount     *ratelimit.Count
	// sessCount does not count short commands.
	sessCount *ratelimit.Count
	connRate  *ratelimit.Rate
	// inputRate counts bytes.
	inputRate *ratelimit.Rate
	// refusals has an element for each running sendRefusal.
	refusals chan struct{}
	// chanWork and connWork wait for the goroutines of session channels and connections.
	chanWork sync.WaitGroup
	connWork sync.WaitGroup

	// mu guards the fields below.
	mu         sync.Mutex
	frontends  map[frontend]struct{}
	conns      map[*connection]struct{}
	listeners  map[net.Listener]struct{}
	lastConnID int
	// closing is set when no new connections or sessions are accepted.
	closing bool
}

// New creates a server.
func New(cfg Config) (*Server, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	s := &Server{
		cfg:       cfg,
		connCount: ratelimit.NewCount(0, 0), sessCount: ratelimit.NewCount(0, 0),
		connRate: ratelimit.NewRate(0, 0), inputRate: ratelimit.NewRate(0, 0),
		refusals:  make(chan struct{}, maxRefusals),
		frontends: map[frontend]struct{}{}, conns: map[*connection]struct{}{}, listeners: map[net.Listener]struct{}{},
	}
	if err := s.SetLimits(cfg.Limits); err != nil {
		return nil, err
	}
	// A pseudo-terminal on the server would consume every other resize, and only a shell needs one.
	var err error
	s.srv, err = wish.NewServer(
		withHostKeys(cfg.HostKeys), wish.WithVersion(strings.TrimPrefix(version, "SSH-2.0-")), ssh.EmulatePty(),
		// The last middleware is called first.
		wish.WithMiddleware(serveScreen, serveLineMode, serveCommand, limitSessions, admitUsers, logSession, recoverPanics))
	if err != nil {
		return nil, fmt.Errorf("setting up SSH: %w", err)
	}
	s.pty = s.srv.PtyHandler
	configureAuthentication(s.srv, s.isUserKey)
	s.srv.ConnCallback = s.acceptConnection
	s.srv.ConnectionFailedCallback = s.logFailedLogin
	s.srv.ChannelHandlers = map[string]ssh.ChannelHandler{"session": s.handleSessionChannel, "default": s.rejectChannel}
	return s, nil
}

// isUserKey reports whether a key can belong to a user, because it is not a host key.
func (s *Server) isUserKey(key gossh.PublicKey) bool {
	return !slices.ContainsFunc(s.cfg.HostKeys, func(k gossh.Signer) bool {
		return fingerprint(k.PublicKey()) == fingerprint(key)
	})
}

func withHostKeys(keys []gossh.Signer) ssh.Option {
	return func(srv *ssh.Server) error {
		for _, k := range keys {
			srv.AddHostKey(k)
		}
		return nil
	}
}

// lingerTime returns how long a connection without a session is kept open.
func (s *Server) lingerTime() time.Duration { return min(maxLinger, s.limits().IdleTimeout) }

// Serve accepts connections until the listener is closed or the server is shut down. Then it returns nil.
// Closing the listener does not affect connections.
func (s *Server) Serve(l net.Listener) error {
	s.mu.Lock()
	closing := s.closing
	if !closing {
		s.listeners[l] = struct{}{}
	}
	s.mu.Unlock()
	if closing {
		// Nothing was accepted yet.
		_ = l.Close()
		return nil
	}
	err := s.srv.Serve(l)
	s.mu.Lock()
	delete(s.listeners, l)
	s.mu.Unlock()
	if errors.Is(err, ssh.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return fmt.Errorf("serve SSH: %w", err)
}

// cutTime is how long connections may take to end after they have been closed.
const cutTime = 2 * time.Second

// Shutdown stops accepting connections and sessions, and ends all screens and line modes with a message, which
// restores the terminals. It closes each connection when its sessions have ended, and all of them when ctx
// ends. It returns an error if sessions did not end in time.
func (s *Server) Shutdown(ctx context.Context, parting i18n.Message) error {
	s.mu.Lock()
	s.closing = true
	for l := range s.listeners {
		// This ends Serve.
		_ = l.Close()
	}
	for p := range s.frontends {
		p.end(parting)
	}
	s.mu.Unlock()

	var err error
	if !waitForGroup(ctx, &s.chanWork) {
		err = fmt.Errorf("sessions did not end in time: %w", ctx.Err())
	}
	s.mu.Lock()
	conns := make([]*connection, 0, len(s.conns))
	for c := range s.conns {
		conns = append(conns, c)
	}
	s.mu.Unlock()
	for _, c := range conns {
		c.closeWithReason(shutdownReason)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cutTime)
	defer cancel()
	if !waitForGroup(ctx, &s.connWork) || !waitForGroup(ctx, &s.chanWork) {
		return errors.Join(err, errors.New("a session still runs after its connection was closed"))
	}
	return err
}

// waitForGroup waits for a group. It returns false if ctx ends first.
func waitForGroup(ctx context.Context, group *sync.WaitGroup) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		group.Wait()
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	select {
	case <-done:
		return true
	default:
		return false
	}
}
