package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"broadside/lobby/cluster"
	"broadside/match"
	"broadside/match/live"
)

// played is a running match as all nodes know it. Whoever is named as its owner
// in the entry runs it, as long as that node lives.
type played struct {
	ID      string
	Owner   string    // the node that runs it
	Homes   [2]string // the nodes where the players are, or were last
	Rules   match.Rules
	Players [2]Player
	Started time.Time
	Codes   [2]string // see [Seating.Code]
	Salts   [2]string // of the commitments to both fleets
	Rated   bool
	Logged  bool // what happens is in its log: another node can go on with it
}

func (g *game) played() played {
	return played{
		ID: g.id, Owner: g.owner, Homes: g.homes, Rules: g.rules, Players: g.players, Started: g.started,
		Codes: g.codes, Salts: g.salts, Rated: g.rated, Logged: g.logged,
	}
}

// The lobby is locked for all that follows, unless it says otherwise.

// know takes in what the entry of a match says, at a revision; 0 if that is not
// known yet.
func (l *Lobby) know(p *played, rev uint64) *game {
	g := l.running[p.ID]
	if g == nil {
		g = &game{id: p.ID, rules: p.Rules, started: p.Started, rated: p.Rated, logged: p.Logged}
		l.running[p.ID] = g
		defer l.direct()
	} else if rev < g.rev {
		return g // it is known better
	}
	if g.owner == p.Owner && l.runs(g) && g.match != nil {
		g.rev = max(g.rev, rev)
		return g // this node's own word
	}
	moved := g.owner != "" && g.owner != p.Owner
	if moved {
		g.stale, g.heritage = g.stale || l.runs(g), ""
	}
	g.owner, g.homes, g.players, g.codes, g.salts = p.Owner, p.Homes, p.Players, p.Codes, p.Salts
	g.names = [2]string{p.Players[0].Name, p.Players[1].Name}
	g.rev = max(g.rev, rev)
	if moved && g.match != nil && !l.runs(g) {
		l.turn(g)
	}
	l.changed()
	l.checkIdle()
	return g
}

// runs tells whether this node is the owner of a match.
func (l *Lobby) runs(g *game) bool { return g.owner == l.node.ID() }

// held gives a game its match, if that runs at another node and nobody here has
// had to do with it so far. It is false for a match that is about to begin here.
func (l *Lobby) held(g *game) bool {
	if g.match == nil && !l.runs(g) {
		l.hold(g)
	}
	return g.match != nil
}

// hold is held for a match that does not begin here.
func (l *Lobby) hold(g *game) {
	if g.match != nil {
		return
	}
	l.work.Add(1) // done by ended
	ctx, stop := context.WithCancel(l.ctx)
	g.match, g.stop = live.Follow(ctx, g.id, l.far(g)), stop
	l.seatAll(g)
}

// far is how a match speaks to the node that runs it.
func (l *Lobby) far(g *game) live.Far {
	return live.Far{
		Log: l.cfg.Log, Ended: func() { l.ended(g) },
		Send: func(data []byte) {
			l.mu.Lock()
			owner := g.owner
			l.mu.Unlock()
			if owner != l.node.ID() { // else this node is about to go on with it
				l.node.Send(owner, envelope(toOwner, g.id, data))
			}
		},
	}
}

// publish makes a match that begins here known to all nodes.
func (l *Lobby) publish(g *game) {
	value := encode(g.played())
	l.post(func(ctx context.Context) error {
		rev, err := l.node.Create(ctx, cluster.Matches, g.id, value)
		l.revised(g, rev, err)
		return ignore(err, cluster.ErrConflict)
	})
}

// republish makes a change to a match that runs here known.
func (l *Lobby) republish(g *game) {
	if g.hotSeat {
		return
	}
	l.post(func(ctx context.Context) error {
		l.mu.Lock()
		value, rev, mine := encode(g.played()), g.rev, l.runs(g)
		l.mu.Unlock()
		if !mine || rev == 0 {
			return nil
		}
		rev, err := l.node.Update(ctx, cluster.Matches, g.id, value, rev)
		l.revised(g, rev, err)
		return ignore(err, cluster.ErrConflict)
	})
}

// revised notes the revision of a match's entry. The lobby is not locked.
func (l *Lobby) revised(g *game, rev uint64, err error) {
	if err == nil {
		l.mu.Lock()
		g.rev = max(g.rev, rev)
		l.mu.Unlock()
	}
}

