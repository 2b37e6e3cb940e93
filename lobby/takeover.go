package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"broadside/lobby/cluster"
	"broadside/lobby/store"
	"broadside/match"
	"broadside/match/live"
)

// The lobby is locked for all that follows, unless it says otherwise.

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
		switch {
		case g.over || l.closing || l.lives(g.owner):
		case g.owner != owner: // another heir was faster, and is gone, too
			l.inherit(g, 0)
		default:
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
		if len(history) == 0 { // from before a restart, and nobody has come to write it to the log
			r, err := l.recorded(ctx, g.id)
			if err != nil {
				return err
			}
			if history = r.Events; len(history) > 0 {
				if err := l.append(ctx, g, history, marks); err != nil {
					return err
				}
			}
		}
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
	g.history, g.journal = history, journal{waiting: slices.Clip(history), shown: len(history)}
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
	if p.Owner == l.node.ID() && rev > 0 {
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

// inTouch waits until this node is in touch with the others. It returns whether a
// match is still to run here: while it was out of touch, this node has taken
// everybody for dead. The lobby is not locked.
func (l *Lobby) inTouch(g *game) bool {
	if !l.touch() {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return !g.over && l.isHeir(g)
}

// touch waits until this node is in touch with the others, and, if it was not, for
// as long afterwards as it takes to hear of all that live. It is false if the
// lobby closes before. The lobby is not locked.
func (l *Lobby) touch() bool {
	for cut := l.node.Healthy() != nil; cut; {
		cut = l.node.Healthy() != nil
		select {
		case <-time.After(2 * cluster.BeatEvery):
		case <-l.ctx.Done():
			return false
		}
	}
	return true
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
		r, err := l.recorded(ctx, g.id)
		if err == nil && r.ID != "" {
			err = l.void(ctx, r)
		}
		if err != nil {
			return err
		}
	}
	l.endedHere(g)
	return nil
}

// recorded is a running match as the store has it; without an ID if it has none.
func (l *Lobby) recorded(ctx context.Context, id string) (store.Running, error) {
	all, err := l.cfg.Store.Running(ctx)
	for _, r := range all {
		if r.ID == id {
			return r, err
		}
	}
	return store.Running{}, err
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
