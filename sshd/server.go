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

// Config is what a server needs to know.
type Config struct {
	HostKeys      []HostKey // empty: those in HostKeyFolder
	HostKeyFolder string    // where host keys are; an ed25519 key is made if there is none
	ECDSA         bool      // an ECDSA key is made there, too, if there is none
	App           App       // what to show
	Lines         Lines     // for sessions that cannot show a screen; nil: they are refused
	Commands      []Command // that can be asked for, besides help
	Admission     Admission // who may come in; nil: everybody
	// NoUsers are keys that belong to no user. Nobody can log in with them or with a
	// host key: a node that connects to the wrong port must not become a player.
	NoUsers []gossh.PublicKey
	Log     *slog.Logger // nil: no log

	// Count hears of each thing that is one of the [Happening]s, for statistics.
	// It must not wait. nil: nobody does.
	Count func(Happening)
	// Notice makes a message for the screen that shows a sentence to the person,
	// such as that the session ends soon. nil: nothing is shown.
	Notice func(said i18n.Message) tea.Msg
	// Language is the language in which a visitor is to be spoken to; all but
	// that is known of them. nil: the one their environment asks for.
	Language func(ctx context.Context, who Visitor) i18n.Language

	Limits
}

// Admission tells who may come in. Any goroutine may call its methods. Who is
// refused while somebody is about to be cut by [Server.Cut] is refused first.
type Admission interface {
	// Address is asked for each connection before anything is read from it. It
	// must not wait. On an error the connection is closed without a word.
	Address(a netip.Addr) error
	// Key is asked for each session. The fingerprint is that of the key that
	// the visitor has proved to own; empty for guests. Its error ends the
	// session: a sentence for the person, without capital or full stop.
	Key(ctx context.Context, fingerprint string) error
}

