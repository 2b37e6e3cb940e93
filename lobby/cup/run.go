package cup

import (
	"context"
	"maps"
	"slices"
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
			cs.saveAll(ctx)
			return
		}
	}
}

// step starts cups that are due, begins matches, decides games whose players are absent,
// opens rounds, and stores what has changed. It returns the time at which it must be called
// again.
func (cs *Cups) step(ctx context.Context) (next time.Time) {
	now := time.Now()
	changed := false
	for _, p := range cs.playable(now) {
		changed = cs.tryBegin(ctx, p, now) || changed
	}
	cs.mu.Lock()
	next = now.Add(idlePause)
	var over []string
	for code, c := range cs.all {
		if c.Phase == Over {
			continue
		}
		if c.start(now) || c.advance(now) {
			cs.dirty[c] = true
			cs.Wake() // to begin the matches of the round
		}
		if c.Phase == Over {
			over = append(over, code)
		}
		next = c.due(now, next)
	}
	unsaved := len(cs.dirty) > 0
	cs.mu.Unlock()
	for _, code := range over {
		cs.cfg.Release(code, "")
	}
	if unsaved && !cs.saveAll(ctx) {
		next = now.Add(retryPause)
	}
	if unsaved || changed {
		cs.cfg.Changed()
	}
	return next
}

// saveAll stores all changes. It stops and returns false if one cannot be stored.
func (cs *Cups) saveAll(ctx context.Context) bool {
	cs.mu.Lock()
	dirty := slices.Collect(maps.Keys(cs.dirty))
	cs.mu.Unlock()
	for _, c := range dirty {
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
			if g := &c.Games[i]; g.Ending == Undecided && g.Match == "" {
				earlier(g.Opens)
				earlier(g.Opens.Add(c.Grace))
			}
		}
	}
	return next
}

// playable is a game that can begin.
type playable struct {
	reference
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
			if g.Ending == Undecided && g.Match == "" && !g.Opens.After(now) {
				pair := [2]Entrant{c.Entrants[g.First], c.Entrants[g.Second]}
				all = append(all, playable{reference{c, i}, Pairing{code, pair, c.Rules, c.Stakes}})
			}
		}
	}
	return all
}

// tryBegin begins a game if both players can play. Once the game has waited long enough,
// absent players lose it. It reports whether a player has come or gone.
func (cs *Cups) tryBegin(ctx context.Context, p playable, now time.Time) (changed bool) {
	here := cs.cfg.Begin(ctx, p.pairing, func(id string) { cs.begun(p.reference, id) })
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c := p.cup
	g := &c.Games[p.index]
	for side, i := range []int{g.First, g.Second} {
		changed = changed || c.Entrants[i].Here != here[side]
		c.Entrants[i].Here = here[side]
	}
	late := !now.Before(g.Opens.Add(c.Grace)) && here != [2]bool{true, true}
	if late && c.Phase == Running && g.Ending == Undecided && g.Match == "" {
		g.byDefault(here[match.First], here[match.Second])
		cs.dirty[c] = true
	}
	return changed
}

// begun records the match of a game.
func (cs *Cups) begun(ref reference, id string) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if g := &ref.cup.Games[ref.index]; g.Ending == Undecided {
		g.Match = id
		cs.games[id] = &ref
		cs.dirty[ref.cup] = true
	}
}