// unpublish makes it known that a match which ran here is over.
func (l *Lobby) unpublish(g *game) {
	if g.hotSeat || l.cfg.Single && g.rev == 0 {
		return
	}
	l.ending[g.id] = struct{}{}
	l.post(func(ctx context.Context) error {
		l.mu.Lock()
		rev, mine := g.rev, l.runs(g)
		if !mine || rev == 0 {
			delete(l.ending, g.id)
		}
		l.mu.Unlock()
		if !mine || rev == 0 {
			return nil
		}
		err := l.node.Delete(ctx, cluster.Matches, g.id, rev)
		if errors.Is(err, cluster.ErrConflict) { // was it this node, when it seemed to fail?
			if _, err = l.node.Get(ctx, cluster.Matches, g.id); err == nil {
				return nil
			}
			err = ignore(err, cluster.ErrNotFound)
		}
		if err != nil {
			return err
		}
		if g.logged {
			return ignore(l.node.Drop(ctx, g.id), cluster.ErrNotFound)
		}
		return nil
	})
}

func ignore(err, which error) error {
	if errors.Is(err, which) {
		return nil
	}
	return err
}

// toldMatch takes in how it stands with a match.
func (l *Lobby) toldMatch(e cluster.Entry) {
	if e.Gone {
		delete(l.ending, e.Key)
		g := l.running[e.Key]
		if g == nil || e.Rev < g.rev {
			return
		}
		if l.runs(g) { // another node has gone on with it meanwhile, and it has ended there
			g.owner = ""
			if g.match != nil {
				l.work.Go(g.match.Yield)
			}
		}
		l.over(g)
		if g.match != nil { // its last words are on their way, if it has not ended already
			l.after(lastWords, g.stop)
		}
		return
	}
	if _, ok := l.ending[e.Key]; ok {
		return // what this node has said before
	}
	var p played
	if err := json.Unmarshal(e.Value, &p); err != nil || p.ID != e.Key {
		l.cfg.Log.Error("a match cannot be read", "match", e.Key, "error", err)
		return
	}
	g := l.know(&p, e.Rev)
	if l.runs(g) {
		l.turn(g) // if it was handed over
	} else if !l.lives(g.owner) {
		l.inherit(g, cluster.DeadAfter) // who has just written lives, until proven otherwise
	}
}

// lastWords is how long a match may take to say how it ended once its entry is
// gone.
const lastWords = 10 * time.Second

// over forgets a match.
func (l *Lobby) over(g *game) {
	if l.running[g.id] == g {
		delete(l.running, g.id)
	}
	if g.over {
		return
	}
	g.over = true
	l.keepTable(g)
	l.spoken(&g.talk) // the players hear their spectators now
	l.direct()
	l.changed()
	l.checkIdle()
}

// lives tells whether a node does.
func (l *Lobby) lives(node string) bool {
	return node == l.node.ID() || slices.ContainsFunc(l.peers, func(p cluster.Peer) bool { return p.ID == node })
}

// youth is for how long a lobby that has just been opened takes every node
// for alive: it may not have heard of all.
const youth = 2 * cluster.DeadAfter

// dead tells whether a node is gone for sure.
func (l *Lobby) dead(node string) bool {
	return !l.lives(node) && time.Since(l.began) >= youth
}

// sweep removes what nodes have left behind that are gone. Their people and
// offers are kept in mind: if such a node was only out of touch, or this one was,
// they are there again when it comes back.
func (l *Lobby) sweep() {
	for _, t := range slices.Clone(l.offers) {
		if l.dead(t.home) {
			l.drop(t)
			l.parked = append(l.parked, t)
			l.forgetOfferOf(offerKey(t.number), t.home)
		}
	}
	for key, here := range l.others {
		if l.dead(here.home) {
			l.forgetPresence(key, here.home)
		}
	}
	for _, g := range l.tables {
		for side, home := range g.homes {
			if l.dead(home) || l.dead(g.owner) {
				g.table.rise(match.Side(side))
			}
		}
	}
	l.changed()
}

