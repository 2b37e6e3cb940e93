package cluster

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net"
	"slices"
	"sync"
	"time"
)

// How a gateway connects.
const (
	dialTimeout  = 2 * time.Second
	retryMin     = 50 * time.Millisecond
	retryMax     = time.Second
	connLifetime = 24 * time.Hour // TLS in Go does not change its keys

	// Urgent sessions are attached at once. The others follow in batches, because
	// encoding and decoding their states takes time that players in matches would
	// notice.
	batchSize  = 500
	batchPause = 20 * time.Millisecond // on average
)

var errNoActive = errors.New("no node is active")

// Gateway is a gateway's end of the connection to the active node. All methods
// may be called from any goroutine.
type Gateway struct {
	cfg      Config
	id       []byte // random
	election *Election
	dialer   func(ctx context.Context, network, address string) (net.Conn, error) // replaced by tests
	cancel   context.CancelFunc
	done     sync.WaitGroup

	mu       sync.Mutex // guards all below
	closed   bool
	conn     *conn     // nil: not connected
	err      error     // nil: connected
	lost     time.Time // when the newest connection ended; zero: none has
	sessions map[uint64]*Remote
	last     uint64 // number of the newest session
}

// NewGateway returns a gateway that connects to the node that an election has
// made active. The active node's own gateway connects to it like any other.
func NewGateway(cfg Config, e *Election) *Gateway {
	ctx, cancel := context.WithCancel(context.Background())
	g := &Gateway{
		cfg: cfg.withDefaults(), id: []byte(rand.Text()), election: e, dialer: new(net.Dialer).DialContext,
		cancel: cancel, err: errNoActive, sessions: map[uint64]*Remote{},
	}
	g.done.Go(func() { g.run(ctx) })
	return g
}

// Close closes all sessions and the connection.
func (g *Gateway) Close() {
	g.mu.Lock()
	g.closed = true
	for _, r := range g.sessions {
		r.closeLocked()
	}
	g.mu.Unlock()
	g.cancel()
	g.done.Wait()
}

// ID identifies the gateway among all gateways. It changes when the process is
// restarted.
func (g *Gateway) ID() string { return hex.EncodeToString(g.id) }

// Err returns nil while the gateway is connected to the active node, and
// otherwise why it is not.
func (g *Gateway) Err() error {
	err, _ := g.connected()
	return err
}

// connected returns what Err does, and when the newest connection ended.
func (g *Gateway) connected() (err error, lost time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err, g.lost
}

