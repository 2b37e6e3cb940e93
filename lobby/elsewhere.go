package lobby

import (
	"context"
	"encoding/json"
	"errors"
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
	Choice  Stakes
	Stakes  Stakes
	Room    bool `json:",omitempty"` // see [Seating.OwnsRoom]
	Logged  bool // what happens is in its log: another node can go on with it
}

func (g *game) played() played {
	return played{
		ID: g.id, Owner: g.owner, Homes: g.homes, Rules: g.rules, Players: g.players, Started: g.started,
		Codes: g.codes, Salts: g.salts, Rated: g.stakes.Rated(), Choice: g.choice, Stakes: g.stakes, Room: g.room, Logged: g.logged,
	}
}

// The lobby is locked for all that follows, unless it says otherwise.

// know takes in what the entry of a match says, at a revision; 0 if that is not
// known yet.
func (l *Lobby) know(p *played, rev uint64) *game {
	g := l.running[p.ID]
	if g == nil {
		g = &game{id: p.ID, rules: p.Rules, started: p.Started, choice: p.Choice, stakes: knownStakes(p.Rated, p.Stakes), room: p.Room, logged: p.Logged}
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
	l.failTakeovers(g)
	l.keepTable(g)
	l.spoken(&g.talk) // the players hear their spectators now
	l.direct()
	l.changed()
	l.checkIdle()
}
