package cup

import (
	"context"
	"time"

	"broadside/match"
)

// tick is how often the cups are advanced.
const tick = time.Second / 2

// run advances the cups until ctx ends.
func (cs *Cups) run(ctx context.Context) {
	clock := time.NewTicker(tick)
	defer clock.Stop()
	for {
		cs.step(ctx)
		select {
		case <-clock.C:
		case <-ctx.Done():
			cs.stop(ctx)
			return
		}
	}
}

// stop stores what has happened.
func (cs *Cups) stop(ctx context.Context) {
	cs.saving.Lock()
	defer cs.saving.Unlock()
	cs.recordEnds(time.Now())
	cs.saveAll(ctx)
}

// step records the ends of matches, begins matches, decides games whose players are absent, starts
// cups that are due, opens rounds, and stores what has changed.
func (cs *Cups) step(ctx context.Context) {
	cs.saving.Lock()
	defer cs.saving.Unlock()
	now := time.Now()
	cs.recordEnds(now)
	changed := false
	for _, p := range cs.playable(now) {
		changed = cs.tryBegin(p, now) || changed
	}
	cs.advance(now)
	changed = changed || len(cs.dirty) > 0
	cs.saveAll(ctx)
	if changed {
		cs.cfg.Lobby.Changed()
	}
}

// recordEnds records the results of matches. It requires saving.
func (cs *Cups) recordEnds(now time.Time) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, r := range cs.ended {
		at, ok := cs.games[r.match]
		if !ok {
			continue
		}
		delete(cs.games, r.match)
		cs.all[at.code].Games[at.index].ended(r.winner, r.again, now)
		cs.dirty[at.code] = true
	}
	cs.ended = nil
}

// advance starts cups that are due and opens rounds. It requires saving.
func (cs *Cups) advance(now time.Time) {
	var over []string
	cs.mu.Lock()
	for code, c := range cs.all {
		if c.Phase == Over {
			continue
		}
		if c.start(now) || c.advance(now) {
			cs.dirty[code] = true
		}
		if c.Phase == Over {
			over = append(over, code)
		}
	}
	cs.mu.Unlock()
	for _, code := range over {
		cs.cfg.Lobby.Release(code, "")
	}
}

// saveAll stores all changes, until one cannot be stored. It requires saving.
func (cs *Cups) saveAll(ctx context.Context) {
	for code := range cs.dirty {
		cs.mu.Lock()
		c := cs.all[code].clone()
		cs.mu.Unlock()
		if cs.save(ctx, c) != nil { // already logged
			return
		}
	}
}

// start starts a cup whose time has come. Without enough entrants, it is over. It reports
// whether the cup has changed.
func (c *Cup) start(now time.Time) bool {
	starts := c.Starts
	if starts.IsZero() {
		starts = c.Created.Add(maxOpen)
	}
	switch {
	case c.Phase != Joining || now.Before(starts):
		return false
	case c.Starts.IsZero() || len(c.Entrants) < 2:
		c.Phase = Over
	default:
		c.begin(now)
	}
	return true
}

// playable is a game that can begin.
type playable struct {
	place
	pairing Pairing
}

// playable returns the games that can begin.
func (cs *Cups) playable(now time.Time) (all []playable) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for code, c := range cs.all {
		if c.Phase != Running {
			continue
		}
		for i := range c.Games {
			g := &c.Games[i]
			if g.isWaiting() && !g.Opens.After(now) {
				pair := [2]Entrant{c.Entrants[g.First], c.Entrants[g.Second]}
				all = append(all, playable{place{code, i}, Pairing{code, pair, c.Rules, c.Stakes}})
			}
		}
	}
	return all
}

// tryBegin begins a game if both players can play. Once the game has waited long enough, absent
// players lose it. It reports whether a player has come or gone. It requires saving.
func (cs *Cups) tryBegin(p playable, now time.Time) (changed bool) {
	id, here := cs.cfg.Lobby.Begin(p.pairing)
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c := cs.all[p.code]
	g := &c.Games[p.index]
	for side, i := range []int{g.First, g.Second} {
		changed = changed || c.Entrants[i].Here != here[side]
		c.Entrants[i].Here = here[side]
	}
	switch {
	case id != "":
		g.Match = id
		cs.games[id] = p.place
		cs.dirty[p.code] = true
	case !now.Before(g.Opens.Add(c.Grace)) && here != [2]bool{true, true}:
		g.byDefault(here[match.First], here[match.Second])
		cs.dirty[p.code] = true
	}
	return changed
}
