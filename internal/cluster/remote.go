package cluster

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/match/live"
)

const (
	openTime = 15 * time.Second // for opening a session
	// actPatience limits how long a person waits for an action. A program waits until its
	// action is done.
	actPatience = 5 * time.Second
)

// Errors of a session that has no connection to the active node, or whose active node has
// failed.
var (
	errRest        = i18n.Errorf("the-servers-database-cannot-be")
	errFailed      = i18n.Errorf("something-went-wrong-on-the")
	errWaiting     = i18n.Errorf("the-server-is-reconnecting-try")
	errUnreachable = i18n.Errorf("the-server-cannot-be-reached")
)

// remote is the [session.Session] of a client of this node: the gateway's end of a
// session on the active node.
type remote struct {
	gateway *Gateway
	client  session.Client
	number  uint64          // number of the session on this gateway
	ctx     context.Context // ends with the session
	cancel  context.CancelFunc
	keeping sync.WaitGroup
	changed live.Signal   // Poll may have something to return
	opened  chan struct{} // closed when an active node has opened the session
	done    chan struct{} // closed when the session is over
	slot    chan struct{} // capacity 1: full while an order has no reply

	mu       sync.Mutex     // guards the fields below; never held while waiting
	conn     *conn          // connection used to attach the session; nil: not attached
	attached bool           // the active node has confirmed it
	known    bool           // an active node has opened the session, so state is set
	err      error          // why the session is over; nil if it is not
	order    frame          // the newest order
	action   bool           // the order is an action, not a query
	reply    chan *incoming // capacity 1: for the reply to the order; nil: none expected
	received uint64         // number of the newest message
	taken    uint64         // number of the newest message acknowledged to the active node

	state   session.State // Lobby and Waiting are as last reported by Poll
	updates []numbered    // not yet returned by Poll
	turn    *session.Turn // when Poll may return a new lobby
	chats   [2][]session.Line
	seated  string            // match reported with Seated; empty once the player has left it
	had     session.Previous  // except for the parts in state
	seeking []byte            // encoded action that opened the offer in state
	unsaved *session.Settings // the newest settings, if save has not taken them

	saving sync.Mutex // held while settings are stored
	saved  error      // result of the last time; guarded by saving
}

// numbered is an update with the number of the newest frame that it acknowledges.
type numbered struct {
	session.Update
	number uint64
}

// Open implements [session.Host]. It opens a session on the active node; when another
// node becomes active, the session continues there.
func (g *Gateway) Open(ctx context.Context, c session.Client) (session.Session, error) {
	if !c.Unlisted && c.Program == nil {
		g.follow()
	}
	r, err := g.newRemote(c)
	if err != nil {
		return nil, err
	}
	if c.Program != nil && g.Err() == nil { // the first query need not wait until the session is open
		return r, nil
	}
	opening, cancel := context.WithTimeoutCause(ctx, openTime, errUnreachable)
	defer cancel()
	if err = r.awaitOpening(opening); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// awaitOpening waits until the active node has opened the session.
func (r *remote) awaitOpening(ctx context.Context) error {
	select {
	case <-r.opened:
		return nil
	case <-r.done:
		return r.failed()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (g *Gateway) newRemote(c session.Client) (*remote, error) {
	r := &remote{
		gateway: g, client: c, state: session.State{Lobby: &session.Snapshot{}},
		changed: live.NewSignal(), opened: make(chan struct{}), done: make(chan struct{}), slot: make(chan struct{}, 1),
	}
	r.turn = g.pacer.NewTurn(c.Program == nil && !c.Unlisted, r.changed.Send)
	if c.Program != nil {
		r.state.Me = *c.Program
	}
	r.ctx, r.cancel = context.WithCancel(g.ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		r.cancel()
		return nil, ErrClosed
	}
	g.last++
	r.number = g.last
	g.sessions[r.number] = r
	if g.conn != nil {
		r.attachLocked(g.conn)
	}
	return r, nil
}

// attach attaches the session to the active node, unless the connection has ended.
func (r *remote) attach(c *conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gateway.mu.Lock()
	ended := r.gateway.conn != c
	r.gateway.mu.Unlock()
	if !ended && r.conn == nil && r.err == nil {
		r.attachLocked(c)
	}
}

func (r *remote) attachLocked(c *conn) {
	r.conn, r.attached = c, false
	open := frame{kind: kindOpen, session: r.number, number: r.received, payload: r.describeLocked()}
	if !r.known && r.client.Program != nil {
		c.sendLater(open) // sent with the first query
	} else {
		c.send(open)
		c.send(frame{kind: kindTaken, session: r.number, number: r.taken})
	}
	if r.reply != nil {
		r.sendLocked()
	}
}

// sendLocked sends the order if the session is attached.
func (r *remote) sendLocked() {
	if r.conn == nil {
		return
	}
	if seen := r.had.Seen; r.action && r.had.Unconfirmed == nil {
		r.had.Unconfirmed = &seen
	}
	r.conn.send(r.order)
}

// detach records that the connection has ended.
func (r *remote) detach() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.conn, r.attached = nil, false
	r.changed.Send()
}

// describeLocked encodes the client and its previous state for the active node.
func (r *remote) describeLocked() []byte {
	c := r.client
	if r.known {
		had := r.had
		had.Me, had.Match, had.Code = r.state.Me, r.state.Match, r.state.Seat.Code
		if w := r.state.Watching; w != nil {
			had.Watching, had.Counted = w.ID, r.state.HasChat
		}
		if had.Offer = r.state.Offer; had.Offer != nil {
			had.OfferedBy = r.seeking
		}
		had.Challenge = r.state.Challenge
		c.Previous = &had
	}
	b, err := json.Marshal(c)
	if err != nil { // cannot happen
		r.gateway.cfg.Log.Error("cannot describe a session", "error", err)
	}
	return b
}

// isPlaying reports whether the player is in a match.
func (r *remote) isPlaying() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.Match != nil
}

// isAttached reports whether the active node serves the session. If not, the session is
// over or is waiting for the active node.
func (r *remote) isAttached() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.attached && r.err == nil
}

// failed returns the error that ended the session, or nil.
func (r *remote) failed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// end ends the session on this node.
func (r *remote) end(why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endLocked(why)
}

func (r *remote) endLocked(why error) {
	if r.err != nil {
		return
	}
	r.err = why
	close(r.done)
	r.changed.Send()
	r.gateway.mu.Lock()
	defer r.gateway.mu.Unlock()
	delete(r.gateway.sessions, r.number)
}

// close ends the session on both nodes.
func (r *remote) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conn != nil && r.err == nil {
		r.conn.send(frame{kind: kindClose, session: r.number})
	}
	r.endLocked(ErrClosed)
}

// State implements [session.Session].
func (r *remote) State() session.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// Client implements [session.Session].
func (r *remote) Client() session.Client { return r.client }

// closeTime limits how long a closed session waits for its settings to be stored.
const closeTime = 2 * time.Second

// Close implements [session.Session].
func (r *remote) Close() {
	late := time.AfterFunc(closeTime, r.cancel)
	defer late.Stop()
	if !r.isAttached() {
		r.cancel()
	}
	r.keeping.Wait()
	r.cancel()
	r.close()
}
