package tournament

import (
	"context"
	"time"

	"broadside/match"
)

// tick is how often the tournaments are advanced.
const tick = time.Second / 2

// run advances the tournaments until ctx ends.
func (ts *Manager) run(ctx context.Context) {
	clock := time.NewTicker(tick)
	defer clock.Stop()
	for {
		ts.runStep(ctx)
		select {
		case <-clock.C:
		case <-ctx.Done():
			return // Resume finds the results of matches that have just ended
		}
	}
}

// runStep records the ends of matches, starts matches, decides games whose players are absent, starts
// tournaments that are due, opens rounds, and stores what has changed.
func (ts *Manager) runStep(ctx context.Context) {
	ts.saving.Lock()
	defer ts.saving.Unlock()
	now := time.Now()
	ts.recordMatchEnds(now)
	changed := false
	for _, p := range ts.listPlayable(now) {
		changed = ts.tryStart(p, now) || changed
	}
	ts.openRounds(now)
	changed = changed || len(ts.dirty) > 0
	ts.saveChanges(ctx)
	if changed {
		ts.cfg.Lobby.NotifyChange()
	}
}

// recordMatchEnds records the results of matches. It requires saving.
func (ts *Manager) recordMatchEnds(now time.Time) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, r := range ts.ended {
		at, ok := ts.games[r.match]
		if !ok {
			continue
		}
		delete(ts.games, r.match)
		ts.all[at.code].Games[at.index].recordMatchEnd(r.winner, r.mustRepeat, now)
		ts.dirty[at.code] = true
	}
	ts.ended = nil
}

// openRounds starts tournaments that are due and opens rounds. It requires saving.
func (ts *Manager) openRounds(now time.Time) {
	var over []string
	ts.mu.Lock()
	for code, t := range ts.all {
		if t.Phase == Over {
			continue
		}
		if t.startIfDue(now) || t.openNextRounds(now) {
			ts.dirty[code] = true
		}
		if t.Phase == Over {
			over = append(over, code)
		}
	}
	ts.mu.Unlock()
	for _, code := range over {
		ts.cfg.Lobby.ReleaseOffers(code, "")
	}
}

// saveChanges stores all changes, until one cannot be stored. It requires saving.
func (ts *Manager) saveChanges(ctx context.Context) {
	for code := range ts.dirty {
		ts.mu.Lock()
		t := ts.all[code].clone()
		ts.mu.Unlock()
		if ts.save(ctx, t) != nil { // already logged
			return
		}
	}
}

// startIfDue starts a tournament whose time has come. Without enough entrants, it is over. It reports
// whether the tournament has changed.
func (t *Tournament) startIfDue(now time.Time) bool {
	starts := t.Starts
	if starts.IsZero() {
		starts = t.Created.Add(maxOpen)
	}
	switch {
	case t.Phase != Joining || now.Before(starts):
		return false
	case t.Starts.IsZero() || len(t.Entrants) < 2:
		t.Phase = Over
	default:
		t.startFirstRound(now)
	}
	return true
}

// playable is a game that can start.
type playable struct {
	gameRef
	pairing Pairing
}

// listPlayable returns the games that can start.
func (ts *Manager) listPlayable(now time.Time) (all []playable) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for code, t := range ts.all {
		if t.Phase != Running {
			continue
		}
		for i := range t.Games {
			g := &t.Games[i]
			if g.isWaiting() && !g.Opens.After(now) {
				pair := [2]Entrant{t.Entrants[g.First], t.Entrants[g.Second]}
				all = append(all, playable{gameRef{code, i}, Pairing{code, pair, t.Rules, t.RatingMode}})
			}
		}
	}
	return all
}

// tryStart starts a game if both players can play. Once the game has waited long enough, absent
// players lose it. It reports whether a player has come or gone. It requires saving.
func (ts *Manager) tryStart(p playable, now time.Time) (changed bool) {
	id, present := ts.cfg.Lobby.StartMatch(p.pairing)
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.all[p.code]
	g := &t.Games[p.index]
	for side, i := range []int{g.First, g.Second} {
		changed = changed || t.Entrants[i].Present != present[side]
		t.Entrants[i].Present = present[side]
	}
	switch {
	case id != "":
		g.Match = id
		ts.games[id] = p.gameRef
		ts.dirty[p.code] = true
	case !now.Before(g.Opens.Add(t.Grace)) && present != [2]bool{true, true}:
		g.forfeit(present[match.First], present[match.Second])
		ts.dirty[p.code] = true
	}
	return changed
}
