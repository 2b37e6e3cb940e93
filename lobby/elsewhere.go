package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	} else if rev != 0 && rev < g.rev {
		return g // it is known better
	}
	if g.owner == p.Owner && l.runs(g) && g.match != nil {
		g.rev = max(g.rev, rev)
		return g // this node's own word
	}
	moved := g.owner != "" && g.owner != p.Owner
	g.owner, g.homes, g.players, g.codes, g.salts = p.Owner, p.Homes, p.Players, p.Codes, p.Salts
	g.names = [2]string{p.Players[0].Name, p.Players[1].Name}
	g.rev = max(g.rev, rev)
	if moved && g.match != nil && !l.runs(g) {
		m := g.match
		l.work.Go(func() {
			m.Yield() // if it ran here
			m.Relink()
		})
	}
	l.changed()
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
	if g.hotSeat {
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
		if err := l.node.Delete(ctx, cluster.Matches, g.id, rev); err != nil {
			return ignore(err, cluster.ErrConflict)
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

// toldMatch takes in how it stands with a match. The lobby is not locked.
func (l *Lobby) toldMatch(e cluster.Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
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
	if l.runs(g) && (g.match == nil || !g.match.Here()) && !g.starting {
		l.goOnHere(g) // it was handed over
	} else if !l.lives(g.owner) {
		l.inherit(g)
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

// toldPeers takes in which nodes live. The lobby is not locked.
func (l *Lobby) toldPeers(peers []cluster.Peer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.peers
	l.peers = peers
	for _, p := range before {
		if l.lives(p.ID) {
			continue
		}
		l.cfg.Log.Warn("a node is gone", "node", p.ID, "name", p.Name)
		for _, g := range l.running {
			delete(g.audience, p.ID)
			if !l.runs(g) || g.match == nil {
				continue
			}
			m, lost := g.match, g.programsAt(p.ID) > 0
			l.work.Go(func() {
				if lost { // a program's connection has ended with its node
					m.Abort()
				}
				m.Gone(p.ID)
			})
		}
	}
	if !l.young() {
		l.sweep()
	}
	for _, g := range l.running {
		back := !slices.ContainsFunc(before, func(p cluster.Peer) bool { return p.ID == g.owner })
		switch {
		case !l.lives(g.owner):
			l.inherit(g)
		case back && g.match != nil && !l.runs(g):
			g.match.Relink() // it may have taken this node for gone
		}
	}
	for _, g := range l.tables {
		for side, home := range g.homes {
			if !l.lives(home) || !l.lives(g.owner) {
				g.table.rise(match.Side(side))
			}
		}
	}
}

// youth is how long a node may not have heard of all that live.
const youth = 2 * cluster.DeadAfter

func (l *Lobby) young() bool { return time.Since(l.began) < youth }

// sweep forgets who is at nodes that are gone, and what they have offered.
func (l *Lobby) sweep() {
	for _, t := range slices.Clone(l.offers) {
		if !l.lives(t.home) {
			t.settle()
			l.forgetOffer(offerKey(t.number))
		}
	}
	for key, here := range l.others {
		if !l.lives(here.home) {
			delete(l.others, key)
			l.forgetPresence(key)
		}
	}
	l.changed()
}

// heirTime is what each further node waits before it goes on with a match whose
// owner is gone.
const heirTime = time.Second

// inherit lets this node go on with a match whose owner is gone, in its turn:
// at once if a player is here, else after those nodes where one is.
func (l *Lobby) inherit(g *game) {
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
	wait := max(0, time.Until(l.began.Add(youth)))
	l.after(wait+time.Duration(turn)*heirTime, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		g.inheriting = false
		if g.owner == owner && !g.over && !l.closing && !l.lives(owner) {
			l.goOnHere(g)
		}
	})
}

// goOnHere goes on with a match at this node, whose owner is gone or has handed
// it over.
func (l *Lobby) goOnHere(g *game) {
	g.starting = true
	if g.logged {
		l.hold(g) // who comes back meanwhile finds it
	}
	l.work.Go(func() {
		err := l.takeOver(g)
		l.mu.Lock()
		defer l.mu.Unlock()
		g.starting = false
		switch {
		case errors.Is(err, cluster.ErrConflict): // another node was faster
		case err != nil:
			l.cfg.Log.Error("match cannot go on", "match", g.id, "error", err)
			if l.ctx.Err() == nil && !g.over {
				l.after(heirTime, func() {
					l.mu.Lock()
					defer l.mu.Unlock()
					if !g.over && !g.starting && (l.runs(g) || !l.lives(g.owner)) {
						l.goOnHere(g)
					}
				})
			}
		}
	})
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
	ctx, cancel := context.WithTimeout(l.ctx, nodeTime)
	defer cancel()
	if err := l.own(ctx, g); err != nil {
		return err
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
	if l.closing {
		l.mu.Unlock()
		return nil
	}
	l.hold(g)
	g.starting = false
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
	defer l.mu.Unlock()
	l.ran(g, bot)
	for side, p := range g.players {
		if p.Kind == Program && !l.lives(g.homes[side]) { // its connection has ended with its node
			g.match.Abort()
		}
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
	g.owner, g.homes, g.rev = p.Owner, p.Homes, max(g.rev, rev)
	return nil
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

// handOver makes other nodes the owners of the matches that can go on there,
// and returns whether all can that people play. The lobby is not locked.
func (l *Lobby) handOver(ctx context.Context) {
	l.mu.Lock()
	var heirs []string
	for _, p := range l.peers {
		if p.ID != l.node.ID() {
			heirs = append(heirs, p.ID)
		}
	}
	games := slices.Collect(maps.Values(l.running))
	l.mu.Unlock()
	if len(heirs) == 0 {
		return
	}
	for i, g := range games {
		l.mu.Lock()
		p, rev := g.played(), g.rev
		gives := l.runs(g) && g.logged && !g.over && g.match != nil && g.programsAt(l.node.ID()) == 0
		l.mu.Unlock()
		if !gives || rev == 0 {
			continue
		}
		p.Owner = heirs[i%len(heirs)]
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
		g.match.Yield()
		rev, err := l.node.Update(ctx, cluster.Matches, g.id, encode(p), rev)
		if err != nil {
			l.cfg.Log.Error("match was not handed over", "match", g.id, "error", err)
			continue
		}
		l.mu.Lock()
		g.owner, g.homes, g.rev = p.Owner, p.Homes, max(g.rev, rev)
		l.checkIdle()
		l.mu.Unlock()
		g.match.Relink()
	}
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
