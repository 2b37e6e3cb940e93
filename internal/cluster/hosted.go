package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"broadside/internal/session"
)

const (
	actTime = 10 * time.Second // per action, which may wait for the database
	// settleTime is how long a new active node waits for players in matches before it
	// looks for matches that began without their players being notified.
	settleTime = time.Second
)

// local is a session in the lobby of this node.
type local interface {
	session.Session
	HasDone(ctx context.Context, a session.Action, seen [2]int) bool
}

// hosted is the active node's end of a gateway's session. It takes one update at a time
// from the lobby, so unread updates stay where newer ones can replace them.
type hosted struct {
	server *server
	id     sessionID
	ctx    context.Context // ends with the session
	cancel context.CancelFunc
	ready  chan struct{} // closed once local and the fields that describe it are set
	taken  chan struct{} // capacity 1: update has been taken
	done   chan struct{} // closed when the session has left the lobby

	local     local
	name      string // sent by the client
	program   bool
	continues bool // the session was open on a former active node

	mu      sync.Mutex // guards the fields below
	conn    *conn      // connection to which the session is or was last attached
	opened  bool       // the gateway has been notified
	queued  bool       // in conn.ready
	over    bool
	sent    []frame        // updates not yet taken by the gateway
	last    uint64         // number of the newest update
	acting  bool           // the newest action has no reply yet
	acted   uint64         // number of the newest action
	reply   []byte         // to the newest action
	update  session.Update // to send next; zero Kind: none
	state   session.State
	hasChat bool
	version uint64            // of state
	stated  [2]uint64         // the versions in the last update and the last reply
	heard   [2][]session.Line // chat lines as last sent
	chatted string            // match of that chat
}

// Kinds of messages; see [hosted.stated].
const (
	asUpdate = iota
	asReply
)

func newHosted(s *server, id sessionID, c *conn, last uint64) *hosted {
	x := &hosted{server: s, id: id, conn: c, last: last, ready: make(chan struct{}), taken: make(chan struct{}, 1), done: make(chan struct{})}
	x.ctx, x.cancel = context.WithCancel(s.ctx)
	return x
}

// open opens the session after the previous session with its ID has ended.
func (x *hosted) open(hello []byte, former *hosted) {
	defer x.recover(x.finish)
	var c session.Client
	if err := json.Unmarshal(hello, &c); err != nil {
		x.finish(errFrame)
		return
	}
	if former != nil {
		<-former.done
	}
	x.name, x.program, x.continues = c.Name, c.Program != nil, c.Previous != nil
	if h := c.Previous; h != nil && h.Match == nil && h.Me.Account != "" {
		sleep(x.ctx, time.Until(x.server.since.Add(settleTime)))
	}
	c.Remote = true
	opened, err := x.server.host.Open(x.ctx, c)
	if err != nil {
		x.finish(err)
		return
	}
	x.local = opened.(local)
	x.mu.Lock()
	x.opened = true
	f := x.numberLocked(x.encodeLocked(message{Opened: true, HasStore: x.local.HasStore()}, asUpdate))
	x.stated[asReply] = x.version // replies follow the update
	if x.program {
		x.conn.sendLater(f) // sent with the reply to the first query
	} else {
		x.conn.send(f)
	}
	x.mu.Unlock()
	close(x.ready)
	x.server.done.Go(x.run)
}

// run waits for updates. Thousands of goroutines run it, so it must need little stack:
// [hosted.next] does the encoding.
func (x *hosted) run() {
	defer x.recover(x.finish)
	for {
		u, err := x.local.Next(x.ctx)
		if err != nil {
			x.finish(err)
			return
		}
		x.mu.Lock()
		x.update = u
		x.queueLocked()
		x.mu.Unlock()
		select {
		case <-x.taken:
		case <-x.ctx.Done():
		}
	}
}

// recover must be deferred around calls into the lobby. After a panic it ends this
// session, without affecting other players.
func (x *hosted) recover(end func(error)) {
	if p := recover(); p != nil {
		x.server.cfg.Log.Error("session failed", "player", x.name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		end(errFailed)
	}
}

// end ends the session on this node's initiative. [hosted.run] then finishes.
func (x *hosted) end(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.over && x.ctx.Err() == nil {
		x.conn.send(frame{kind: kindClose, session: x.id.number, payload: x.fit(session.EncodeError(err))})
	}
	x.over = true
	x.cancel()
}

// finish ends the session. It also leaves the lobby, unless the matches continue on
// another node.
func (x *hosted) finish(err error) {
	x.end(err)
	if x.local != nil && x.server.ctx.Err() == nil {
		x.local.Close()
	}
	x.server.mu.Lock()
	defer x.server.mu.Unlock()
	if x.server.sessions[x.id] == x {
		delete(x.server.sessions, x.id)
	}
	close(x.done)
}

func (x *hosted) isOver() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.over
}

// leave closes the session if it is attached to c, which has ended.
func (x *hosted) leave(c *conn) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.conn == c {
		x.over = true
		x.cancel()
	}
}

// attach attaches the session to another connection of its gateway. received is the
// number of the last update that the gateway received.
func (x *hosted) attach(c *conn, received uint64) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.conn.serial >= c.serial {
		return errFrame
	}
	x.conn, x.queued = c, false
	if !x.opened {
		return nil
	}
	c.send(frame{kind: kindAttached, session: x.id.number})
	for _, u := range x.sent {
		if u.number > received { // the update was lost
			c.send(u)
		}
	}
	x.queueLocked()
	return nil
}

