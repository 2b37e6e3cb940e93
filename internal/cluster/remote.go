package cluster

import (
	"context"
	"encoding/json"
	"errors"
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

// Open implements [session.Host]: it opens a session at the active node, which
// continues at the next one if that changes.
func (g *Gateway) Open(ctx context.Context, c session.Client) (session.Session, error) {
	if !c.Unlisted && c.Program == nil {
		g.follows.Do(func() { g.done.Go(g.follow) })
	}
	r := &remote{gateway: g, client: c, state: session.State{Lobby: &session.Snapshot{}}}
	r.ctx, r.cancel = context.WithCancel(g.ctx)
	opening, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	var err error
	if r.stream, err = g.open(opening, r.hello, r.decode); err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		err = r.readLocked()
	}
	var ended *endedError
	switch {
	case err == nil:
		return r, nil
	case errors.As(err, &ended):
		return nil, session.DecodeError(ended.payload)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, errUnreachable
}

// follow keeps the newest lobby snapshot.
func (g *Gateway) follow() {
	s, err := g.open(g.ctx, func() ([]byte, bool) { return []byte(lobbyHello), true }, nil)
	for err == nil {
		select {
		case <-s.changed:
		case <-g.ctx.Done():
			return
		}
		for f, ok := s.next(); ok; f, ok = s.next() {
			if f.kind == kindUpdate {
				g.learn(f.payload)
			}
		}
	}
}

// learn takes in a lobby snapshot.
func (g *Gateway) learn(payload []byte) {
	n := new(session.Snapshot)
	if err := json.Unmarshal(payload, n); err != nil {
		g.cfg.Log.Error("cannot decode the lobby", "error", err)
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.snapshot = n
	close(g.learnt)
	g.learnt = make(chan struct{})
}

// newest returns the newest snapshot, or nil, and a channel that is closed when
// there is a newer one.
func (g *Gateway) newest() (*session.Snapshot, <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.snapshot, g.learnt
}

// remote is the [session.Session] of a client of this node.
type remote struct {
	gateway *Gateway
	client  session.Client
	stream  *stream
	ctx     context.Context // ends with the session
	cancel  context.CancelFunc
	keeping sync.WaitGroup

	mu       sync.Mutex    // guards all below; never held while waiting
	version  uint64        // of state
	state    session.State // Lobby and Waiting are what Next has reported
	hasChat  bool
	hasStore bool
	updates  []session.Update // read and not returned by Next
	turn     <-chan time.Time // when Next may report a new lobby; nil: there is none
	chats    [2][]session.Line
	seated   string           // the match about which Next has returned Seated; empty once it was left
	had      session.Previous // but for what is in state
	seeking  []byte           // the action that has opened the offer in state
	unsaved  *session.Settings
	savers   []chan<- error
}

// hello describes the session for the active node.
func (r *remote) hello() ([]byte, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
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
	return b, c.Previous != nil && c.Previous.Match != nil
}

// Next implements [session.Session].
func (r *remote) Next(ctx context.Context) (session.Update, error) {
	for {
		u, lobby, turn, err := r.poll()
		if u.Kind != 0 || err != nil {
			return u, err
		}
		select {
		case <-r.stream.changed:
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
// to wait for besides the stream.
func (r *remote) poll() (u session.Update, lobby <-chan struct{}, turn <-chan time.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.readLocked(); err != nil {
		return u, nil, nil, err
	}
	if len(r.updates) > 0 {
		u, r.updates = r.updates[0], r.updates[1:]
		r.noteLocked(&u)
		return u, nil, nil, nil
	}
	if r.stream.failed() != nil {
		return u, nil, nil, r.why(nil)
	}
	if waiting := !r.stream.isAttached(); waiting != r.state.Waiting {
		r.state.Waiting = waiting
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

// noteLocked notes what the player is shown of a match.
func (r *remote) noteLocked(u *session.Update) {
	switch u.Kind {
	case session.Seated:
		r.had.Seen, r.had.Over = [2]int{}, false
		if r.state.Match != nil {
			r.seated = r.state.Match.ID
		}
	case session.MatchChanged:
		r.had.Seen[u.Side] = u.Match.Seq
		r.had.Over = u.Match.View.Phase == match.Over
	}
}

// incoming is a decoded [message].
type incoming struct {
	message
	state  *session.State
	update *session.Update
	err    error // why the message is not valid
}

// decode decodes a message. See [stream.decode]. The state in a reply is taken in at once:
// if another node becomes active now, that state is told to it.
func (r *remote) decode(kind byte, payload []byte) any {
	m := new(incoming)
	m.err = json.Unmarshal(payload, &m.message)
	if m.err == nil && m.State != nil {
		s := m.State.Decode()
		m.state, m.State = &s, nil
	}
	if m.err == nil && m.Update != nil {
		var u session.Update
		u, m.err = m.Update.Decode()
		m.update, m.Update = &u, nil
	}
	if m.err != nil {
		r.gateway.cfg.Log.Error("cannot decode a message about a session", "error", m.err)
	}
	if kind == kindReply && m.err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.applyLocked(m)
	}
	return m
}

// readLocked takes in what has come from the active node, until there are updates.
func (r *remote) readLocked() error {
	for len(r.updates) == 0 {
		f, ok := r.stream.next()
		if !ok {
			return nil
		}
		m, ok := f.decoded.(*incoming)
		if !ok || m.err != nil {
			continue
		}
		if f.kind == kindOpened {
			r.hasStore, r.chats = m.HasStore, [2][]session.Line{}
			r.reopenedLocked(m)
			continue
		}
		r.applyLocked(m)
		if u := m.update; u != nil && !r.repeatsLocked(u) {
			if u.Kind == session.ChatChanged {
				r.mergeLocked(u, m.Kept)
			}
			r.updates = append(r.updates, *u)
		}
	}
	return nil
}

// repeatsLocked reports whether an update says again that the player has the seat
// that they had at the former active node.
func (r *remote) repeatsLocked(u *session.Update) bool {
	return u.Kind == session.Seated && r.state.Match != nil && r.state.Match.ID == r.seated
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
}

func keep[T any](now **T, before *T, same func(a, b *T) bool) {
	if *now != nil && before != nil && same(*now, before) {
		*now = before
	}
}

// reopenedLocked takes in the state at a new active node. What may have changed
// there without an update is reported.
func (r *remote) reopenedLocked(m *incoming) {
	first := r.version == 0
	r.applyLocked(m)
	if first {
		return
	}
	r.updates = append(r.updates, session.Update{Kind: session.ChallengeChanged})
	if r.state.Match != nil {
		r.updates = append(r.updates, session.Update{Kind: session.SeatChanged})
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

// share returns the same lines for all sessions.
func (g *Gateway) share(lines []session.Line) []session.Line {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.EqualFunc(lines, g.chat, func(a, b session.Line) bool { return a.Number == b.Number && a.At.Equal(b.At) }) {
		g.chat = lines
	}
	return g.chat
}

// send has an order carried out. A person does not wait for the active node.
func (r *remote) send(ctx context.Context, query bool, data []byte) (answer []byte, err error) {
	if r.client.Program != nil {
		return r.sendWaiting(ctx, query, data)
	}
	if !r.stream.isAttached() {
		return nil, r.why(errWaiting)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, actPatience, errWaiting)
	defer cancel()
	return r.sendWaiting(ctx, query, data)
}

// sendWaiting has an order carried out, by whichever node becomes active.
func (r *remote) sendWaiting(ctx context.Context, query bool, data []byte) (answer []byte, err error) {
	r.mu.Lock()
	seen := r.had.Seen
	r.mu.Unlock()
	reply, err := r.stream.do(ctx, order{query, seen, data}.encode())
	if err != nil {
		return nil, r.why(err)
	}
	m, ok := reply.decoded.(*incoming)
	if !ok {
		return nil, errFrame
	}
	if m.err != nil {
		return nil, m.err
	}
	return m.Answer, session.DecodeError(m.Err)
}

// why returns the reason why the session is over, if it is, or else err.
func (r *remote) why(err error) error {
	if failed := r.stream.failed(); failed != nil {
		err = failed
	}
	var ended *endedError
	if errors.As(err, &ended) {
		return session.DecodeError(ended.payload)
	}
	return err
}

// Do implements [session.Session].
func (r *remote) Do(ctx context.Context, a session.Action) error {
	data, err := session.EncodeAction(a)
	if err != nil {
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

// Keep implements [session.Session].
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
			_, err = r.sendWaiting(r.ctx, false, data)
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
	if !r.stream.isAttached() {
		r.cancel()
	}
	r.keeping.Wait()
	r.cancel()
	r.stream.close()
}