func (g *Gateway) run(ctx context.Context) {
	for pause := retryMin; ctx.Err() == nil; {
		s, changed := g.election.State()
		err := errNoActive
		var retry <-chan time.Time // nil: wait for the election
		if s.Address != "" {
			var c *conn
			if c, err = g.dial(ctx, s); err == nil {
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

// dial connects to the active node, proves both ends to each other and exchanges
// hellos.
func (g *Gateway) dial(ctx context.Context, s State) (*conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	raw, err := g.dialer(ctx, "tcp", s.Address)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { raw.Close() })()
	c := newConn(tls.Client(raw, g.cfg.TLS), nil)
	err = frame{kind: kindHello, number: protocolVersion, payload: g.id}.write(c.w)
	if err == nil {
		err = c.w.Flush()
	}
	var hello frame
	if err == nil {
		hello, err = c.read()
	}
	switch {
	case err != nil:
	case hello.kind != kindHello || hello.number == 0 || hello.number > protocolVersion:
		err = errFrame
	case hello.epoch < s.Epoch:
		err = errors.New("that node is of an older epoch")
	default:
		return c, nil
	}
	raw.Close()
	return nil, fmt.Errorf("connecting to the active node at %s: %w", s.Address, err)
}

// serve uses a connection until it ends, and returns why.
func (g *Gateway) serve(ctx context.Context, c *conn, address string) error {
	ctx, cancel := context.WithTimeout(ctx, connLifetime-mathrand.N(time.Hour))
	var helpers sync.WaitGroup
	defer helpers.Wait()
	defer cancel()
	g.mu.Lock()
	g.conn, g.err = c, nil
	var urgent, others []*Remote
	for _, r := range g.sessions {
		if r.urgent {
			urgent = append(urgent, r)
		} else {
			others = append(others, r)
		}
	}
	g.mu.Unlock()
	g.attach(urgent, c)
	helpers.Go(func() {
		for batch := range slices.Chunk(others, batchSize) {
			sleep(ctx, batchPause/2+mathrand.N(batchPause))
			g.attach(batch, c)
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
	err := c.run(ctx, g.receive, func() (frame, bool) { return frame{}, false })
	g.mu.Lock()
	defer g.mu.Unlock()
	g.conn, g.lost = nil, time.Now()
	for _, r := range g.sessions {
		r.conn = nil
		wake(r.changed)
	}
	return err
}

// attach attaches sessions, unless the connection has ended.
func (g *Gateway) attach(sessions []*Remote, c *conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range sessions {
		if g.conn == c && r.conn == nil && r.err == nil {
			r.attachLocked()
		}
	}
}

// receive takes in a frame.
func (g *Gateway) receive(f frame) error {
	newest, _ := g.election.State()
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.sessions[f.session]
	switch {
	case f.epoch < newest.Epoch:
		return errors.New("a frame of an older epoch")
	case f.kind == kindBeat:
	case f.kind < kindReply:
		return errFrame
	case r != nil && r.conn != nil: // else it was closed meanwhile
		return r.receiveLocked(f)
	}
	return nil
}

// EndedError is returned once the active node has refused or ended a session.
type EndedError struct{ Payload []byte } // from [Handler] or [Session.End]

func (e *EndedError) Error() string { return "the active node has ended the session" }

// Remote is a gateway's end of a session. Its methods may be called from any
// goroutine.
type Remote struct {
	gateway *Gateway
	number  uint64
	changed chan struct{} // capacity 1
	done    chan struct{} // closed when the session is over
	slot    chan struct{} // capacity 1; full while an action has no reply

	// The rest is guarded by gateway.mu.
	hello   []byte
	urgent  bool
	conn    *conn       // the active node was told over it; nil: not told
	updates [][]byte    // received and not taken
	err     error       // why the session is over
	action  frame       // the newest
	reply   chan []byte // capacity 1; for the result of that; nil: not awaited
	updated bool        // since it was attached
}

// Open opens a session. hello is for the [Handler]; see [Remote.SetHello]. Open
// waits for the first update until ctx ends. A refusal is an [*EndedError].
func (g *Gateway) Open(ctx context.Context, hello []byte) (*Remote, error) {
	r := &Remote{
		gateway: g, hello: hello,
		changed: make(chan struct{}, 1), done: make(chan struct{}), slot: make(chan struct{}, 1),
	}
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return nil, ErrClosed
	}
	g.last++
	r.number = g.last
	g.sessions[r.number] = r
	if g.conn != nil {
		r.attachLocked()
	}
	g.mu.Unlock()
	for {
		select {
		case <-r.changed:
			if r.Attached() {
				wake(r.changed) // for the caller
				return r, nil
			}
		case <-r.done:
			return nil, r.Err()
		case <-ctx.Done():
			r.Close()
			return nil, ctx.Err()
		}
	}
}

// attachLocked tells the active node about the session.
func (r *Remote) attachLocked() {
	r.conn, r.updates, r.updated = r.gateway.conn, nil, false
	r.conn.send(frame{kind: kindOpen, session: r.number, payload: r.hello})
	if r.reply != nil {
		r.conn.send(r.action)
	}
}

// SetHello sets what the handler gets when the session is opened at another active
// node, and whether it is attached before sessions that are not urgent.
func (r *Remote) SetHello(hello []byte, urgent bool) {
	r.gateway.mu.Lock()
	defer r.gateway.mu.Unlock()
	r.hello, r.urgent = hello, urgent
}

// Do has an action executed and returns its result. A session's actions are
// executed one after the other. If the connection breaks or another node becomes
// active, the action is sent again with the same number. When ctx ends, the action
// may still be executed.
func (r *Remote) Do(ctx context.Context, action []byte) ([]byte, error) {
	if len(action) > MaxPayload {
		return nil, fmt.Errorf("an action of %d bytes is too large", len(action))
	}
	select {
	case r.slot <- struct{}{}:
	case <-r.done:
		return nil, r.Err()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	reply := make(chan []byte, 1)
	g := r.gateway
	g.mu.Lock()
	r.action = frame{kind: kindAct, session: r.number, number: r.action.number + 1, payload: action}
	r.reply = reply
	if r.conn != nil {
		r.conn.send(r.action)
	}
	g.mu.Unlock()
	select {
	case result := <-reply:
		return result, nil
	case <-r.done:
		return nil, r.Err()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Changed returns a channel that yields a value after an update has come, or the
// result of Attached or Err has changed. It is for one reader.
func (r *Remote) Changed() <-chan struct{} { return r.changed }

// Next returns the next update, if there is one. The active node sends newer
// ones only after that, so a slow reader gets fewer.
func (r *Remote) Next() (update []byte, ok bool) {
	g := r.gateway
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(r.updates) == 0 {
		return nil, false
	}
	update, r.updates = r.updates[0], r.updates[1:]
	if r.conn != nil {
		r.conn.send(frame{kind: kindCredit, session: r.number})
	}
	if len(r.updates) > 0 {
		wake(r.changed)
	}
	return update, true
}

// Attached reports whether the state from the active node is current. If not, the
// session is waiting for the active node, or over.
func (r *Remote) Attached() bool {
	r.gateway.mu.Lock()
	defer r.gateway.mu.Unlock()
	return r.conn != nil && r.updated && r.err == nil
}

// Err returns nil, or why the session is over: [ErrClosed] or an [*EndedError].
func (r *Remote) Err() error {
	r.gateway.mu.Lock()
	defer r.gateway.mu.Unlock()
	return r.err
}

// Close ends the session.
func (r *Remote) Close() {
	r.gateway.mu.Lock()
	defer r.gateway.mu.Unlock()
	r.closeLocked()
}

func (r *Remote) closeLocked() {
	if r.conn != nil && r.err == nil {
		r.conn.send(frame{kind: kindClose, session: r.number})
	}
	r.endLocked(ErrClosed)
}

func (r *Remote) endLocked(err error) {
	if r.err == nil {
		r.err = err
		delete(r.gateway.sessions, r.number)
		close(r.done)
		wake(r.changed)
	}
}

// receiveLocked takes in a frame of the session.
func (r *Remote) receiveLocked(f frame) error {
	switch f.kind {
	case kindClose:
		r.endLocked(&EndedError{f.payload})
	case kindUpdate:
		if len(r.updates) == maxCredit {
			return errFrame // the other end exceeds its credit
		}
		r.updates = append(r.updates, f.payload)
		r.updated = true
		wake(r.changed)
	case kindReply:
		if r.reply != nil && f.number == r.action.number {
			r.reply <- f.payload
			r.reply, r.action.payload = nil, nil
			<-r.slot
		}
	default:
		return errFrame
	}
	return nil
}