func (c Config) withDefaults() Config {
	c.Limits = c.Limits.withDefaults()
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

func (c Config) validate() error {
	if c.HostKeyFolder == "" && len(c.HostKeys) == 0 {
		return errors.New("there are no host keys, and no folder for them")
	}
	if c.App == nil {
		return errors.New("there is no application to show over SSH")
	}
	for _, command := range c.Commands {
		if command.Name == "" || command.Check == nil && command.Run == nil {
			return errors.New("a command of the SSH server has no name, or neither Check nor Run")
		}
	}
	return c.Limits.validate()
}

// Server is the front door. Its methods may be called from any goroutine.
type Server struct {
	cfg       Config
	srv       *ssh.Server
	pty       ssh.PtyHandler
	hostKeys  []HostKey // the first is in use
	limit     atomic.Pointer[Limits]
	connCount *ratelimit.Count
	sessCount *ratelimit.Count // sessions with a program
	connRate  *ratelimit.Rate
	inputRate *ratelimit.Rate // bytes
	failed    *ratelimit.Rate // logins
	partings  chan struct{}   // a place for each client that is being turned away
	work      sync.WaitGroup  // session channels and what belongs to them
	lines     sync.WaitGroup  // connections and what belongs to them

	mu        sync.Mutex
	programs  map[running]struct{}      // guarded by mu
	conns     map[*connection]struct{}  // guarded by mu: that are open
	listeners map[net.Listener]struct{} // guarded by mu
	ids       int                       // guarded by mu: connections ever
	closing   bool                      // guarded by mu: nothing new begins
}

// New makes a server, and its host key if there is none. Errors are sentences
// for the operator.
func New(cfg Config) (*Server, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	keys := slices.Clone(cfg.HostKeys)
	if len(keys) == 0 {
		var err error
		if keys, err = OpenHostKeys(cfg.HostKeyFolder, cfg.ECDSA); err != nil {
			return nil, err
		}
	}
	s := &Server{
		cfg: cfg, hostKeys: keys,
		connCount: ratelimit.NewCount(0, 0), sessCount: ratelimit.NewCount(0, 0), connRate: ratelimit.NewRate(0, 0), inputRate: ratelimit.NewRate(0, 0), failed: ratelimit.NewRate(0, 0),
		partings: make(chan struct{}, maxPartings),
		programs: map[running]struct{}{}, conns: map[*connection]struct{}{}, listeners: map[net.Listener]struct{}{},
	}
	if err := s.SetLimits(cfg.Limits); err != nil {
		return nil, err
	}
	// A real terminal on the server would take every other resize for itself,
	// and there is no shell that needs one.
	var err error
	s.srv, err = wish.NewServer(withHostKeys(keys), wish.WithVersion(strings.TrimPrefix(version, "SSH-2.0-")), ssh.EmulatePty())
	if err != nil {
		return nil, fmt.Errorf("setting up SSH: %w", err)
	}
	s.pty = s.srv.PtyHandler
	admit(s.srv, s.isUsers)
	s.srv.ConnCallback = s.connected
	s.srv.ConnectionFailedCallback = s.loginFailed
	s.srv.ChannelHandlers = map[string]ssh.ChannelHandler{"session": s.channel, "default": s.otherChannel}
	s.srv.RequestHandlers = map[string]ssh.RequestHandler{proveRequest: s.proveHostKeys}
	return s, nil
}

// isUsers reports whether a key can belong to a user.
func (s *Server) isUsers(key gossh.PublicKey) bool {
	same := func(k gossh.PublicKey) bool { return fingerprint(k) == fingerprint(key) }
	return !slices.ContainsFunc(s.cfg.NoUsers, same) &&
		!slices.ContainsFunc(s.hostKeys, func(k HostKey) bool { return same(k.signer.PublicKey()) })
}

// withHostKeys sets the host keys that are in use.
func withHostKeys(keys []HostKey) ssh.Option {
	return func(srv *ssh.Server) error {
		for _, k := range keys {
			if !k.Next {
				srv.AddHostKey(k.signer)
			}
		}
		return nil
	}
}

// Fingerprint is that of the host key that clients prefer, as ssh shows it.
func (s *Server) Fingerprint() string { return s.hostKeys[0].Fingerprint }

// HostKeys are the host keys, the preferred one first.
func (s *Server) HostKeys() []HostKey { return slices.Clone(s.hostKeys) }

// linger is how long a connection without a session is kept.
func (s *Server) linger() time.Duration { return min(maxLinger, s.limits().IdleTimeout) }

// Serve accepts connections until the listener is closed or the server is shut
// down, and returns nil then. Who closes the listener stops accepting and
// leaves all connections as they are, with what they may still ask for.
func (s *Server) Serve(l net.Listener) error {
	s.mu.Lock()
	closing := s.closing
	if !closing {
		s.listeners[l] = struct{}{}
	}
	s.mu.Unlock()
	if closing {
		_ = l.Close() // it was never used
		return nil
	}
	err := s.srv.Serve(l)
	s.mu.Lock()
	delete(s.listeners, l)
	s.mu.Unlock()
	if errors.Is(err, ssh.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return fmt.Errorf("serving SSH: %w", err)
}

// cutTime is how long connections have to be gone once they are cut.
const cutTime = 2 * time.Second

// Shutdown takes no further connection or session, ends the programs of all
// sessions with a sentence for the persons, so that their terminals are left as
// they were, and closes all connections: when the sessions have ended, or when
// ctx ends. The error tells if that has left anything behind.
func (s *Server) Shutdown(ctx context.Context, parting i18n.Message) error {
	s.mu.Lock()
	s.closing = true
	for l := range s.listeners {
		_ = l.Close() // Serve returns because of it, and tells if there was more
	}
	for p := range s.programs {
		p.end(parting)
	}
	s.mu.Unlock()

	var err error
	if !finished(ctx, &s.work) {
		err = fmt.Errorf("sessions were cut: %w", ctx.Err())
	}
	s.mu.Lock()
	conns := make([]*connection, 0, len(s.conns))
	for c := range s.conns {
		conns = append(conns, c)
	}
	s.mu.Unlock()
	for _, c := range conns {
		c.cut(shutdown)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cutTime)
	defer cancel()
	if !finished(ctx, &s.lines) || !finished(ctx, &s.work) {
		return errors.Join(err, errors.New("a session does not end although its connection is cut"))
	}
	return err
}

// finished waits for a group and tells whether it was done before ctx was.
func finished(ctx context.Context, group *sync.WaitGroup) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		group.Wait()
	}()
	select {
	case <-done:
		return true
	case <-ctx.Done():
		select {
		case <-done:
			return true
		default:
			return false
		}
	}
}
