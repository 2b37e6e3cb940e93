package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/match"
)

const (
	openTime = 15 * time.Second // for opening a session
	// actPatience bounds how long a person waits for an action. A program waits until
	// it is done.
	actPatience = 5 * time.Second
)

// Errors of a session that has no connection to the active node, or whose node at the
// other end has failed.
var (
	errRest        = i18n.Errorf("the-servers-database-cannot-be")
	errFailed      = i18n.Errorf("something-went-wrong-on-the")
	errWaiting     = i18n.Errorf("the-server-is-reconnecting-try")
	errUnreachable = i18n.Errorf("the-server-cannot-be-reached")
)

// remote is the [session.Session] of a client of this node: the gateway's end of a session
// at the active node.
type remote struct {
	gateway *Gateway
	client  session.Client
	number  uint64          // among the gateway's sessions
	ctx     context.Context // ends with the session
	cancel  context.CancelFunc
	keeping sync.WaitGroup
	changed chan struct{} // capacity 1: Next has to look again
	opened  chan struct{} // closed when an active node has opened the session
	done    chan struct{} // closed when the session is over
	slot    chan struct{} // capacity 1: full while an action has no reply

	mu       sync.Mutex     // guards all below; never held while waiting
	conn     *conn          // the active node was told over it; nil: not told
	attached bool           // the active node has confirmed it
	err      error          // why the session is over
	action   frame          // the newest; a kindRepeat once it was sent
	reply    chan *incoming // capacity 1: for the reply to that; nil: not awaited
	received uint64         // number of the newest update
	taken    uint64         // number of the newest update that the active node knows as taken

	version  uint64        // of state
	state    session.State // Lobby and Waiting are what Next has reported
	hasChat  bool
	hasStore bool
	updates  []numbered       // not returned by Next
	turn     <-chan time.Time // when Next may report a new lobby; nil: there is none
	chats    [2][]session.Line
	seated   string           // the match about which there was a Seated; empty once it was left
	had      session.Previous // but for what is in state
	seeking  []byte           // the action that has opened the offer in state
	unsaved  *session.Settings
	savers   []chan<- error
}

// numbered is an update with the number of the newest frame that is taken with it.
type numbered struct {
	session.Update
	number uint64
}

// Open implements [session.Host]: it opens a session at the active node, which
// continues at the next one if that changes.
func (g *Gateway) Open(ctx context.Context, c session.Client) (session.Session, error) {
	if !c.Unlisted && c.Program == nil {
		g.follow()
	}
	r, err := g.newRemote(c)
	if err != nil {
		return nil, err
	}
	if c.Program != nil && g.Err() == nil { // its first query need not wait for the opening
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
		changed: make(chan struct{}, 1), opened: make(chan struct{}), done: make(chan struct{}), slot: make(chan struct{}, 1),
	}
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

// attach tells the active node about the session, unless the connection has ended.
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
	if r.version == 0 && r.client.Program != nil {
		c.sendLater(open) // with the first query
	} else {
		c.send(open)
		c.send(frame{kind: kindTaken, session: r.number, number: r.taken})
	}
	if r.reply != nil {
		c.send(r.action)
		r.action.kind = kindRepeat
	}
}

// detach notes that the connection has ended.
func (r *remote) detach() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.conn, r.attached = nil, false
	wake(r.changed)
}

// describeLocked describes the client, and what it has, for the active node.
func (r *remote) describeLocked() []byte {
	c := r.client
	if r.version > 0 {
		had := r.had
		had.Me, had.Match, had.Code = r.state.Me, r.state.Match, r.state.Seat.Code
		if w := r.state.Watching; w != nil {
			had.Watching, had.Counted = w.ID, r.hasChat
		}
		if had.Offer = r.state.Offer; had.Offer != nil {
			had.OfferedBy = r.seeking
		}
		had.Challenge = r.state.Challenge
		c.Previous = &had
	}
	b, err := json.Marshal(c)
	if err != nil { // does not happen
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

// isAttached reports whether the active node serves the session. If not, the
// session is waiting for the active node, or over.
func (r *remote) isAttached() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.attached && r.err == nil
}

// failed returns nil, or why the session is over.
func (r *remote) failed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// end ends the session at this node.
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
	wake(r.changed)
	r.gateway.mu.Lock()
	defer r.gateway.mu.Unlock()
	delete(r.gateway.sessions, r.number)
}

