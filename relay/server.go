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
	// Host opens a session for each client. It is required.
	Host *session.Host
	// HelloDelay is how long the server waits for a new client's directives before it sends the
	// role. 0 means DefaultHelloDelay. If it is negative, the server doesn't wait.
	HelloDelay time.Duration
	// WriteTimeout is the time limit for a write to a client. 0 means DefaultWriteTimeout.
	WriteTimeout time.Duration
	Limits       Limits
	// Fill is how long a client that accepts any opponent waits before the bot FillBot
	// plays it. 0 means forever.
	Fill    time.Duration
	FillBot string
	// Admit checks a connection's address. If it returns an error, the server closes the
	// connection without a message. It must not block. If it is nil, all are admitted.
	Admit func(netip.Addr) error
	// AdmitOwner checks the account that owns a registered program when it sends its token.
	// Its error is a sentence for the owner. If it is nil, all are admitted.
	AdmitOwner func(ctx context.Context, account string) error
	// Refused is called for each refused connection, for statistics. It must not block. It
	// may be nil.
	Refused func(Refusal)
	// Log may be nil.
	Log *slog.Logger
}

// Defaults of [Config].
const (
	DefaultHelloDelay   = 150 * time.Millisecond
	DefaultWriteTimeout = 10 * time.Second
)

// Server serves programs over TCP. Its methods may be called from any
// goroutine.
type Server struct {
	cfg   Config
	conns sync.WaitGroup
	// closed is closed by Drain and Shutdown while they hold mu.
	closed         chan struct{}
	count          *ratelimit.Count
	rate           *ratelimit.Rate
	waiting        *waitTracker
	quietAddresses quietAddresses
	// ctx ends when Shutdown no longer waits for matches. It is for actions that must happen
	// even if the client is gone.
	ctx    context.Context
	cancel context.CancelFunc

	linesReceived, linesSent atomic.Uint64

	// mu guards openConns and lastID.
	mu        sync.Mutex
	openConns map[*conn]struct{}
	lastID    int
}

// New returns a server. Its sessions' host must outlive it.
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
	// Clients of quiet addresses do not wait for others.
	queue, quietQueue := newEntryQueue(), newEntryQueue()
	for {
		nc, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			s.cfg.Log.Error("cannot accept a relay connection", "error", err)
			select {
			case <-time.After(acceptPause):
				continue
			case <-s.closed:
				return nil
			}
		}
		c := newConn(s, newTCPTransport(nc, s.cfg.WriteTimeout))
		if !s.register(c) {
			c.leave()
			nc.Close()
			continue
		}
		c.isQuiet = s.quietAddresses.contains(c.address())
		if c.isQuiet {
			c.helloTime = 0
			c.turn, c.letNextEnter = quietQueue.join()
		} else {
			c.turn, c.letNextEnter = queue.join()
		}
		go s.serveConn(c)
	}
}

// entryQueue lets clients enter the lobby in the order of their connections, so that the first to
// connect is the first to wait. It must be used from one goroutine.
type entryQueue struct {
	// last is closed once the last client has entered.
	last chan struct{}
}

func newEntryQueue() *entryQueue {
	q := &entryQueue{last: make(chan struct{})}
	close(q.last)
	return q
}

// join adds a client. turn is closed once all clients before it have entered. The client must call
// letNextEnter, which may be called more than once and from any goroutine.
func (q *entryQueue) join() (turn <-chan struct{}, letNextEnter func()) {
	before, entered := q.last, make(chan struct{})
	q.last = entered
	return before, sync.OnceFunc(func() {
		go func() {
			<-before
			close(entered)
		}()
	})
}

// serveConn serves a client until its connection ends.
func (s *Server) serveConn(c *conn) {
	defer s.unregister(c)
	defer c.leave()
	defer c.letNextEnter()
	if err := c.openSession("p" + strconv.Itoa(c.id)); err != nil {
		s.cfg.Log.Warn("cannot open a relay session", "remote", c.transport.location(), "conn", c.id, "error", err)
		c.transport.Close()
		return
	}
	c.run()
}

// register adds a connection and reports whether it is admitted. If so, the caller must
// call [Server.unregister].
func (s *Server) register(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isShuttingDown() {
		return false
	}
	location, addr := c.transport.location(), c.address()
	if err := s.reserveConn(c); err != nil {
		s.reportRefusal(refusalReason(err))
		s.cfg.Log.Warn("relay connection rejected", "remote", location, "reason", err)
		return false
	}
	// Check under the lock, so that Disconnect sees every connection that is not refused.
	if s.cfg.Admit != nil && c.isTCP() {
		if err := s.cfg.Admit(addr); err != nil {
			s.reportRefusal(RefusedAccess)
			s.cfg.Log.Warn("relay refused", "remote", location, "reason", err)
			s.count.Release(addr)
			return false
		}
	}
	s.lastID++
	c.id = s.lastID
	s.openConns[c] = struct{}{}
	s.cfg.Log.Info("relay connect", "remote", location, "conn", c.id)
	s.conns.Add(1)
	return true
}

func (s *Server) unregister(c *conn) {
	s.mu.Lock()
	delete(s.openConns, c)
	s.mu.Unlock()
	if c.isTCP() {
		s.quietAddresses.record(c.address(), c.usesDirectives)
	}
	s.cfg.Log.Info("relay disconnect", "remote", c.transport.location(), "conn", c.id, "name", c.identity().Name,
		"after", time.Since(c.accepted).Round(time.Millisecond))
	s.count.Release(c.address())
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

// Traffic returns the number of open connections, and how many lines the server has received
// and sent.
func (s *Server) Traffic() (conns int, received, sent uint64) {
	s.mu.Lock()
	conns = len(s.openConns)
	s.mu.Unlock()
	return conns, s.linesReceived.Load(), s.linesSent.Load()
}

// matchEndTime limits the wait for matches to end after [Server.Shutdown] has closed their connections.
const matchEndTime = 5 * time.Second

// drainInterval is the interval at which [Server.Drain] looks for finished games.
const drainInterval = 50 * time.Millisecond

// Drain refuses new clients and disconnects clients without a game. It blocks until the others
// have finished their game or ctx ends.
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

// disconnectIdle disconnects clients without a game, and returns the number of others.
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

func (s *Server) refuseNewLocked() {
	if !s.isShuttingDown() {
		close(s.closed)
	}
}

// Shutdown ends all connections and waits for the server's goroutines. The caller must
// close the listener first. Running matches end without a winner. Clients have until ctx
// ends to read their last line. Shutdown then closes the remaining connections and returns
// an error.
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
	timer := time.AfterFunc(matchEndTime, s.cancel)
	<-done
	timer.Stop()
	s.cancel()
	return fmt.Errorf("closed %d relay connections: %w", left, ctx.Err())
}
