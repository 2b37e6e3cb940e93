package tournament

import (
	"context"
	"time"

	"broadside/match"
)

// tick is the time between two calls of runStep.
const tick = time.Second / 2

// run calls runStep every tick until ctx ends.
func (m *Manager) run(ctx context.Context) {
	clock := time.NewTicker(tick)
	defer clock.Stop()
	for {
		m.runStep(ctx)
		select {
		case <-clock.C:
		case <-ctx.Done():
			// Resume will find the results of matches that have just ended.
			return
		}
	}
}

// runStep records the ends of matches, starts matches, decides games whose players are absent, starts
// tournaments that are due, opens rounds, and stores what has changed.
func (m *Manager) runStep(ctx context.Context) {
	m.saving.Lock()
	defer m.saving.Unlock()
	now := time.Now()
	m.recordMatchEnds(now)
	changed := false
	for _, p := range m.listPlayable(now) {
		changed = m.tryStart(p, now) || changed
	}
	m.openRounds(now)
	m.announceScheduled(ctx, now)
	changed = changed || len(m.dirty) > 0
	m.saveChanges(ctx)
	if changed {
		m.cfg.Lobby.NotifyChange()
	}
}

// recordMatchEnds records the results of matches. The caller must hold saving.
func (m *Manager) recordMatchEnds(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.ended {
		at, ok := m.games[r.match]
		if !ok {
			continue
		}
		delete(m.games, r.match)
		m.all[at.code].Games[at.index].recordMatchEnd(r.winner, r.mustRepeat, now)
		m.dirty[at.code] = true
	}
	m.ended = nil
}

// openRounds starts tournaments that are due and opens rounds. The caller must hold saving.
func (m *Manager) openRounds(now time.Time) {
	var over []string
	m.mu.Lock()
	for code, t := range m.all {
		if t.Phase == Over {
			continue
		}
		if t.startIfDue(now) || t.openNextRounds(now) {
			m.dirty[code] = true
		}
		if t.Phase == Over {
			over = append(over, code)
		}
	}
	m.mu.Unlock()
	for _, code := range over {
		m.cfg.Lobby.ReleaseOffers(code, "")
	}
}

// saveChanges stores all changes, until one cannot be stored. The caller must hold saving.
func (m *Manager) saveChanges(ctx context.Context) {
	for code := range m.dirty {
		m.mu.Lock()
		t := m.all[code].clone()
		m.mu.Unlock()
		// save has logged the error.
		if m.save(ctx, t) != nil {
			return
		}
	}
}

// startIfDue starts a tournament whose start time has passed, or ends it if it has too few
// entrants. It reports whether the tournament has changed.
func (t *Tournament) startIfDue(now time.Time) bool {
	starts := t.Starts
	if starts.IsZero() {
		starts = t.Created.Add(maxOpen)
	}
	switch {
	case t.Phase != Joining || now.Before(starts):
		return false
	case t.Starts.IsZero() || len(t.Entrants) < 2 || t.IsScheduled() && now.After(starts.Add(maxLate)):
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

func (m *Manager) listPlayable(now time.Time) (all []playable) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for code, t := range m.all {
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
// players lose it. It reports whether a player has come or gone. The caller must hold saving.
func (m *Manager) tryStart(p playable, now time.Time) (changed bool) {
	id, present := m.cfg.Lobby.StartMatch(p.pairing)
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.all[p.code]
	g := &t.Games[p.index]
	for side, i := range []int{g.First, g.Second} {
		changed = changed || t.Entrants[i].Present != present[side]
		t.Entrants[i].Present = present[side]
	}
	switch {
	case id != "":
		g.Match = id
		m.games[id] = p.gameRef
		m.dirty[p.code] = true
	case !now.Before(g.Opens.Add(t.Grace)) && present != [2]bool{true, true}:
		g.forfeit(present[match.First], present[match.Second])
		m.dirty[p.code] = true
	}
	return changed
}
