package cluster

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"broadside/internal/session"
	"broadside/match"
)

// Next implements [session.Session].
func (r *remote) Next(ctx context.Context) (session.Update, error) {
	for {
		u, lobby, turn, err := r.poll()
		if u.Kind != 0 || err != nil {
			return u, err
		}
		select {
		case <-r.changed:
		case <-lobby:
		case <-turn:
			if r.myTurn() {
				return session.Update{Kind: session.LobbyChanged}, nil
			}
		case <-ctx.Done():
			return session.Update{}, ctx.Err()
		}
	}
}

// poll returns an update that is there, or why there will be no more, or else what
// to wait for.
func (r *remote) poll() (u session.Update, lobby <-chan struct{}, turn <-chan time.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.updates) > 0 {
		return r.takeLocked(), nil, nil, nil
	}
	if r.err != nil {
		return u, nil, nil, r.err
	}
	if r.version > 0 && r.attached == r.state.Waiting {
		r.state.Waiting = !r.attached
		return session.Update{Kind: session.WaitingChanged}, nil, nil, nil
	}
	if r.client.Unlisted || r.client.Program != nil || r.turn != nil {
		return u, nil, r.turn, nil
	}
	n, lobby := r.gateway.newest()
	if n == nil || n == r.state.Lobby {
		return u, lobby, nil, nil
	}
	if wait := r.gateway.pacer.Delay(); wait > 0 && len(r.state.Lobby.People) > 0 {
		r.turn = time.After(wait)
		return u, nil, r.turn, nil
	}
	r.state.Lobby = n
	return session.Update{Kind: session.LobbyChanged}, nil, nil, nil
}

// myTurn takes in the newest lobby snapshot, if there is a new one.
func (r *remote) myTurn() bool {
	n, _ := r.gateway.newest()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.turn = nil
	if n == r.state.Lobby {
		return false
	}
	r.state.Lobby = n
	return true
}

// takeLocked returns the oldest update, and notes what the player is shown of the match.
func (r *remote) takeLocked() session.Update {
	u := r.updates[0]
	r.updates = r.updates[1:]
	r.acknowledgeLocked(u.number)
	if m := r.state.Match; u.Kind == session.MatchChanged && m != nil && m.ID == u.ID {
		r.had.Seen[u.Side] = u.Match.Seq
		r.had.Over = u.Match.View.Phase == match.Over
	}
	return u.Update
}

// acknowledgeLocked tells the active node that updates are taken. It sends newer ones
// only after that, so a slow reader gets fewer.
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

// receive takes in a frame of the session. The state in a message is taken in at once: if
// another node becomes active now, that state is told to it.
func (r *remote) receive(f frame) error {
	var m *incoming
	var invalid error
	if f.kind == kindReply || f.kind == kindUpdate {
		if m, invalid = decodeMessage(f.payload); invalid != nil {
			r.gateway.cfg.Log.Error("cannot decode a message about a session", "error", invalid)
			m.Err = session.EncodeError(invalid)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.conn == nil || r.err != nil: // it was closed meanwhile
	case f.kind == kindClose:
		r.endLocked(session.DecodeError(f.payload))
	case f.kind == kindAttached && !r.attached:
		r.attached = true
		wake(r.changed)
	case f.kind == kindUpdate && (r.attached || m.Opened) && f.number == r.received+1 && f.number <= r.taken+maxCredit:
		r.received = f.number
		if invalid == nil {
			r.updateLocked(m)
		}
		if n := len(r.updates); n > 0 {
			r.updates[n-1].number = f.number
		} else {
			r.acknowledgeLocked(f.number)
		}
		wake(r.changed)
	case f.kind == kindReply:
		if r.reply != nil && f.number == r.action.number {
			if invalid == nil {
				r.applyLocked(m)
			}
			r.reply <- m
			r.reply, r.action.payload = nil, nil
			<-r.slot
		}
	default:
		return errFrame
	}
	return nil
}

// updateLocked takes in an update.
func (r *remote) updateLocked(m *incoming) {
	if m.Opened {
		r.openedLocked(m)
	}
	r.applyLocked(m)
	u := m.update
	switch {
	case u == nil:
		return
	case u.Kind == session.ChatChanged:
		r.mergeLocked(u, m.Kept)
	case u.Kind == session.Seated && r.state.Match != nil:
		if r.state.Match.ID == r.seated { // the player has had this seat at the former active node
			return
		}
		r.seated = r.state.Match.ID
	}
	r.addLocked(*u)
}

// addLocked adds an update for Next. Those with events are bounded by the credit; others
// replace one of the same kind.
func (r *remote) addLocked(u session.Update) {
	if u.Match == nil {
		r.updates = slices.DeleteFunc(r.updates, func(b numbered) bool { return b.Kind == u.Kind && b.Room == u.Room })
	}
	r.updates = append(r.updates, numbered{u, r.received})
}

// openedLocked notes that the session was opened at this active node. If it was open at a
// former one, what may have changed without an update is reported, and views that Next has
// not returned are dropped, because they come again.
func (r *remote) openedLocked(m *incoming) {
	r.attached, r.hasStore, r.chats, r.taken = true, m.HasStore, [2][]session.Line{}, r.received-1
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

// applyLocked takes in the state of a message, unless there is a newer one. What a
// pointer leads to stays where it is, as long as it is about the same thing.
func (r *remote) applyLocked(m *incoming) {
	if m.state == nil || m.Version <= r.version {
		return
	}
	now, before := *m.state, r.state
	now.Lobby, now.Waiting = before.Lobby, before.Waiting
	keep(&now.Match, before.Match, func(a, b *session.Match) bool { return a.ID == b.ID && a.Side == b.Side })
	keep(&now.Watching, before.Watching, func(a, b *session.Running) bool { return a.ID == b.ID })
	keep(&now.Challenge, before.Challenge, func(a, b *session.Challenge) bool { return a.Offer == b.Offer })
	keep(&now.Offer, before.Offer, func(a, b *session.Offer) bool { return a.Since.Equal(b.Since) && a.Code == b.Code })
	keep(&now.Seat.Takeover, before.Seat.Takeover, func(a, b *session.Takeover) bool { return a.By == b.By })
	r.state, r.hasChat, r.version = now, m.HasChat, m.Version
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

// mergeLocked adds the lines before the new ones. Sessions with the same lines
// share them.
func (r *remote) mergeLocked(u *session.Update, kept int) {
	before := r.chats[u.Room]
	u.Lines = append(slices.Clone(before[max(0, len(before)-kept):]), u.Lines...)
	if u.Room == session.InLobby {
		u.Lines = r.gateway.share(u.Lines)
	}
	r.chats[u.Room] = u.Lines
}
