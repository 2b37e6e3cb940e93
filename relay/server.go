package relay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"broadside/internal/ratelimit"
	"broadside/lobby/session"
)

// Config configures a [Server].
type Config struct {
	Host *session.Host // opens a session for each client
	// HelloDelay is how long the server waits for directives after a connection before it
	// sends the role. 0: DefaultHelloDelay; negative: no wait.
	HelloDelay time.Duration
	// WriteTimeout is the time limit for a write to a client. 0: DefaultWriteTimeout.
	WriteTimeout time.Duration
	Limits       Limits
	// Fill is how long a client that accepts any opponent waits before the bot FillBot
	// plays it. 0: forever.
	Fill    time.Duration
	FillBot string
	// Admit checks the address of a connection. If it returns an error, the connection is
	// closed without a message. It must not block. nil: all are admitted.
	Admit func(netip.Addr) error
	// AdmitOwner checks the account that owns a registered program when it sends its token.
	// Its error is a sentence for the client's owner. nil: all are admitted.
	AdmitOwner func(ctx context.Context, account string) error
	// Refused is called for each refused connection, for statistics. It must not block. It
	// may be nil.
	Refused func(Refusal)
	Log     *slog.Logger // nil: no log
}

// Defaults of [Config].
const (
	DefaultHelloDelay   = 150 * time.Millisecond
	DefaultWriteTimeout = 10 * time.Second
)

// Server serves programs over TCP. Its methods may be called from any
// goroutine.
type Server struct {
	cfg            Config
	conns          sync.WaitGroup
	closed         chan struct{} // closed by Shutdown
	count          *ratelimit.Count
	rate           *ratelimit.Rate
	waiting        *waitTracker
	quietAddresses quietAddresses
	// ctx ends when Shutdown no longer waits for matches. It is for actions that must happen
	// even if the client is gone.
	ctx    context.Context
	cancel context.CancelFunc

	linesReceived, linesSent atomic.Uint64 // total number of lines

	mu         sync.Mutex
	openConns  map[*conn]struct{} // guarded by mu
	refusesNew bool               // guarded by mu: Shutdown was called
	lastID     int                // guarded by mu: number of the last connection
}

// New returns a server. The host of its sessions must outlive it.
func New(cfg Config) *Server {
	cfg.HelloDelay = cmp.Or(cfg.HelloDelay, DefaultHelloDelay)
	cfg.WriteTimeout = cmp.Or(cfg.WriteTimeout, DefaultWriteTimeout)
	l := cfg.Limits.WithDefaults()
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &Server{
		ctx: ctx, cancel: cancel,
		cfg: cfg, openConns: map[*conn]struct{}{}, closed: make(chan struct{}),
		count: ratelimit.NewCount(l.MaxConns, l.MaxConnsPerAddr), rate: ratelimit.NewRate(l.ConnRate, l.ConnBurst),
		waiting: newWaitTracker(l.WaitingPerAddr),
	}
}

// acceptPause is the pause after a temporary error of Accept, such as too many open
// files.
const acceptPause = 50 * time.Millisecond

// Serve accepts clients until the listener is closed, and then returns nil. Connections
// stay open until [Server.Shutdown].
func (s *Server) Serve(l net.Listener) error {
	// Clients enter the lobby in order of connection, so that the first to connect is the first to wait.
	// Clients of quiet addresses do not wait for others.
	none := make(chan struct{})
	close(none)
	last := [2]chan struct{}{none, none}
	for {
		nc, err := l.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return nil
		case err != nil:
			s.cfg.Log.Error("relay cannot accept", "error", err)
			select {
			case <-time.After(acceptPause):
				continue
			case <-s.closed:
				return nil
			}
		}
		c := newConn(s, newTCPTransport(nc, s.cfg.WriteTimeout))
		queue := 0
		if c.isQuiet = s.quietAddresses.contains(c.address()); c.isQuiet {
			c.helloTime, queue = 0, 1
		}
		if !s.register(c) {
			c.leave()
			nc.Close()
			continue
		}
		before, passed := last[queue], make(chan struct{})
		last[queue], c.turn = passed, before
		c.letNextEnter = sync.OnceFunc(func() {
			go func() {
				<-before
				close(passed)
			}()
		})
		go s.serveConn(c)
	}
}

