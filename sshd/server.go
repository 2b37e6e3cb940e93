package sshd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	"charm.land/wish/v2"
	gossh "golang.org/x/crypto/ssh"
)

// Screen is what an [App] shows to one session. Its program is its only user;
// Close is called once the program has ended, and must not wait for anybody.
type Screen interface {
	tea.Model
	Close()
}

// App makes the screen of a session. Ctx ends with the session.
type App func(ctx context.Context, who Visitor) Screen

// Visitor is who has come, and the terminal they have. All text is clean.
type Visitor struct {
	Name          string // what they call themselves
	Fingerprint   string // of the key they have proved to own; empty for guests
	Width, Height int    // of the terminal, in cells
}

// Config is what a server needs to know.
type Config struct {
	HostKeyPath string       // made if it does not exist
	App         App          //
	Log         *slog.Logger // nil: no log

	MaxConns          int           // connections in all; 0: 4096
	MaxConnsPerAddr   int           // connections from one address; 0: 512
	MaxSessions       int           // sessions on one connection; 0: 8
	HandshakeTimeout  time.Duration // until a client is authenticated; 0: 10 s
	WriteTimeout      time.Duration // for a client to take what it is sent; 0: 10 s
	IdleTimeout       time.Duration // without a key pressed; 0: 1 h
	KeepAliveInterval time.Duration // between questions whether a client is alive; 0: 30 s
}

// Server is the front door. Its methods may be called from any goroutine.
type Server struct {
	cfg         Config
	srv         *ssh.Server
	fingerprint string
	limits      limits
	work        sync.WaitGroup // sessions and what belongs to them

	mu       sync.Mutex
	sessions map[*session]struct{}     // guarded by mu: with a program
	channels map[*gossh.ServerConn]int // guarded by mu: how many sessions
	ids      int                       // guarded by mu
	closing  bool                      // guarded by mu
}

// New makes a server, and its host key if there is none. Errors are sentences
// for the operator.
func New(cfg Config) (*Server, error) {
	cfg.MaxConns = cmp.Or(cfg.MaxConns, 4096)
	cfg.MaxConnsPerAddr = cmp.Or(cfg.MaxConnsPerAddr, 512)
	cfg.MaxSessions = cmp.Or(cfg.MaxSessions, 8)
	cfg.HandshakeTimeout = cmp.Or(cfg.HandshakeTimeout, 10*time.Second)
	cfg.WriteTimeout = cmp.Or(cfg.WriteTimeout, 10*time.Second)
	cfg.IdleTimeout = cmp.Or(cfg.IdleTimeout, time.Hour)
	cfg.KeepAliveInterval = cmp.Or(cfg.KeepAliveInterval, 30*time.Second)
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	key, pem, err := loadHostKey(cfg.HostKeyPath)
	if err != nil {
		return nil, err
	}
	s := &Server{
		cfg: cfg, fingerprint: gossh.FingerprintSHA256(key.PublicKey()),
		limits:   limits{all: cfg.MaxConns, perAddress: cfg.MaxConnsPerAddr, counts: map[string]int{}},
		sessions: map[*session]struct{}{}, channels: map[*gossh.ServerConn]int{},
	}
	s.srv, err = wish.NewServer(wish.WithHostKeyPEM(pem), wish.WithVersion("Broadside"))
	if err != nil {
		return nil, fmt.Errorf("setting up SSH: %w", err)
	}
	admit(s.srv)
	s.srv.HandshakeTimeout = cfg.HandshakeTimeout
	s.srv.ConnCallback = s.connected
	s.srv.ConnectionFailedCallback = func(nc net.Conn, err error) {
		cfg.Log.Info("ssh login failed", "remote", nc.RemoteAddr().String(), "error", err)
	}
	s.srv.ChannelHandlers = map[string]ssh.ChannelHandler{"session": s.channel}
	return s, nil
}

// Fingerprint is that of the host key, as ssh shows it.
func (s *Server) Fingerprint() string { return s.fingerprint }

func (s *Server) connected(_ ssh.Context, nc net.Conn) net.Conn {
	counted := s.limits.take(nc)
	if counted == nil {
		s.cfg.Log.Warn("ssh connection turned away: too many", "remote", nc.RemoteAddr().String())
	}
	return counted
}

// Serve accepts connections until the listener is closed or the server is shut
// down, and returns nil then.
func (s *Server) Serve(l net.Listener) error {
	err := s.srv.Serve(l)
	if errors.Is(err, ssh.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return fmt.Errorf("serving SSH: %w", err)
}

// channel serves one session channel from its opening to its end.
func (s *Server) channel(_ *ssh.Server, conn *gossh.ServerConn, nc gossh.NewChannel, ctx ssh.Context) {
	sess := s.open(conn)
	if sess == nil {
		nc.Reject(gossh.ResourceShortage, "too many sessions on this connection")
		return
	}
	defer s.close(conn)
	defer s.work.Done()
	filtered := &filteredChannel{NewChannel: nc, window: sess.window}
	// The library keeps what a session has asked for in a server and a
	// context, and the context belongs to the whole connection. A server of
	// its own for each channel keeps them apart.
	ssh.DefaultSessionHandler(&ssh.Server{
		Handler:    func(c ssh.Session) { sess.serve(c) },
		PtyHandler: s.srv.PtyHandler,
	}, conn, filtered, ctx)
	filtered.filter.Wait()
	sess.wait()
}

// open counts a session on a connection, unless there are too many.
func (s *Server) open(conn *gossh.ServerConn) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || s.channels[conn] >= s.cfg.MaxSessions {
		return nil
	}
	s.channels[conn]++
	s.work.Add(1)
	s.ids++
	return newSession(s, conn, s.ids)
}

func (s *Server) close(conn *gossh.ServerConn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.channels[conn]--; s.channels[conn] == 0 {
		delete(s.channels, conn)
	}
}

// Shutdown takes no further session, ends the programs of all sessions so that
// their terminals are left as they were, and closes all connections, at the
// latest when ctx ends. It returns when nothing of the server runs any more.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.closing = true
	for sess := range s.sessions {
		sess.end("The server has been shut down.")
	}
	s.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.work.Wait()
	}()
	var err error
	select {
	case <-done:
	case <-ctx.Done():
		err = fmt.Errorf("sessions were cut: %w", ctx.Err())
	}
	if e := s.srv.Close(); e != nil && !errors.Is(e, net.ErrClosed) {
		err = errors.Join(err, fmt.Errorf("closing SSH connections: %w", e))
	}
	<-done
	return err
}
