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
	"broadside/internal/session"
)

// Config is what a server needs to know.
type Config struct {
	Host session.Host // opens a session for each client
	// HelloDelay is how long the role line is held back after a connection
	// was accepted, for directives to come first. 0: DefaultHelloDelay;
	// negative: not at all.
	HelloDelay time.Duration
	// WriteTimeout is how long a client may take to read what it was sent
	// before it is cut off. 0: DefaultWriteTimeout.
	WriteTimeout time.Duration
	Limits       Limits
	// Fill is how long a client waits for anybody before the bot FillBot plays
	// it. 0: for ever.
	Fill    time.Duration
	FillBot string
	// Admit is asked whether a client may come in. Its error turns the client
	// away without a word. It must not wait. nil: everybody may.
	Admit func(netip.Addr) error
	// AdmitOwner is asked whether the programs of an account may come in, when
	// one of them shows its token. Its error is a sentence for whoever runs it.
	// nil: all may.
	AdmitOwner func(ctx context.Context, account string) error
	// Refused hears of each client that is turned away at the greeting, for
	// statistics. It must not wait. nil: nobody does.
	Refused func(Refusal)
	Log     *slog.Logger // nil: no log
}

// The values that hold unless the [Config] gives others.
const (
	DefaultHelloDelay   = 150 * time.Millisecond
	DefaultWriteTimeout = 10 * time.Second
)

// Server serves programs over TCP. Its methods may be called from any
// goroutine.
type Server struct {
	cfg    Config
	conns  sync.WaitGroup
	closed chan struct{} // closed by Shutdown
	count  *ratelimit.Count
	rate   *ratelimit.Rate
	waits  *waits
	// ctx ends when Shutdown waits for no match any longer. What has to be done although
	// a client has gone is done in it.
	ctx    context.Context
	cancel context.CancelFunc

	heard, said atomic.Uint64 // lines ever

	mu   sync.Mutex
	open map[*conn]struct{} // guarded by mu
	down bool               // guarded by mu: Shutdown was called
	ids  int                // guarded by mu: connections ever
}

// New makes a server. The host of its sessions must outlast it.
func New(cfg Config) *Server {
	cfg.HelloDelay = cmp.Or(cfg.HelloDelay, DefaultHelloDelay)
	cfg.WriteTimeout = cmp.Or(cfg.WriteTimeout, DefaultWriteTimeout)
	l := cfg.Limits.withDefaults()
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &Server{
		ctx: ctx, cancel: cancel,
		cfg: cfg, open: map[*conn]struct{}{}, closed: make(chan struct{}),
		count: ratelimit.NewCount(l.MaxConns, l.MaxConnsPerAddr), rate: ratelimit.NewRate(l.ConnRate, l.ConnBurst),
		waits: newWaits(l.WaitingPerAddr),
	}
}

// maxGreeting is how many connections may be in their hello delay before no
// further one is accepted for the moment.
const maxGreeting = 4096

// acceptPause is the pause after an error of accepting that is not the
// listener's end, as when there are no file descriptors left.
const acceptPause = 50 * time.Millisecond

// Serve accepts clients until the listener is closed, and returns nil then.
// Connections outlast it: [Server.Shutdown] ends them.
func (s *Server) Serve(l net.Listener) error {
	greeting := make(chan *conn, maxGreeting)
	var admitter sync.WaitGroup
	admitter.Go(func() { s.letInInOrder(greeting) })
	defer admitter.Wait()
	defer close(greeting)
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
		if c := s.admit(nc); c != nil {
			greeting <- c
		}
	}
}

// admit starts a connection, unless there are too many.
func (s *Server) admit(nc net.Conn) *conn {
	c := newConn(s, newTCPWire(nc, s.cfg.WriteTimeout))
	if !s.begin(c) {
		c.cancel()
		nc.Close()
		return nil
	}
	if err := c.open("p" + strconv.Itoa(c.id)); err != nil {
		s.cfg.Log.Warn("relay client has no session", "remote", nc.RemoteAddr().String(), "conn", c.id, "error", err)
		c.cancel()
		nc.Close()
		s.end(c)
		return nil
	}
	go func() {
		defer s.end(c)
		c.run()
	}()
	return c
}