// serveConn serves a client until its connection ends.
func (s *Server) serveConn(c *conn) {
	defer s.unregister(c)
	defer c.leave()
	defer c.letNextEnter()
	if err := c.openSession("p" + strconv.Itoa(c.id)); err != nil {
		where, _ := c.transport.origin()
		s.cfg.Log.Warn("relay client has no session", "remote", where, "conn", c.id, "error", err)
		c.transport.Close()
		return
	}
	c.run()
}

// register registers a connection and reports whether it is admitted. If so, the caller must
// call [Server.unregister].
func (s *Server) register(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	where, addr := c.transport.origin()
	if s.refusesNew {
		return false
	}
	if err := s.reserveConn(c.carried(), addr); err != nil {
		s.reportRefusal(refusalReason(err))
		s.cfg.Log.Warn("relay connection rejected", "remote", where, "reason", err)
		return false
	}
	if s.cfg.Admit != nil && !c.carried() { // under the lock, so that Cut sees every connection that is not refused
		if err := s.cfg.Admit(addr); err != nil {
			s.reportRefusal(RefusedAccess)
			s.cfg.Log.Warn("relay refused", "remote", where, "reason", err)
			s.count.Release(addr)
			return false
		}
	}
	s.lastID++
	c.id = s.lastID
	s.openConns[c] = struct{}{}
	s.cfg.Log.Info("relay connect", "remote", where, "conn", c.id)
	s.conns.Add(1)
	return true
}

func (s *Server) unregister(c *conn) {
	s.mu.Lock()
	delete(s.openConns, c)
	s.mu.Unlock()
	where, addr := c.transport.origin()
	if !c.carried() {
		s.quietAddresses.record(addr, c.usesDirectives)
	}
	s.cfg.Log.Info("relay disconnect", "remote", where, "conn", c.id, "name", c.identity().Name,
		"after", time.Since(c.accepted).Round(time.Millisecond))
	s.count.Release(addr)
	s.conns.Done()
}

// isShuttingDown reports whether [Server.Drain] or [Server.Shutdown] was called.
func (s *Server) isShuttingDown() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}

// Traffic returns the number of open connections, and the total numbers of lines received
// and sent.
func (s *Server) Traffic() (conns int, in, out uint64) {
	s.mu.Lock()
	conns = len(s.openConns)
	s.mu.Unlock()
	return conns, s.linesReceived.Load(), s.linesSent.Load()
}

// matchEndTime limits the wait for matches to end after their connections were closed.
const matchEndTime = 5 * time.Second

// drainInterval is the interval at which [Server.Drain] looks for finished games.
const drainInterval = 50 * time.Millisecond

// Drain refuses new clients, ends the connections of clients without a game, and waits
// until the others have finished their game or ctx ends.
func (s *Server) Drain(ctx context.Context) {
	t := time.NewTicker(drainInterval)
	defer t.Stop()
	for s.disconnectIdle() > 0 {
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
	}
}

// disconnectIdle ends the connections of clients without a game, and counts the others.
func (s *Server) disconnectIdle() (playing int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuseNewLocked()
	for c := range s.openConns {
		if c.playing.Load() {
			playing++
		} else {
			c.leave()
		}
	}
	return playing
}

// refuseNewLocked makes the server refuse new clients.
func (s *Server) refuseNewLocked() {
	if !s.refusesNew {
		s.refusesNew = true
		close(s.closed)
	}
}

// Shutdown ends all connections and waits for the server's goroutines. The caller must
// close the listener first. Running matches end without a winner. Clients have until ctx
// ends to read their last line; if some have not, Shutdown closes their connections and
// returns an error.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.refuseNewLocked()
	for c := range s.openConns {
		c.leave()
	}
	s.mu.Unlock()
	done := make(chan struct{})
	go func() {
		s.conns.Wait()
		close(done)
	}()
	select {
	case <-done:
		s.cancel()
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	left := len(s.openConns)
	for c := range s.openConns {
		c.transport.Close()
	}
	s.mu.Unlock()
	give := time.AfterFunc(matchEndTime, s.cancel)
	<-done
	give.Stop()
	s.cancel()
	return fmt.Errorf("%d relay connections were cut: %w", left, ctx.Err())
}