// receive handles a frame of the session.
func (x *hosted) receive(c *conn, f frame) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.over || x.conn != c: // closed here or attached elsewhere in the meantime
	case f.kind == kindClose:
		x.over = true
		x.cancel()
	case f.kind == kindTaken:
		x.sent = slices.DeleteFunc(x.sent, func(u frame) bool { return u.number <= f.number })
		x.queueLocked()
	case f.number == x.acted && !x.acting: // sent again because the reply was lost
		c.send(frame{kind: kindReply, session: f.session, number: f.number, payload: x.reply})
	case f.number == x.acted: // sent again; the reply follows
	case f.number < x.acted || x.acting:
		return errFrame
	default:
		x.acted, x.acting, x.reply = f.number, true, nil
		x.server.work(func() { x.act(f) })
	}
	return nil
}

// act carries out an action or a query and sends the reply. A person's action may outlast
// the session.
func (x *hosted) act(f frame) {
	select {
	case <-x.ready:
	case <-x.ctx.Done():
		return
	}
	defer x.recover(x.end)
	ctx, cancel := x.ctx, func() {} // a program waits until its action is done
	if !x.program {
		ctx, cancel = context.WithTimeout(x.server.ctx, actTime)
	}
	defer cancel()
	var m message
	var err error
	if m.Answer, err = x.carryOut(ctx, f); err != nil {
		m.Err = session.EncodeError(err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.server.ctx.Err() == nil { // otherwise the next active node finds out whether the action was done
		x.acting, x.reply = false, x.encodeLocked(m, asReply)
		x.conn.send(frame{kind: kindReply, session: x.id.number, number: f.number, payload: x.reply})
	}
}

func (x *hosted) carryOut(ctx context.Context, f frame) (json.RawMessage, error) {
	o, err := decodeOrder(f.payload)
	if err != nil {
		return nil, err
	}
	if o.query {
		q, err := session.DecodeQuery(o.data)
		if err != nil {
			return nil, err
		}
		a, err := q(ctx, x.local)
		b, encodeErr := json.Marshal(a)
		if encodeErr != nil {
			return nil, encodeErr
		}
		return b, err
	}
	a, err := session.DecodeAction(o.data)
	if err != nil || f.kind == kindRepeat && x.continues && x.local.HasDone(ctx, a, o.seen) {
		return nil, err
	}
	return nil, x.local.Do(ctx, a)
}

// queueLocked schedules sending the update once the gateway is ready.
func (x *hosted) queueLocked() {
	if x.update.Kind != 0 && len(x.sent) < maxCredit && !x.queued && !x.over {
		x.queued = true
		x.conn.queue(x)
	}
}

// next returns the update, unless the session has been attached elsewhere.
func (x *hosted) next(c *conn) (f frame, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.conn != c || x.over {
		return f, false
	}
	u := x.update
	x.update, x.queued = session.Update{}, false
	kept := x.shortenLocked(&u)
	payload := x.encodeLocked(message{Update: u.Encode(), Kept: kept}, asUpdate)
	wake(x.taken)
	if payload == nil {
		return f, false
	}
	return x.numberLocked(payload), true
}

// numberLocked returns the next update as a frame.
func (x *hosted) numberLocked(payload []byte) frame {
	x.last++
	f := frame{kind: kindUpdate, session: x.id.number, number: x.last, payload: payload}
	x.sent = append(x.sent, f)
	return f
}

// encodeLocked encodes a message and includes the state if it has changed.
func (x *hosted) encodeLocked(m message, as int) []byte {
	now, hasChat := x.local.State(), x.local.HasChat()
	now.Lobby = nil
	if now != x.state || hasChat != x.hasChat || x.version == 0 {
		x.state, x.hasChat, x.version = now, hasChat, x.server.versions.Add(1)
	}
	if x.stated[as] != x.version {
		x.stated[as] = x.version
		m.State, m.HasChat, m.Version = now.Encode(), hasChat, x.version
	}
	b, err := json.Marshal(m)
	if err != nil {
		x.server.cfg.Log.Error("cannot encode a session", "error", err)
	}
	return x.fit(b)
}

// fit returns a payload, or nil if it is too large.
func (x *hosted) fit(payload []byte) []byte {
	if len(payload) > MaxPayload {
		x.server.cfg.Log.Error("dropped a message to a gateway that is too large", "bytes", len(payload))
		return nil
	}
	return payload
}

// shortenLocked removes chat lines that the gateway already has, and returns how many of
// the gateway's last lines are still current.
func (x *hosted) shortenLocked(u *session.Update) (kept int) {
	if u.Kind != session.ChatChanged {
		return 0
	}
	before := x.heard[u.Room]
	if u.Room == session.InMatch && u.ID != x.chatted {
		before, x.chatted = nil, u.ID
	}
	x.heard[u.Room] = u.Lines
	same := func(a, b session.Line) bool { return a.Number == b.Number }
	for i := range before {
		if n := len(before) - i; n <= len(u.Lines) && slices.EqualFunc(before[i:], u.Lines[:n], same) {
			u.Lines = u.Lines[n:]
			return n
		}
	}
	return 0
}
