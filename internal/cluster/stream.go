package cluster

import (
	"context"
	"fmt"
	"slices"
)

// endedError is returned once the active node has refused or ended a session.
type endedError struct{ payload []byte } // from [Handler] or [Session.End]

func (e *endedError) Error() string { return "the active node has ended the session" }

// stream is a gateway's end of a session. Its methods may be called from any
// goroutine.
type stream struct {
	gateway *Gateway
	number  uint64
	// hello returns what the [Handler] gets when another active node opens the
	// session, and whether it is attached before sessions that are not urgent. It may
	// be called by any goroutine, which holds no lock of this package.
	hello func() (payload []byte, urgent bool)
	// decode returns what the payload of an update, a reply or an opening holds. It is
	// called by the connection's only reader, whose stack has grown already. It may be nil.
	decode  func(kind byte, payload []byte) any
	changed chan struct{} // capacity 1
	done    chan struct{} // closed when the session is over
	slot    chan struct{} // capacity 1; full while an action has no reply

	// The rest is guarded by gateway.mu.
	conn     *conn // the active node was told over it; nil: not told
	attached bool  // the active node has confirmed it
	updates  []frame
	received uint64     // number of the newest update
	taken    uint64     // number of the newest update that the active node knows as taken
	err      error      // why the session is over
	action   frame      // the newest; a kindRepeat once it was sent
	reply    chan frame // capacity 1; for the result of that; nil: not awaited
}

// open opens a session and waits until the active node has confirmed it, or ctx
// ends. A refusal is an [*endedError].
func (g *Gateway) open(ctx context.Context, hello func() ([]byte, bool), decode func(byte, []byte) any) (*stream, error) {
	r := &stream{
		gateway: g, hello: hello, decode: decode,
		changed: make(chan struct{}, 1), done: make(chan struct{}), slot: make(chan struct{}, 1),
	}
	payload, _ := hello()
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return nil, ErrClosed
	}
	g.last++
	r.number = g.last
	g.sessions[r.number] = r
	if g.conn != nil {
		r.attachLocked(payload)
	}
	g.mu.Unlock()
	for {
		select {
		case <-r.changed:
			if r.isAttached() {
				wake(r.changed) // for the caller
				return r, nil
			}
		case <-r.done:
			return nil, r.failed()
		case <-ctx.Done():
			r.close()
			return nil, ctx.Err()
		}
	}
}

// attachLocked tells the active node about the session.
func (r *stream) attachLocked(hello []byte) {
	r.conn, r.attached = r.gateway.conn, false
	r.conn.send(frame{kind: kindOpen, session: r.number, number: r.received, payload: hello})
	r.conn.send(frame{kind: kindTaken, session: r.number, number: r.taken})
	if r.reply != nil {
		r.conn.send(r.action)
		r.action.kind = kindRepeat
	}
}

// do has an action executed and returns its result. A session's actions are
// executed one after the other. If the connection breaks or another node becomes
// active, the action is sent again with the same number. When ctx ends, the action
// may still be executed.
func (r *stream) do(ctx context.Context, action []byte) (f frame, err error) {
	if len(action) > MaxPayload {
		return f, fmt.Errorf("an action of %d bytes is too large", len(action))
	}
	select {
	case r.slot <- struct{}{}:
	case <-r.done:
		return f, r.failed()
	case <-ctx.Done():
		return f, context.Cause(ctx)
	}
	reply := make(chan frame, 1)
	g := r.gateway
	g.mu.Lock()
	r.action = frame{kind: kindAct, session: r.number, number: r.action.number + 1, payload: action}
	r.reply = reply
	if r.conn != nil {
		r.conn.send(r.action)
		r.action.kind = kindRepeat
	}
	g.mu.Unlock()
	select {
	case f = <-reply:
		return f, nil
	case <-r.done:
		return f, r.failed()
	case <-ctx.Done():
		return f, context.Cause(ctx)
	}
}

// next returns the next update, or what the active node has confirmed the session
// with, if there is one. The active node sends newer updates only after that, so a
// slow reader gets fewer.
func (r *stream) next() (f frame, ok bool) {
	g := r.gateway
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(r.updates) == 0 {
		return frame{}, false
	}
	f, r.updates = r.updates[0], r.updates[1:]
	if f.number > r.taken {
		r.taken = f.number
		if r.conn != nil {
			r.conn.sendLater(frame{kind: kindTaken, session: r.number, number: r.taken})
		}
	}
	if len(r.updates) > 0 {
		wake(r.changed)
	}
	return f, true
}

// isAttached reports whether the active node serves the session. If not, the
// session is waiting for the active node, or over.
func (r *stream) isAttached() bool {
	r.gateway.mu.Lock()
	defer r.gateway.mu.Unlock()
	return r.attached && r.err == nil
}

// failed returns nil, or why the session is over: [ErrClosed] or an [*endedError].
func (r *stream) failed() error {
	r.gateway.mu.Lock()
	defer r.gateway.mu.Unlock()
	return r.err
}

// close ends the session.
func (r *stream) close() {
	r.gateway.mu.Lock()
	defer r.gateway.mu.Unlock()
	r.closeLocked()
}

func (r *stream) closeLocked() {
	if r.conn != nil && r.err == nil {
		r.conn.send(frame{kind: kindClose, session: r.number})
	}
	r.endLocked(ErrClosed)
}

func (r *stream) endLocked(err error) {
	if r.err == nil {
		r.err = err
		delete(r.gateway.sessions, r.number)
		close(r.done)
		wake(r.changed)
	}
}

// receiveLocked takes in a frame of the session.
func (r *stream) receiveLocked(f frame) error {
	switch f.kind {
	case kindClose:
		r.endLocked(&endedError{f.payload})
	case kindOpened:
		if r.attached {
			return errFrame
		}
		r.attached = true
		if len(f.payload) > 0 { // opened anew: what was to follow an earlier opening is void
			if i := slices.IndexFunc(r.updates, func(f frame) bool { return f.kind == kindOpened }); i >= 0 {
				r.updates = r.updates[:i]
			}
			r.taken = r.received
			r.updates = append(r.updates, frame{kind: kindOpened, payload: f.payload, decoded: f.decoded})
		}
		wake(r.changed)
	case kindUpdate:
		if !r.attached || f.number != r.received+1 || f.number > r.taken+maxCredit {
			return errFrame
		}
		r.received = f.number
		r.updates = append(r.updates, f)
		wake(r.changed)
	case kindReply:
		if r.reply != nil && f.number == r.action.number {
			r.reply <- f
			r.reply, r.action.payload = nil, nil
			<-r.slot
		}
	default:
		return errFrame
	}
	return nil
}