// close ends the session at both nodes.
func (r *remote) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conn != nil && r.err == nil {
		r.conn.send(frame{kind: kindClose, session: r.number})
	}
	r.endLocked(ErrClosed)
}

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

// send has an order carried out. A person does not wait for the active node.
func (r *remote) send(ctx context.Context, query bool, data []byte) (answer []byte, err error) {
	if r.client.Program == nil {
		r.mu.Lock()
		attached, over := r.attached, r.err
		r.mu.Unlock()
		if over != nil || !attached {
			return nil, cmp.Or(over, errWaiting)
		}
		patient, cancel := context.WithTimeoutCause(ctx, actPatience, errWaiting)
		defer cancel()
		ctx = patient
	}
	return r.order(ctx, query, data)
}

// order has an order carried out, one after the other. If the connection breaks or another
// node becomes active, the order is sent again with the same number. When ctx ends, it may
// still be carried out.
func (r *remote) order(ctx context.Context, query bool, data []byte) (answer []byte, err error) {
	if len(data) > maxData {
		return nil, fmt.Errorf("an action of %d bytes is too large", len(data))
	}
	select {
	case r.slot <- struct{}{}:
	case <-r.done:
		return nil, r.failed()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	reply := make(chan *incoming, 1)
	r.mu.Lock()
	r.action = frame{kind: kindAct, session: r.number, number: r.action.number + 1, payload: order{query, r.had.Seen, data}.encode()}
	r.reply = reply
	if r.conn != nil {
		r.conn.send(r.action)
		r.action.kind = kindRepeat
	}
	r.mu.Unlock()
	select {
	case m := <-reply:
		return m.Answer, session.DecodeError(m.Err)
	case <-r.done:
		return nil, r.failed()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Do implements [session.Session].
func (r *remote) Do(ctx context.Context, a session.Action) error {
	data, err := session.EncodeAction(a)
	if err != nil {
		return err
	}
	// Another active node must be able to tell what the player had before the action.
	if err := r.awaitOpening(ctx); err != nil {
		return err
	}
	r.mu.Lock()
	before := r.state.Offer
	r.mu.Unlock()
	_, err = r.send(ctx, false, data)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch a := a.(type) {
	case session.DoNotDisturb:
		r.had.DoNotDisturb = a.On
	case session.ShowFeatured:
		r.had.ShowsFeatured = a.On
	}
	if r.state.Offer != before {
		r.seeking = data
	}
	return err
}

// Answer implements [session.Session].
func (r *remote) Answer(ctx context.Context, query, answer any, _ func(*session.Local) error) error {
	data, err := session.EncodeQuery(query)
	if err != nil {
		return err
	}
	got, err := r.send(ctx, true, data)
	if len(got) > 0 {
		if wrong := json.Unmarshal(got, answer); wrong != nil {
			return wrong
		}
	}
	return err
}

// SaveSettings implements [session.Session].
func (r *remote) SaveSettings(settings session.Settings) <-chan error {
	result := make(chan error, 1)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unsaved == nil {
		r.keeping.Go(r.save)
	}
	r.unsaved, r.savers = &settings, append(r.savers, result)
	r.had.DoNotDisturb = settings.DoNotDisturb
	return result
}

// save stores settings until there are no newer ones.
func (r *remote) save() {
	for {
		r.mu.Lock()
		settings, savers := *r.unsaved, r.savers
		r.savers = nil
		r.mu.Unlock()
		data, err := session.EncodeAction(session.StoreSettings{Settings: settings})
		if err == nil {
			_, err = r.order(r.ctx, false, data)
		}
		for _, s := range savers {
			s <- err
		}
		r.mu.Lock()
		if len(r.savers) == 0 {
			r.unsaved = nil
			r.mu.Unlock()
			return
		}
		r.mu.Unlock()
	}
}

// State implements [session.Session].
func (r *remote) State() session.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// Player implements [session.Session].
func (r *remote) Player() session.Player { return r.State().Me }

// HasStore implements [session.Session].
func (r *remote) HasStore() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hasStore
}

// Client implements [session.Session].
func (r *remote) Client() session.Client { return r.client }

// HasChat implements [session.Session].
func (r *remote) HasChat() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hasChat
}

// closeTime bounds how long a closed session waits for its settings to be stored.
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