// begin counts a connection among those that are open, unless it cannot be let
// in. [Server.end] takes it back.
func (s *Server) begin(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	where, addr := c.wire.where()
	if s.down {
		return false
	}
	if err := s.room(c.carried(), addr); err != nil {
		s.refuse(refusal(err))
		s.cfg.Log.Warn("relay connection rejected", "remote", where, "reason", err)
		return false
	}
	if s.cfg.Admit != nil && !c.carried() { // asked under the lock, so that Cut finds whoever is not refused
		if err := s.cfg.Admit(addr); err != nil {
			s.refuse(RefusedAccess)
			s.cfg.Log.Warn("relay refused", "remote", where, "reason", err)
			s.count.Give(addr)
			return false
		}
	}
	s.ids++
	c.id = s.ids
	s.open[c] = struct{}{}
	s.cfg.Log.Info("relay connect", "remote", where, "conn", c.id)
	s.conns.Add(1)
	return true
}

func (s *Server) end(c *conn) {
	s.mu.Lock()
	delete(s.open, c)
	s.mu.Unlock()
	where, addr := c.wire.where()
	s.cfg.Log.Info("relay disconnect", "remote", where, "conn", c.id, "name", c.client().Player.Name,
		"after", time.Since(c.accepted).Round(time.Millisecond))
	s.count.Give(addr)
	s.conns.Done()
}

// letInInOrder lets clients into the lobby when their time for directives is over,
// strictly in the order in which they were accepted: the first to connect must
// be the first to wait. Clients that are ready earlier let themselves in.
func (s *Server) letInInOrder(greeting <-chan *conn) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for c := range greeting {
		timer.Reset(time.Until(c.accepted.Add(s.cfg.HelloDelay)))
		select {
		case <-timer.C:
			c.enter()
		case <-c.entered:
		case <-s.closed:
		}
	}
}

// isDown reports whether Shutdown was called.
func (s *Server) isDown() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}

// Traffic returns how many connections are open, and how many lines ever came in and
// went out.
func (s *Server) Traffic() (conns int, in, out uint64) {
	s.mu.Lock()
	conns = len(s.open)
	s.mu.Unlock()
	return conns, s.heard.Load(), s.said.Load()
}

// cutTime is how long the matches of connections that were cut have to end.
const cutTime = 5 * time.Second

// drainPace is how often [Server.Drain] looks for games that have ended.
const drainPace = 50 * time.Millisecond

// Drain lets nobody in, ends the connections of clients that play no game, and waits
// until the others have finished theirs, or ctx ends.
func (s *Server) Drain(ctx context.Context) {
	t := time.NewTicker(drainPace)
	defer t.Stop()
	for s.leaveIdle() > 0 {
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
	}
}

// leaveIdle ends the connections of clients that play no game, and counts the others.
func (s *Server) leaveIdle() (playing int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shutLocked()
	for c := range s.open {
		if c.seat.current() != nil {
			playing++
		} else {
			c.leave()
		}
	}
	return playing
}

// shutLocked lets nobody in from now on.
func (s *Server) shutLocked() {
	if !s.down {
		s.down = true
		close(s.closed)
	}
}

// Shutdown ends all connections and waits until nothing of the server runs any
// more; close the listener first. Matches that still run end without a winner.
// Clients get until ctx ends to read their last line, and then the error says
// that some were cut off.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.shutLocked()
	for c := range s.open {
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
	left := len(s.open)
	for c := range s.open {
		c.wire.Close()
	}
	s.mu.Unlock()
	give := time.AfterFunc(cutTime, s.cancel)
	<-done
	give.Stop()
	s.cancel()
	return fmt.Errorf("%d relay connections were cut: %w", left, ctx.Err())
}
