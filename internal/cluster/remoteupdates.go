package cluster

import (
	"encoding/json"
	"slices"

	"broadside/internal/session"
	"broadside/match"
)

// maxUpdates limits the updates that Poll has not returned. The active node sends fewer:
// maxCredit, and one of each kind without events.
const maxUpdates = 16

// Changed implements [session.Session].
func (r *remote) Changed() <-chan struct{} { return r.changed }

// Poll implements [session.Session].
func (r *remote) Poll() (u session.Update, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.updates) > 0 {
		return r.nextLocked(), nil
	}
	if r.err != nil {
		return u, r.err
	}
	if r.known && r.attached == r.state.Waiting {
		r.state.Waiting = !r.attached
		return session.Update{Kind: session.WaitingChanged}, nil
	}
	n := r.gateway.newest()
	if !r.listed() || n == nil || n == r.state.Lobby {
		return u, nil
	}
	if len(r.state.Lobby.People) == 0 || r.turn.Comes() { // the first one is not delayed
		r.turn.End()
		r.state.Lobby = n
		return session.Update{Kind: session.LobbyChanged}, nil
	}
	return u, nil
}

// listed reports whether the session gets snapshots of the lobby.
func (r *remote) listed() bool { return !r.client.Unlisted && r.client.Program == nil }

// nextLocked returns the oldest update and records what the player is shown of the match.
func (r *remote) nextLocked() session.Update {
	u := r.updates[0]
	r.updates = r.updates[1:]
	r.acknowledgeLocked(u.number)
	if m := r.state.Match; u.Kind == session.MatchChanged && m != nil && m.ID == u.ID {
		r.had.Seen[u.Side] = u.Match.Seq
		r.had.Over = u.Match.View.Phase == match.Over
	}
	return u.Update
}

// acknowledgeLocked acknowledges updates to the active node, which only then sends newer
// ones. A slow reader therefore gets fewer updates.
func (r *remote) acknowledgeLocked(number uint64) {
	if number <= r.taken {
		return
	}
	r.taken = number
	if r.conn != nil {
		r.conn.sendLater(frame{kind: kindTaken, session: r.number, number: number})
	}
}

// incoming is a decoded [message].
type incoming struct {
	message
	state  *session.State
	update *session.Update
}

func decodeMessage(payload []byte) (*incoming, error) {
	m := new(incoming)
	if err := json.Unmarshal(payload, &m.message); err != nil {
		return m, err
	}
	if m.State != nil {
		s := m.State.Decode()
		m.state, m.State = &s, nil
	}
	if m.Update != nil {
		u, err := m.Update.Decode()
		m.update, m.Update = &u, nil
		return m, err
	}
	return m, nil
}

// receive handles a frame of the session. It applies the state in a message at once, so
// that it can be sent to a new active node.
func (r *remote) receive(f frame) error {
	var m *incoming
	var invalid error
	if f.kind == kindMessage {
		m, invalid = decodeMessage(f.payload)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.conn == nil || r.err != nil: // closed in the meantime
	case f.kind == kindClose:
		r.endLocked(session.DecodeError(f.payload))
	case f.kind != kindMessage || f.number != r.received+1 || len(r.updates) > maxUpdates:
		return errFrame
	case invalid != nil:
		r.gateway.cfg.Log.Error("cannot decode a message about a session", "error", invalid)
		r.endLocked(errFailed)
	default:
		r.received = f.number
		r.takeInLocked(m)
	}
	return nil
}

// takeInLocked handles a message.
func (r *remote) takeInLocked(m *incoming) {
	if !r.attached {
		r.attached = true
		r.changed.Send()
	}
	if m.Opened {
		r.openedLocked(m)
	}
	r.applyLocked(m)
	if m.update != nil {
		r.updateLocked(m.update, m.Kept)
	}
	if m.Reply == r.order.number && r.reply != nil {
		r.reply <- m
		r.reply, r.order.payload, r.had.Unconfirmed = nil, nil, nil
		<-r.slot
	}
}

// updateLocked handles the update in the newest message.
func (r *remote) updateLocked(u *session.Update, kept int) {
	known := false // the player had this seat on the former active node
	switch {
	case u.Kind == session.ChatChanged:
		r.mergeLocked(u, kept)
	case u.Kind == session.Seated && r.state.Match != nil:
		known = r.state.Match.ID == r.seated
		r.seated = r.state.Match.ID
	}
	if !known {
		r.addLocked(*u)
	}
	if n := len(r.updates); n > 0 {
		r.updates[n-1].number = r.received
	} else {
		r.acknowledgeLocked(r.received)
	}
	r.changed.Send()
}

// addLocked adds an update for Poll. The credit limits the number of updates with events;
// any other update replaces one of the same kind.
func (r *remote) addLocked(u session.Update) {
	if u.Match == nil {
		r.updates = slices.DeleteFunc(r.updates, func(b numbered) bool { return b.Kind == u.Kind && b.Room == u.Room })
	}
	r.updates = append(r.updates, numbered{u, r.received})
}

// openedLocked handles the opening of the session on this active node. If the session was
// open on a former one, openedLocked reports everything that may have changed without an
// update, and drops views that Poll has not returned, because they will be sent again.
func (r *remote) openedLocked(m *incoming) {
	r.known, r.chats, r.taken = true, [2][]session.Line{}, r.received-1
	select {
	case <-r.opened:
	default:
		close(r.opened)
		return
	}
	r.updates = slices.DeleteFunc(r.updates, func(u numbered) bool { return u.Match != nil })
	r.addLocked(session.Update{Kind: session.ChallengeChanged})
	if m.state != nil && m.state.Match != nil {
		r.addLocked(session.Update{Kind: session.SeatChanged})
	}
}

// applyLocked applies the state of a message. Pointers to unchanged objects are kept.
func (r *remote) applyLocked(m *incoming) {
	if m.state == nil {
		return
	}
	now, before := *m.state, r.state
	now.Lobby, now.Waiting = before.Lobby, before.Waiting
	keep(&now.Match, before.Match, func(a, b *session.Match) bool { return a.ID == b.ID && a.Side == b.Side })
	keep(&now.Watching, before.Watching, func(a, b *session.Running) bool { return a.ID == b.ID })
	keep(&now.Challenge, before.Challenge, func(a, b *session.Challenge) bool { return a.Offer == b.Offer })
	keep(&now.Offer, before.Offer, func(a, b *session.Offer) bool { return a.Since.Equal(b.Since) && a.Code == b.Code })
	keep(&now.Seat.Takeover, before.Seat.Takeover, func(a, b *session.Takeover) bool { return a.By == b.By })
	r.state = now
	if now.Match == nil {
		r.seated = ""
	}
	if now.Match != before.Match {
		r.had.Seen, r.had.Over = [2]int{}, false
	}
}

func keep[T any](now **T, before *T, same func(a, b *T) bool) {
	if *now != nil && before != nil && same(*now, before) {
		*now = before
	}
}

// mergeLocked adds the kept lines before the new ones. Sessions with identical lines
// share them.
func (r *remote) mergeLocked(u *session.Update, kept int) {
	before := r.chats[u.Room]
	u.Lines = append(slices.Clone(before[max(0, len(before)-kept):]), u.Lines...)
	if u.Room == session.InLobby {
		u.Lines = r.gateway.share(u.Lines)
	}
	r.chats[u.Room] = u.Lines
}
