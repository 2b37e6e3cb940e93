package cluster

import (
	"cmp"
	"context"
	"net"
	"sync"
	"time"
)

const (
	restEvery = time.Second // between checks for sessions that have waited too long
	// readyGrace is how long a gateway counts as ready after losing the active node.
	// Electing the next one takes less time.
	readyGrace = 5 * time.Second
)

// Period is the lobby of this node while it is the active node.
type Period interface {
	Host
	// Close ends the period. If keep is set, it first stores all changes. Otherwise
	// another node may already be active, and unstored changes are discarded.
	Close(keep bool)
}

// NodeConfig configures [Join].
type NodeConfig struct {
	Config
	// Open opens the lobby of this node. It may block until ctx ends.
	Open func(ctx context.Context, a *Active) (Period, error)
	// Pause is how long sessions and paused matches wait for the database, and how long
	// the node counts as ready in the meantime; 0: 5 minutes. After that, the matches
	// exist only in the database, and the next active node continues them.
	Pause time.Duration
}

// Node is this process's role in the service: always a gateway, and the active node when
// elected. All methods may be called from any goroutine.
type Node struct {
	cfg      NodeConfig
	election *Election
	gateway  *Gateway
	cancel   context.CancelFunc
	done     sync.WaitGroup
	leading  sync.WaitGroup // ends when the node has been released
	released chan struct{}
	release  sync.Once

	mu     sync.Mutex
	server *server // nil unless this node is active; guarded by mu
}

// Join makes this process a node until [Node.Close].
func Join(cfg NodeConfig) *Node {
	cfg.Config, cfg.Pause = cfg.withDefaults(), cmp.Or(cfg.Pause, 5*time.Minute)
	ctx, cancel := context.WithCancel(context.Background())
	n := &Node{cfg: cfg, election: Elect(cfg.Config), cancel: cancel, released: make(chan struct{})}
	n.gateway = NewGateway(cfg.Config, n.election)
	n.leading.Go(n.run)
	n.done.Go(func() { n.limitPause(ctx) })
	return n
}

// Gateway returns the gateway, which exists as long as the node.
func (n *Node) Gateway() *Gateway { return n.gateway }

// State returns this node's knowledge about which node is active.
func (n *Node) State() State {
	s, _ := n.election.State()
	return s
}

// Sessions returns the number of sessions of all gateways that this node serves as the
// active node.
func (n *Node) Sessions() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.server == nil {
		return 0
	}
	return n.server.count()
}

// Ready returns nil if people can use this node, or else the reason they cannot.
func (n *Node) Ready() error {
	s := n.State()
	if s.Err != nil && time.Since(s.Lost) >= n.cfg.Pause {
		return s.Err
	}
	lost, err := n.gateway.connected()
	if !lost.IsZero() && (s.Err != nil || time.Since(lost) < readyGrace) {
		return nil
	}
	return err
}

// Release permanently makes this node a gateway. If it is the active node, all changes
// are stored before another node can take over.
func (n *Node) Release() {
	n.release.Do(func() { close(n.released) })
	n.leading.Wait()
}

// Close ends all sessions of the gateway, and the current period if this node is active.
func (n *Node) Close() {
	n.Release()
	n.cancel()
	n.gateway.Close()
	n.election.Close()
	n.done.Wait()
}

// run serves as the active node whenever this node is elected, until it is released.
func (n *Node) run() {
	defer n.election.Release()
	for {
		s, changed := n.election.State()
		if s.Active != nil && s.Active.ctx.Err() == nil {
			n.serveWhileActive(s.Active)
		}
		select {
		case <-n.released: // even if the state has changed too
			return
		default:
		}
		select {
		case <-changed:
		case <-n.released:
			return
		}
	}
}

// serveWhileActive serves gateways until the period ends or the node is released. If the node cannot
// serve, it leaves the role to another node.
func (n *Node) serveWhileActive(a *Active) {
	started := time.Now()
	// Gateways that connect now wait until the period is open.
	ln, err := net.Listen("tcp", n.cfg.Address)
	var p Period
	if err == nil {
		if p, err = n.cfg.Open(a.ctx, a); err != nil {
			ln.Close()
		}
	}
	if err != nil {
		if a.ctx.Err() == nil {
			n.cfg.Log.Error("cannot become the active node", "error", err)
		}
		a.end()
		return
	}
	s := newServer(n.cfg.Config, ln, a, p)
	n.setServer(s)
	n.cfg.Log.Info("the lobby is open", "epoch", a.current().epoch, "took", time.Since(started).Round(time.Millisecond))
	select {
	case <-a.Done():
	case <-n.released:
	}
	n.setServer(nil)
	s.close()
	p.Close(a.ctx.Err() == nil)
}

// limitPause ends this node's period, and the sessions waiting for an active node, if the
// database is unreachable for too long.
func (n *Node) limitPause(ctx context.Context) {
	for ctx.Err() == nil {
		s, changed := n.election.State()
		var late <-chan time.Time
		if s.Err != nil {
			left := time.Until(s.Lost.Add(n.cfg.Pause))
			if left <= 0 {
				if s.Active != nil && s.Active.ctx.Err() == nil {
					n.cfg.Log.Error("the database cannot be reached for too long: running matches continue when it is back", "after", n.cfg.Pause)
					s.Active.end()
				}
				n.gateway.rest()
				left = restEvery
			}
			late = time.After(left)
		}
		select {
		case <-late:
		case <-changed:
		case <-ctx.Done():
		}
	}
}

func (n *Node) setServer(s *server) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.server = s
}
