package cluster

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"net"
	"slices"
	"sync"
	"time"

	"broadside/internal/session"
)

// Timing of a gateway's connection.
const (
	dialTimeout  = 2 * time.Second
	retryMin     = 50 * time.Millisecond
	retryMax     = time.Second
	connLifetime = 24 * time.Hour // Go's TLS does not renew its keys

	// Urgent sessions are attached at once. The others follow in batches, because
	// encoding and decoding their states takes long enough for players in matches to
	// notice.
	batchSize  = 500
	batchPause = 20 * time.Millisecond // on average
)

var errNoActive = errors.New("no node is active: none can be while a server without --cluster uses the database")

// Gateway is a gateway's end of the connection to the active node. All methods
// may be called from any goroutine.
type Gateway struct {
	cfg      Config
	id       []byte // random
	election *Election
	dialer   dialer          // replaced in tests
	ctx      context.Context // ends when the gateway is closed
	cancel   context.CancelFunc
	done     sync.WaitGroup
	pacer    session.Pacer
	lobby    chan []byte // capacity 1: the newest lobby snapshot as JSON

	mu       sync.Mutex // guards the fields below; may be locked while remote.mu is held
	closed   bool
	follows  bool      // follows the lobby because people are connected
	conn     *conn     // nil: not connected
	err      error     // nil: connected
	lost     time.Time // when the last connection ended; zero: none has
	sessions map[uint64]*remote
	last     uint64 // number of the newest session
	snapshot *session.Snapshot
	nodes    []NodeInfo     // last known nodes
	chat     []session.Line // chat lines of the lobby, shared by most sessions
}

// NewGateway returns a gateway that connects to the node elected as active. The active
// node's own gateway connects in the same way.
func NewGateway(cfg Config, e *Election) *Gateway {
	ctx, cancel := context.WithCancel(context.Background())
	g := &Gateway{
		cfg: cfg.withDefaults(), id: []byte(rand.Text()), election: e, dialer: new(net.Dialer).DialContext,
		ctx: ctx, cancel: cancel, err: errNoActive, sessions: map[uint64]*remote{}, lobby: make(chan []byte, 1),
	}
	g.done.Go(func() { g.run(ctx) })
	g.done.Go(g.decodeSnapshots)
	return g
}

// Close closes all sessions and the connection.
func (g *Gateway) Close() {
	g.mu.Lock()
	g.closed = true
	all := slices.Collect(maps.Values(g.sessions))
	g.mu.Unlock()
	for _, r := range all {
		r.close()
	}
	g.mu.Lock()
	if g.conn != nil {
		g.conn.send(frame{kind: kindBeat, payload: []byte(farewell)})
	}
	g.mu.Unlock()
	g.cancel()
	g.done.Wait()
}

// rest ends all sessions unless the gateway is connected to the active node.
func (g *Gateway) rest() {
	g.mu.Lock()
	connected, all := g.conn != nil, slices.Collect(maps.Values(g.sessions))
	g.mu.Unlock()
	for _, r := range all {
		if !connected {
			r.end(errRest)
		}
	}
}

// NodeInfo describes a node.
type NodeInfo struct {
	ID     string          // ID of its gateway
	Status json.RawMessage // see [Config]
}

// Nodes returns the last known information about all nodes, sorted by ID.
func (g *Gateway) Nodes() []NodeInfo {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.nodes)
}

// Err returns nil while the gateway is connected to the active node, or else the reason
// it is not connected.
func (g *Gateway) Err() error {
	_, err := g.connected()
	return err
}

// connected returns when the last connection ended, and the result of Err.
func (g *Gateway) connected() (lost time.Time, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.lost, g.err
}

func (g *Gateway) run(ctx context.Context) {
	for pause := retryMin; ctx.Err() == nil; {
		s, changed := g.election.State()
		err := errNoActive
		var retry <-chan time.Time // nil: wait for the election
		if s.Address != "" {
			var c *conn
			if c, err = dial(ctx, g.cfg, g.dialer, s, g.id); err == nil {
				pause = retryMin
				g.cfg.Log.Info("connected to the active node", "address", s.Address, "epoch", s.Epoch)
				err = g.serve(ctx, c, s.Address)
			}
			if pause == retryMin && ctx.Err() == nil {
				g.cfg.Log.Warn("not connected to the active node", "address", s.Address, "error", err)
			}
			retry = time.After(pause/2 + mathrand.N(pause))
			pause = min(2*pause, retryMax)
		}
		g.mu.Lock()
		g.err = err
		g.mu.Unlock()
		select {
		case <-retry:
		case <-changed:
			pause = retryMin
		case <-ctx.Done():
		}
	}
}

type dialer func(ctx context.Context, network, address string) (net.Conn, error)

