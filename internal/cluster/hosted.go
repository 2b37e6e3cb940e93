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
	"broadside/match/live"
)

const (
	actTime = 10 * time.Second // per action, which may wait for the database
	// settleTime is how long a new active node waits for players in matches before it
	// looks for matches that began without their players being notified.
	settleTime = time.Second
)

// hosted is the active node's end of a gateway's session. It takes one update at a time
// from the lobby, so unread updates stay where newer ones can replace them.
type hosted struct {
	server *server
	id     sessionID
	ctx    context.Context // ends with the session
	cancel context.CancelFunc
	ready  chan struct{} // closed once local and the fields that describe it are set
	taken  live.Signal   // update has been taken
	done   chan struct{} // closed when the session has left the lobby

	local   session.Session
	name    string // sent by the client
	program bool

	mu      sync.Mutex // guards the fields below
	conn    *conn      // connection to which the session is or was last attached
	opened  bool       // local is set
	queued  bool       // in conn.ready
	over    bool
	sent    []frame           // messages that the gateway may not have received, or whose updates it has not taken
	last    uint64            // number of the newest message
	acting  bool              // the newest order has no reply yet
	acted   uint64            // number of the newest order
	replied uint64            // number of the message with the newest reply
	message message           // to send next, with update and the state
	update  session.Update    // to send next; zero Kind: none
	state   session.State     // as last sent
	heard   [2][]session.Line // chat lines as last sent
	chatted string            // match of that chat
}

func newHosted(s *server, id sessionID, c *conn, last uint64) *hosted {
	x := &hosted{server: s, id: id, conn: c, last: last, ready: make(chan struct{}), taken: live.NewSignal(), done: make(chan struct{})}
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
	x.name, x.program = c.Name, c.Program != nil
	if h := c.Previous; h != nil && h.Match == nil && h.Me.Account != "" {
		sleep(x.ctx, time.Until(x.server.since.Add(settleTime)))
	}
	c.Remote = true
	var err error
	if x.local, err = x.server.host.Open(x.ctx, c); err != nil {
		x.finish(err)
		return
	}
	x.mu.Lock()
	x.opened, x.message.Opened = true, true
	x.queueLocked(x.program) // sent with the reply to the first query
	x.mu.Unlock()
	close(x.ready)
	x.server.done.Go(x.run)
}

// run waits for updates. Thousands of goroutines run it, so it must need little stack:
// [hosted.next] does the encoding.
func (x *hosted) run() {
	defer x.recover(x.finish)
	for {
		u, err := session.Next(x.ctx, x.local)
		if err != nil {
			x.finish(err)
			return
		}
		x.mu.Lock()
		x.update = u
		if x.creditLocked() > 0 {
			x.queueLocked(false)
		}
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
		x.conn.send(frame{kind: kindClose, session: x.id.number, payload: session.EncodeError(err)})
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
// number of the last message that the gateway received.
func (x *hosted) attach(c *conn, received uint64) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.conn.serial >= c.serial {
		return errFrame
	}
	x.conn, x.queued = c, false
	x.receivedLocked(received)
	for _, m := range x.sent {
		if m.number > received { // the message was lost
			c.send(m)
		}
	}
	if x.opened {
		x.queueLocked(false)
	}
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
		x.sent = slices.DeleteFunc(x.sent, func(m frame) bool { return m.number <= f.number })
		if x.update.Kind != 0 {
			x.queueLocked(false)
		}
	case f.number == x.acted: // sent again; the reply follows, or has been sent again as well
	case f.number < x.acted || x.acting:
		return errFrame
	default:
		x.receivedLocked(x.replied) // orders are sent one at a time
		x.acted, x.acting = f.number, true
		order, err := session.Decode(f.payload)
		x.server.done.Go(func() { x.act(order, err) })
	}
	return nil
}

// act carries out an order and sends the reply. A person's action may outlast the
// session.
func (x *hosted) act(order session.Order, err error) {
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
	var answer json.RawMessage
	if err == nil {
		var a any
		if a, err = order(ctx, x.local); a != nil {
			answer, _ = json.Marshal(a) // cannot fail, see session.Order
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.server.ctx.Err() == nil { // otherwise the next active node checks whether the action was carried out
		x.acting = false
		x.message.Reply, x.message.Err, x.message.Answer = x.acted, session.EncodeError(err), answer
		x.queueLocked(false)
	}
}

// receivedLocked handles that the gateway has received all messages up to a number.
func (x *hosted) receivedLocked(number uint64) {
	x.sent = slices.DeleteFunc(x.sent, func(m frame) bool { return !m.counts && m.number <= number })
}

// creditLocked returns how many more updates may be sent.
func (x *hosted) creditLocked() int {
	credit := maxCredit
	for _, m := range x.sent {
		if m.counts {
			credit--
		}
	}
	return credit
}

// queueLocked schedules sending a message.
func (x *hosted) queueLocked(later bool) {
	if !x.queued && !x.over {
		x.queued = true
		x.conn.queue(x)
	}
	x.conn.flush(later)
}

// next returns the next message, unless the session has been attached elsewhere.
func (x *hosted) next(c *conn) (f frame, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.conn != c || x.over {
		return f, false
	}
	m := x.message
	x.message, x.queued = message{}, false
	if x.update.Kind != 0 && x.creditLocked() > 0 {
		u := x.update
		x.update = session.Update{}
		m.Kept = x.shortenLocked(&u)
		m.Update = u.Encode()
		defer x.taken.Send() // the lobby then reuses the memory of the update
	}
	now := x.local.State()
	now.Lobby = nil
	if m.Opened || now != x.state {
		x.state, m.State = now, now.Encode()
	}
	payload, err := json.Marshal(m)
	if err != nil || len(payload) > MaxPayload {
		x.server.cfg.Log.Error("dropped a part of a message to a gateway", "bytes", len(payload), "error", err)
		m.Update, m.Answer, m.Err = nil, nil, session.EncodeError(errFailed)
		payload, _ = json.Marshal(m)
	}
	if x.last++; m.Reply != 0 {
		x.replied = x.last
	}
	f = frame{kind: kindMessage, session: x.id.number, number: x.last, payload: payload, counts: m.Update != nil}
	x.sent = append(x.sent, f)
	return f, true
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