// welcome takes in again what there was at a node that has come, or come back,
// and tells it what it may have missed.
func (l *Lobby) welcome(node string) {
	for _, t := range slices.Clone(l.parked) {
		if t.home == node {
			l.parked = slices.DeleteFunc(l.parked, func(p *Ticket) bool { return p == t })
			l.list(t)
		}
	}
	if !l.said.At.IsZero() {
		l.node.Send(node, envelope(announced, "", encode(l.said)))
	}
	if l.closing {
		l.node.Send(node, envelope(parting, "", nil))
	}
	for id, g := range l.running {
		if g.watching > 0 {
			l.node.Send(node, envelope(seen, id, encode(g.watching)))
		}
	}
	l.changed()
}

// toldPeers takes in which nodes live.
func (l *Lobby) toldPeers(peers []cluster.Peer) {
	before := l.peers
	l.peers = peers
	for _, p := range before {
		if l.lives(p.ID) {
			continue
		}
		l.cfg.Log.Warn("a node is gone", "node", p.ID, "name", p.Name)
		delete(l.parting, p.ID)
		for _, g := range l.running {
			delete(g.audience, p.ID)
			if !l.runs(g) || g.match == nil {
				continue
			}
			m, lost, at := g.match, g.programsAt(p.ID) > 0, g.sidesAt(p.ID)
			l.work.Go(func() {
				if lost { // a program's connection has ended with its node
					m.Abort()
				}
				m.Gone(p.ID, at...)
			})
		}
	}
	l.sweep()
	for _, p := range peers {
		if p.ID != l.node.ID() && !slices.ContainsFunc(before, func(q cluster.Peer) bool { return p.ID == q.ID }) {
			l.welcome(p.ID)
		}
	}
	for _, g := range l.running {
		back := !slices.ContainsFunc(before, func(p cluster.Peer) bool { return p.ID == g.owner })
		switch {
		case !l.lives(g.owner):
			l.inherit(g, 0)
		case back && g.match != nil && !l.runs(g):
			g.match.Relink() // it may have taken this node for gone
		}
	}
}

// heirTime is what each further node waits before it goes on with a match whose
// owner is gone.
const heirTime = time.Second

// inherit lets this node go on with a match whose owner is gone, in its turn:
// after a while if a player is here, else after those nodes where one is.
func (l *Lobby) inherit(g *game, after time.Duration) {
	if g.inheriting || l.closing {
		return
	}
	g.inheriting = true
	turn := 0
	if !slices.Contains(g.homes[:], l.node.ID()) {
		ids := make([]string, 0, len(l.peers))
		for _, p := range l.peers {
			ids = append(ids, p.ID)
		}
		slices.Sort(ids)
		turn = 1 + max(0, slices.Index(ids, l.node.ID()))
	}
	owner := g.owner
	wait := max(after, time.Until(l.began.Add(youth)))
	l.after(wait+time.Duration(turn)*heirTime, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		g.inheriting = false
		if !g.over && !l.closing && !l.lives(owner) {
			g.heritage = owner
			l.turn(g)
		}
	})
}

// turn brings the handle of a match in line with who owns the match: it goes on
// here, where it was handed over to this node or is its heritage, or follows the
// owner. A goroutine does so, one for a match at a time.
func (l *Lobby) turn(g *game) {
	g.turns++
	if g.starting || l.runsAlready(g) {
		return
	}
	g.starting = true
	if g.logged && l.isHeir(g) {
		l.hold(g) // who comes back meanwhile finds it
	}
	l.work.Go(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		var err error
		for done := -1; done != g.turns; {
			done = g.turns
			here, m := l.isHeir(g), g.match
			l.mu.Unlock()
			if err = nil; here {
				err = l.takeOver(g)
			} else if m != nil {
				m.Yield() // if it ran here
				m.Relink()
			}
			l.mu.Lock()
			if !here {
				g.stale = false
			}
		}
		g.starting = false
		if err == nil {
			return
		}
		if !errors.Is(err, cluster.ErrConflict) { // else another node was faster
			l.cfg.Log.Error("match cannot go on", "match", g.id, "error", err)
		}
		l.after(heirTime, func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			if !g.over && l.isHeir(g) {
				l.turn(g)
			}
		})
	})
}

// isHeir tells whether a match is to run here.
func (l *Lobby) isHeir(g *game) bool {
	return l.runs(g) || g.heritage != "" && g.heritage == g.owner && !l.lives(g.owner)
}

// runsAlready tells whether a match runs here as its entry says.
func (l *Lobby) runsAlready(g *game) bool {
	return l.runs(g) && g.match != nil && g.match.Here() && !g.stale
}

