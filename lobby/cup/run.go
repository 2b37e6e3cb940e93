package cup

import (
	"context"
	"time"

	"broadside/match"
)

const (
	// runPause combines the changes of the lobby that wake the goroutine.
	runPause = 100 * time.Millisecond
	// retryPause is the pause before a cup is stored again.
	retryPause = time.Second
	// idlePause is how often the goroutine runs without another reason.
	idlePause = time.Hour
)

// run advances the cups until ctx ends.
func (cs *Cups) run(ctx context.Context) {
	for {
		next := time.NewTimer(time.Until(cs.step(ctx)))
		select {
		case <-cs.wake:
			next.Reset(runPause)
			select {
			case <-next.C:
			case <-ctx.Done():
			}
		case <-next.C:
		case <-ctx.Done():
		}
		next.Stop()
		if ctx.Err() != nil {
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
// cups that are due, opens rounds, and stores what has changed. It returns the time at which it must
// be called again.
func (cs *Cups) step(ctx context.Context) (next time.Time) {
	cs.saving.Lock()
	defer cs.saving.Unlock()
	now := time.Now()
	cs.recordEnds(now)
	changed := false
	for _, p := range cs.playable(now) {
		changed = cs.tryBegin(p, now) || changed
	}
	next = cs.advance(now)
	unsaved := len(cs.dirty) > 0
	if !cs.saveAll(ctx) {
		next = now.Add(retryPause)
	}
	if unsaved || changed {
		cs.cfg.Lobby.Changed()
	}
	return next
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

// advance starts cups that are due and opens rounds. It returns the time at which the next cup is due.
// It requires saving.
func (cs *Cups) advance(now time.Time) (next time.Time) {
	next = now.Add(idlePause)
	var over []string
	cs.mu.Lock()
	for code, c := range cs.all {
		if c.Phase == Over {
			continue
		}
		if c.start(now) || c.advance(now) {
			cs.dirty[code] = true
			cs.Wake() // to begin the matches of the round
		}
		if c.Phase == Over {
			over = append(over, code)
		}
		next = c.due(now, next)
	}
	cs.mu.Unlock()
	for _, code := range over {
		cs.cfg.Lobby.Release(code, "")
	}
	return next
}

// saveAll stores all changes. It stops and returns false if one cannot be stored. It requires saving.
func (cs *Cups) saveAll(ctx context.Context) bool {
	for code := range cs.dirty {
		cs.mu.Lock()
		c := cs.all[code].clone()
		cs.mu.Unlock()
		if cs.save(ctx, c) != nil {
			return false
		}
	}
	return true
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

// due returns the earlier of next and the time at which the cup needs to be checked.
func (c *Cup) due(now, next time.Time) time.Time {
	earlier := func(t time.Time) {
		if t.After(now) && t.Before(next) {
			next = t
		}
	}
	if c.Phase == Joining {
		earlier(c.Starts)
	}
	if c.Phase == Running {
		for i := range c.Games {
			if g := &c.Games[i]; g.isWaiting() {
				earlier(g.Opens)
				earlier(g.Opens.Add(c.Grace))
			}
		}
	}
	return next
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