// dial connects to the active node, performs mutual authentication and exchanges hellos.
func dial(ctx context.Context, cfg Config, via dialer, s State, id []byte) (c *conn, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("connecting to the active node at %s: %w", s.Address, err)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	raw, err := via(ctx, "tcp", s.Address)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { raw.Close() })()
	c = newConn(tls.Client(raw, cfg.TLS), nil)
	c.status = cfg.Status
	hello, err := c.greet(cfg.version, id)
	if err == nil && hello.epoch < s.Epoch {
		err = errors.New("that node is of an older epoch")
	}
	if err != nil {
		raw.Close()
	}
	return c, err
}

// Check connects to the internal port of a node that should be active. It returns nil if
// gateways with these settings can use the node.
func Check(ctx context.Context, settings *tls.Config, address string) error {
	c, err := dial(ctx, Config{TLS: settings}.withDefaults(), new(net.Dialer).DialContext, State{Address: address}, []byte(rand.Text()))
	if err != nil {
		return err
	}
	return c.Close()
}

// serve uses a connection until it ends, and returns the reason.
func (g *Gateway) serve(ctx context.Context, c *conn, address string) error {
	ctx, cancel := context.WithTimeout(ctx, connLifetime-mathrand.N(time.Hour))
	var helpers sync.WaitGroup
	defer helpers.Wait()
	defer cancel()
	g.mu.Lock()
	g.conn, g.err = c, nil
	if g.follows {
		c.send(frame{kind: kindLobby})
	}
	all := slices.Collect(maps.Values(g.sessions))
	g.mu.Unlock()
	var others []*remote
	for _, r := range all {
		if r.isPlaying() {
			r.attach(c)
		} else {
			others = append(others, r)
		}
	}
	helpers.Go(func() {
		for batch := range slices.Chunk(others, batchSize) {
			sleep(ctx, batchPause/2+mathrand.N(batchPause))
			for _, r := range batch {
				r.attach(c)
			}
		}
	})
	helpers.Go(func() {
		for ctx.Err() == nil {
			s, changed := g.election.State()
			if s.Address != address {
				c.Close()
			}
			select {
			case <-changed:
			case <-ctx.Done():
			}
		}
	})
	err := c.run(ctx, g.receive)
	g.mu.Lock()
	g.conn, g.lost, g.err = nil, time.Now(), err
	all = slices.Collect(maps.Values(g.sessions))
	g.mu.Unlock()
	for _, r := range all {
		r.detach()
	}
	return err
}

// receive handles a frame.
func (g *Gateway) receive(f frame) error {
	newest, _ := g.election.State()
	g.mu.Lock()
	r := g.sessions[f.session]
	g.mu.Unlock()
	switch {
	case f.epoch < newest.Epoch:
		return errors.New("a frame of an older epoch")
	case f.kind == kindBeat && len(f.payload) > 0:
		var nodes []NodeInfo
		err := json.Unmarshal(f.payload, &nodes)
		g.mu.Lock()
		defer g.mu.Unlock()
		g.nodes = nodes
		return err
	case f.kind == kindBeat:
	case f.kind == kindLobby:
		select {
		case <-g.lobby: // discard a snapshot that has not been processed
		default:
		}
		g.lobby <- f.payload
	case f.kind < kindClose:
		return errFrame
	case r != nil: // nil if it was closed in the meantime
		return r.receive(f)
	}
	return nil
}

// follow asks the active node for lobby snapshots.
func (g *Gateway) follow() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.follows && g.conn != nil {
		g.conn.send(frame{kind: kindLobby})
	}
	g.follows = true
}

// decodeSnapshots decodes lobby snapshots. It has its own goroutine so that decoding does not delay
// other frames.
func (g *Gateway) decodeSnapshots() {
	for {
		var payload []byte
		select {
		case payload = <-g.lobby:
		case <-g.ctx.Done():
			return
		}
		n := new(session.Snapshot)
		if err := json.Unmarshal(payload, n); err != nil {
			g.cfg.Log.Error("cannot decode the lobby", "error", err)
			continue
		}
		g.mu.Lock()
		g.snapshot = n
		for _, r := range g.sessions {
			if r.listed() {
				r.changed.Send()
			}
		}
		g.mu.Unlock()
	}
}

// newest returns the newest snapshot, or nil.
func (g *Gateway) newest() *session.Snapshot {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.snapshot
}

// share returns a single copy of identical lines for all sessions.
func (g *Gateway) share(lines []session.Line) []session.Line {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.EqualFunc(lines, g.chat, func(a, b session.Line) bool { return a.Number == b.Number && a.At.Equal(b.At) }) {
		g.chat = lines
	}
	return g.chat
}