// logged is what a match's log holds: what followed from one command, or that
// another node has become the owner.
type logged struct {
	Owner  string          `json:",omitempty"`
	Marks  [2]uint64       // the last command of each side, see [live.Config]
	Events json.RawMessage `json:",omitempty"` // see [match.EncodeEvents]
}

// append is [live.Config].Append of a match, on its goroutine. The lobby is not
// locked.
func (l *Lobby) append(ctx context.Context, g *game, events []match.Event, marks [2]uint64) error {
	l.mu.Lock()
	ours := l.runs(g)
	l.mu.Unlock()
	if !ours { // the new owner has not come to fence the log
		return live.ErrFenced
	}
	encoded, err := match.EncodeEvents(match.Rules{}, events)
	if err != nil {
		return err
	}
	// What has happened is written down, even if the lobby closes now.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), nodeTime)
	defer cancel()
	seq, err := l.node.Append(ctx, g.id, g.seq, encode(logged{Marks: marks, Events: encoded}))
	if errors.Is(err, cluster.ErrConflict) {
		return live.ErrFenced
	}
	if err == nil {
		g.seq = seq
	}
	return err
}

// takeOver makes this node the owner of a match and goes on with it. The lobby
// is not locked. The error is cluster.ErrConflict if another node has become
// the owner.
func (l *Lobby) takeOver(g *game) error {
	if !l.inTouch(g) {
		return nil
	}
	ctx, cancel := context.WithTimeout(l.ctx, nodeTime)
	defer cancel()
	if err := l.own(ctx, g); err != nil {
		return err
	}
	l.mu.Lock()
	already, m := l.runsAlready(g), g.match
	l.mu.Unlock()
	if already {
		return nil
	}
	if m != nil {
		m.Yield() // what ran here before another node had the match
	}
	if !g.logged {
		return l.voidHere(ctx, g)
	}
	history, marks, err := l.fence(ctx, g)
	if err != nil {
		return err
	}
	if l.cfg.Store != nil && g.goesOn() {
		if err := l.cfg.Store.Forget(ctx, g.id); err != nil { // its journal is written anew
			return err
		}
	}
	l.mu.Lock()
	if l.ctx.Err() != nil || g.over {
		l.mu.Unlock()
		return nil
	}
	l.hold(g)
	g.history, g.journal = history, journal{pending: history}
	cfg, bot, err := l.arrange(g, true)
	l.mu.Unlock()
	if err != nil {
		return err
	}
	if err := g.match.TakeOver(cfg, marks); err != nil {
		return err
	}
	l.cfg.Log.Info("match goes on here", "match", g.id, "events", len(history))
	l.mu.Lock()
	g.stale = false
	if n := len(history); n > 0 && history[n-1].Kind == match.GameEnded {
		l.serveEarly(g) // who has not heard the end is told, and that is all
	} else {
		l.ran(g, bot)
	}
	lost := false
	for side, p := range g.players {
		lost = lost || p.Kind == Program && !l.lives(g.homes[side]) // its connection has ended with its node
	}
	l.mu.Unlock()
	if lost {
		g.match.Abort()
	}
	return nil
}

// own makes this node the owner of a match in its entry.
func (l *Lobby) own(ctx context.Context, g *game) error {
	l.mu.Lock()
	p, rev := g.played(), g.rev
	l.mu.Unlock()
	if p.Owner == l.node.ID() {
		return nil
	}
	p.Owner = l.node.ID()
	for side, home := range p.Homes {
		if !l.isAlive(home) && p.Players[side].Kind != Program {
			p.Homes[side] = p.Owner
		}
	}
	var err error
	if rev == 0 { // its owner has not come to write it
		rev, err = l.node.Create(ctx, cluster.Matches, g.id, encode(p))
	} else {
		rev, err = l.node.Update(ctx, cluster.Matches, g.id, encode(p), rev)
	}
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if rev < g.rev { // another node has become the owner since
		return cluster.ErrConflict
	}
	l.know(&p, rev)
	return nil
}

