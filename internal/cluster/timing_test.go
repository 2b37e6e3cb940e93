package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/session"
)

// pipeEnd is a gateway's end of a connection. While it is blocked, nothing gets
// through and nothing is closed.
type pipeEnd struct {
	net.Conn
	pipes  *pipes
	closed chan struct{}
	once   sync.Once

	deadline time.Time // guarded by pipes.mu
}

func (w *pipeEnd) Read(b []byte) (int, error) {
	w.pipes.mu.Lock()
	open, deadline := w.pipes.open, w.deadline
	w.pipes.mu.Unlock()
	var late <-chan time.Time
	if !deadline.IsZero() {
		late = time.After(max(0, time.Until(deadline)))
	}
	select {
	case <-open: // Conn has the deadline as well
		return w.Conn.Read(b)
	default:
	}
	select {
	case <-open:
		return w.Conn.Read(b)
	case <-w.closed:
		return 0, net.ErrClosed
	case <-late:
		return 0, context.DeadlineExceeded
	}
}

func (w *pipeEnd) SetReadDeadline(t time.Time) error {
	w.pipes.mu.Lock()
	w.deadline = t
	w.pipes.mu.Unlock()
	return w.Conn.SetReadDeadline(t)
}

func (w *pipeEnd) Close() error {
	w.once.Do(func() { close(w.closed) })
	return w.Conn.Close()
}

// pipes connects gateways to active nodes in the time of the test.
type pipes struct {
	mu    sync.Mutex
	nodes map[string]*pipeListener
	open  chan struct{}
	dials atomic.Int64
}

func newPipes() *pipes {
	p := &pipes{nodes: map[string]*pipeListener{}, open: make(chan struct{})}
	close(p.open)
	return p
}

func (p *pipes) dial(_ context.Context, _, address string) (net.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dials.Add(1)
	ln := p.nodes[address]
	if ln == nil {
		return nil, errors.New("connection refused")
	}
	ours, theirs := net.Pipe()
	ln.conns <- theirs
	return &pipeEnd{Conn: ours, pipes: p, closed: make(chan struct{})}, nil
}

// block stops everything that goes to gateways.
func (p *pipes) block(t *testing.T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	open := make(chan struct{})
	p.open = open
	t.Cleanup(func() { close(open) })
}

// pipeListener accepts the connections that are sent to it.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { close(l.closed); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{} }

// newNode adds an active node that is reached through the pipes.
func (p *pipes) newNode(t *testing.T, address string, epoch int64) *active {
	ln := &pipeListener{make(chan net.Conn), make(chan struct{})}
	a := newNodeOn(t, epoch, ln)
	a.address = address
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nodes[address] = ln
	return a
}

func (p *pipes) newGateway(t *testing.T, a *active) *Gateway {
	g := newGateway(t, nil)
	g.dialer = p.dial
	follow(g, a.address, a.role.current().epoch)
	return g
}

func TestIdleConnectionStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipes()
		a := p.newNode(t, "a", 1)
		g := p.newGateway(t, a)
		r := open(t, g, "anna")
		time.Sleep(time.Hour)
		do(t, r, "fire")
		if n := p.dials.Load(); n != 1 {
			t.Errorf("connected %d times", n)
		}
	})
}

func TestConnectionIsRenewedDaily(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipes()
		a := p.newNode(t, "a", 1)
		g := p.newGateway(t, a)
		r := open(t, g, "anna")
		for range 25 {
			time.Sleep(time.Hour)
			do(t, r, "fire")
		}
		if n := p.dials.Load(); n != 2 {
			t.Errorf("connected %d times in 25 hours", n)
		}
		if s := a.source(t, "anna"); len(s.acted) != 25 || s.closed > 0 {
			t.Errorf("%d actions", len(s.acted))
		}
	})
}

func TestSilentConnectionEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipes()
		a := p.newNode(t, "a", 1)
		g := p.newGateway(t, a)
		open(t, g, "anna")
		time.Sleep(time.Minute)
		p.block(t)
		if took := waitFor(t, "the gateway has not noticed", func() bool { return g.Err() != nil }); took > silenceTimeout+beatEvery+10*time.Millisecond {
			t.Errorf("noticed after %v", took)
		}
		s := a.source(t, "anna")
		if took := waitFor(t, "the session stays", func() bool { return s.get(func() bool { return s.closed == 1 }) }); took > sessionGrace+writeTimeout {
			t.Errorf("the session was closed after %v", took)
		}
	})
}

// TestGatewayThatDoesNotReadIsDropped stops reading at one of two gateways.
func TestGatewayThatDoesNotReadIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, q := newPipes(), newPipes()
		a := p.newNode(t, "a", 1)
		q.nodes = p.nodes
		g, h := p.newGateway(t, a), q.newGateway(t, a)
		open(t, g, "anna")
		bert := open(t, h, "bert")
		p.block(t)
		s, began := a.source(t, "anna"), time.Now()
		c := a.hosted("anna").conn
		for i := 0; c.NetConn().SetReadDeadline(time.Now().Add(time.Hour)) == nil; i++ {
			s.set(fmt.Sprint("state", i, string(make([]byte, 1000))))
			a.source(t, "bert").set(fmt.Sprint("state", i))
			awaitUpdate(t, bert, fmt.Sprint("state", i))
			time.Sleep(100 * time.Millisecond)
			if time.Since(began) > time.Minute {
				t.Fatal("the gateway that does not read is still connected")
			}
		}
		if took := time.Since(began); took > writeTimeout+2*beatEvery {
			t.Errorf("dropped after %v", took)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.taken > maxCredit+2 { // one more was being written, and another one waited to be sent
			t.Errorf("%d states were encoded for it", s.taken)
		}
	})
}

func TestHandshakeHasADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipes()
		p.newNode(t, "a", 1)
		ours, err := p.dial(t.Context(), "", "a")
		if err != nil {
			t.Fatal(err)
		}
		defer ours.Close()
		began := time.Now()
		if _, err := ours.Read(make([]byte, 1)); err == nil {
			t.Error("a stranger got an answer")
		}
		if took := time.Since(began); took != handshakeTimeout {
			t.Errorf("closed after %v", took)
		}
	})
}

// TestPlayersInMatchesComeFirst attaches many sessions to a new active node.
func TestPlayersInMatchesComeFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipes()
		a := p.newNode(t, "a", 1)
		g := p.newGateway(t, a)
		const sessions, urgent = 4 * batchSize, 50
		var remotes []*remote
		for i := range sessions {
			r := open(t, g, fmt.Sprint("player", i))
			awaitUpdate(t, r, "new")
			rename(r, fmt.Sprint("seat", i), i < urgent)
			remotes = append(remotes, r)
		}
		b := p.newNode(t, "b", 2)
		follow(g, "b", 2)
		updated := func() (n int) {
			for _, r := range remotes {
				for waiting(r) > 0 {
					if u, _ := session.Next(t.Context(), r); u.Kind == session.WatchEnded {
						n++
					}
				}
			}
			return n
		}
		synctest.Wait()
		for _, r := range remotes[:urgent] {
			if !r.isAttached() {
				t.Fatal("a player in a match does not come first")
			}
		}
		total := updated()
		if total != urgent {
			t.Errorf("%d sessions got their state at once", total)
		}
		b.mu.Lock()
		if len(b.sources) != urgent {
			t.Errorf("%d sessions were attached at once", len(b.sources))
		}
		b.mu.Unlock()
		took := waitFor(t, "not all sessions got their state", func() bool { total += updated(); return total == sessions })
		if took < batchPause || took > 8*batchPause {
			t.Errorf("the rest followed in %v", took)
		}
	})
}

// TestRetriesAreBounded keeps a gateway away from a node that refuses it.
func TestRetriesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipes()
		a := p.newNode(t, "a", 1)
		ln := p.nodes["a"]
		delete(p.nodes, "a")
		g := p.newGateway(t, a)
		time.Sleep(time.Minute)
		if n := p.dials.Load(); n < 40 || n > 140 {
			t.Errorf("%d attempts in a minute", n)
		}
		p.mu.Lock()
		p.nodes["a"] = ln
		p.mu.Unlock()
		a.role.set(fence{epoch: 2}, time.Now().Add(time.Hour))
		follow(g, "a", 2)
		if took := waitFor(t, "not connected", func() bool { return g.Err() == nil }); took > 200*time.Millisecond {
			t.Errorf("a new epoch was tried after %v", took)
		}
	})
}

// TestSessionsOutlastTheirConnection disconnects a gateway that comes back at once,
// except that one of its sessions was closed in the meantime.
func TestSessionsOutlastTheirConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipes()
		a := p.newNode(t, "a", 1)
		g := p.newGateway(t, a)
		anna, bert := open(t, g, "anna"), open(t, g, "bert")
		awaitUpdate(t, anna, "new") // a program's session is opened later
		follow(g, "", 1)
		synctest.Wait()
		if anna.isAttached() {
			t.Error("attached without an active node")
		}
		anna.Close()
		follow(g, "a", 1)
		do(t, bert, "still here")
		s, b := a.source(t, "anna"), a.source(t, "bert")
		if took := waitFor(t, "the session stays", func() bool { return s.get(func() bool { return s.closed == 1 }) }); took > sessionGrace+10*time.Millisecond {
			t.Errorf("the session was closed after %v", took)
		}
		time.Sleep(time.Minute)
		if b.closed > 0 || len(b.acted) != 1 {
			t.Errorf("the other session: closed %d times, executed %q", b.closed, b.acted)
		}
	})
}

// TestGraceWaitsForTheDatabase stops the active node's answers for a while. The gateway is
// not at fault, and keeps its sessions.
func TestGraceWaitsForTheDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipes()
		a := p.newNode(t, "a", 1)
		r := open(t, p.newGateway(t, a), "anna")
		a.setValid(false)
		time.Sleep(10*sessionGrace + time.Second)
		a.setValid(true)
		do(t, r, "fire")
		if s := a.source(t, "anna"); s.closed > 0 || len(s.acted) != 1 {
			t.Errorf("closed %d times, executed %q", s.closed, s.acted)
		}
	})
}

// TestNodeLeaves checks that a node that has ended is not listed.
func TestNodeLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipes()
		a := p.newNode(t, "a", 1)
		g, leaver := p.newGateway(t, a), p.newGateway(t, a)
		waitFor(t, "not both nodes are known", func() bool { return len(g.Nodes()) == 2 })
		leaver.Close()
		if took := waitFor(t, "it is still listed", func() bool { return len(g.Nodes()) == 1 }); took > 2*beatEvery {
			t.Errorf("it was listed for %v", took)
		}
	})
}