// inTouch waits until this node is in touch with the others, and for as long
// afterwards as it takes to hear of all that live. It returns whether a match is
// still to run here: while it was out of touch, this node has taken everybody
// for dead. The lobby is not locked.
func (l *Lobby) inTouch(g *game) bool {
	for cut := l.node.Healthy() != nil; cut; {
		cut = l.node.Healthy() != nil
		select {
		case <-time.After(2 * cluster.BeatEvery):
		case <-l.ctx.Done():
			return false
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return !g.over && l.isHeir(g)
}

func (l *Lobby) isAlive(node string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lives(node)
}

// fence reads the log of a match and keeps everybody else from writing to it.
func (l *Lobby) fence(ctx context.Context, g *game) (history []match.Event, marks [2]uint64, err error) {
	for {
		all, err := l.node.Read(ctx, g.id)
		if err != nil {
			return nil, marks, err
		}
		history, marks = nil, [2]uint64{}
		last := uint64(0)
		for _, r := range all {
			var e logged
			if err := json.Unmarshal(r.Data, &e); err != nil {
				return nil, marks, fmt.Errorf("record %d of the log: %w", r.Seq, err)
			}
			last = r.Seq
			if len(e.Events) == 0 {
				continue
			}
			_, events, err := match.DecodeEvents(e.Events)
			if err != nil {
				return nil, marks, fmt.Errorf("record %d of the log: %w", r.Seq, err)
			}
			history, marks = append(history, events...), e.Marks
		}
		seq, err := l.node.Append(ctx, g.id, last, encode(logged{Owner: l.node.ID(), Marks: marks}))
		if errors.Is(err, cluster.ErrConflict) {
			continue // the former owner was not dead yet
		}
		if err != nil {
			return nil, marks, err
		}
		g.seq = seq
		return history, marks, nil
	}
}

// voidHere ends a match without a winner whose history died with its node.
func (l *Lobby) voidHere(ctx context.Context, g *game) error {
	if l.cfg.Store != nil {
		all, err := l.cfg.Store.Running(ctx)
		if err != nil {
			return err
		}
		for _, r := range all {
			if r.ID == g.id {
				if err := l.void(ctx, r); err != nil {
					return err
				}
			}
		}
	}
	l.endedHere(g)
	return nil
}

// endedHere makes it known that a match is over which this node owns and does
// not run.
func (l *Lobby) endedHere(g *game) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unpublish(g)
	l.over(g)
	if g.match != nil {
		g.stop()
	}
}

// handOver makes other nodes the owners of the matches that can go on there, and
// returns whether there were any. One that no other node can have goes on here.
// The lobby is not locked.
func (l *Lobby) handOver(ctx context.Context) (any bool) {
	l.node.Broadcast(envelope(parting, "", nil))
	l.mu.Lock()
	var heirs []string
	for _, p := range l.peers {
		if _, leaves := l.parting[p.ID]; !leaves && p.ID != l.node.ID() {
			heirs = append(heirs, p.ID)
		}
	}
	type gift struct {
		entry played
		rev   uint64
	}
	var gifts []gift
	for _, g := range l.running {
		if !l.runs(g) || !g.logged || g.programsAt(l.node.ID()) > 0 {
			continue
		}
		any = true
		if len(heirs) == 0 || g.starting || g.rev == 0 {
			continue
		}
		p := g.played()
		p.Owner = heirs[len(gifts)%len(heirs)]
		for _, home := range p.Homes {
			if slices.Contains(heirs, home) {
				p.Owner = home
			}
		}
		for side, home := range p.Homes {
			if home == l.node.ID() && p.Players[side].Kind == Bot {
				p.Homes[side] = p.Owner
			}
		}
		gifts = append(gifts, gift{p, g.rev})
	}
	l.mu.Unlock()
	for _, gift := range gifts {
		rev, err := l.node.Update(ctx, cluster.Matches, gift.entry.ID, encode(gift.entry), gift.rev)
		if err != nil {
			l.cfg.Log.Warn("match was not handed over", "match", gift.entry.ID, "error", err)
			continue
		}
		l.mu.Lock()
		g := l.know(&gift.entry, rev)
		l.mu.Unlock()
		if g.match != nil {
			g.match.Yield() // before this node can close
		}
	}
	return any
}

// programsAt is the number of players who are programs at a node.
func (g *game) programsAt(node string) (n int) {
	for side, p := range g.players {
		if p.Kind == Program && g.homes[side] == node {
			n++
		}
	}
	return n
}

// sidesAt are the sides whose players are at a node.
func (g *game) sidesAt(node string) (sides []match.Side) {
	for side, home := range g.homes {
		if home == node {
			sides = append(sides, match.Side(side))
		}
	}
	return sides
}
