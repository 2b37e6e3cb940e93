package tournament

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"broadside/lobby/account"
)

// belongsTo reports whether the entrant is the player or one of the player's programs.
func (e Entrant) belongsTo(p account.Player) bool {
	return p.Account != "" && (e.ID == p.Account || e.Owner == p.Account)
}

// Join adds an entrant to the tournament with a code. Players can enter themselves and their
// programs. The tournament's owner can also enter built-in bots. Joining twice is not an error.
func (m *Manager) Join(ctx context.Context, code string, by account.Player, e Entrant) (*Tournament, error) {
	return m.change(ctx, code, func(t *Tournament) error {
		switch {
		case t.EntrantIndex(e.ID) >= 0:
			return nil
		case t.Phase == Over:
			return ErrOver
		case t.Phase != Joining:
			return errStarted
		case e.Kind == account.Bot && !t.isOwnedBy(by):
			return errOwner
		case e.Kind != account.Bot && !e.belongsTo(by):
			return errAccount
		case len(t.Entrants) >= maxEntrants || t.Format == RoundRobin && len(t.Entrants) >= MaxRoundRobin:
			return errFull
		case e.Kind != account.Bot && m.countCurrentLocked(func(o *Tournament) bool { return o.EntrantIndex(e.ID) >= 0 }) >= maxJoined:
			return errJoined
		}
		t.Entrants = append(t.Entrants, e)
		return nil
	})
}

// Leave withdraws the entrant with an ID. That player, a program's owner and the tournament's owner
// may do so. After the start, the entrant loses its later matches.
func (m *Manager) Leave(ctx context.Context, code string, by account.Player, id string) (*Tournament, error) {
	left, err := m.change(ctx, code, func(t *Tournament) error {
		i := t.EntrantIndex(id)
		switch {
		case i < 0:
			return errNoEntrant
		case !t.Entrants[i].belongsTo(by) && !t.isOwnedBy(by):
			return errOwner
		case t.Phase == Over:
			return ErrOver
		}
		t.withdrawEntrant(i)
		return nil
	})
	if err != nil {
		return left, err
	}
	m.cfg.Lobby.ReleaseOffers(code, id)
	return left, nil
}

// Start starts a tournament, or continues it after [Manager.Pause], on behalf of its owner.
func (m *Manager) Start(ctx context.Context, code string, by account.Player) (*Tournament, error) {
	return m.changeAsOwner(ctx, code, by, func(t *Tournament, now time.Time) error {
		if t.Phase == Running {
			return nil
		}
		if t.Phase == Paused {
			t.Phase = Running
			t.restartWaits(now)
			return nil
		}
		if len(t.Entrants) < 2 {
			return errTwo
		}
		t.startFirstRound(now)
		return nil
	})
}

// Pause lets no further matches of a tournament start, on behalf of its owner. Running matches
// continue.
func (m *Manager) Pause(ctx context.Context, code string, by account.Player) (*Tournament, error) {
	return m.changeAsOwner(ctx, code, by, func(t *Tournament, _ time.Time) error {
		if t.Phase == Running {
			t.Phase = Paused
		}
		return nil
	})
}

// End ends a tournament on behalf of its owner. Its table remains.
func (m *Manager) End(ctx context.Context, code string, by account.Player) (*Tournament, error) {
	return m.changeAsOwner(ctx, code, by, func(t *Tournament, _ time.Time) error {
		t.Phase = Over
		return nil
	})
}

// changeAsOwner changes a tournament on its owner's behalf. It returns errOwner if by is not the owner, and
// ErrOver if the tournament is over.
func (m *Manager) changeAsOwner(
	ctx context.Context, code string, by account.Player, do func(t *Tournament, now time.Time) error,
) (*Tournament, error) {
	now := time.Now()
	return m.change(ctx, code, func(t *Tournament) error {
		switch {
		case !t.isOwnedBy(by):
			return errOwner
		case t.Phase == Over:
			return ErrOver
		}
		return do(t, now)
	})
}

// change stores a change of the tournament with a code before it takes effect. If the change cannot
// be stored, nothing changes. do runs with mu locked.
func (m *Manager) change(ctx context.Context, code string, do func(*Tournament) error) (*Tournament, error) {
	m.saving.Lock()
	defer m.saving.Unlock()
	m.mu.Lock()
	t := m.all[code]
	if t == nil {
		m.mu.Unlock()
		if _, err := m.findByCode(ctx, code); err != nil {
			return nil, err
		}
		return nil, ErrOver
	}
	next := t.clone()
	err := do(next)
	m.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if err := m.save(ctx, next); err != nil {
		return nil, account.ErrStore
	}
	m.mu.Lock()
	m.all[code] = next
	copied := next.clone()
	m.mu.Unlock()
	if copied.Phase == Over {
		m.cfg.Lobby.ReleaseOffers(code, "")
	}
	m.cfg.Lobby.NotifyChange()
	return copied, nil
}

// save stores a copy of a tournament. The caller must hold saving. It continues after ctx ends,
// because a change counts even if the player has left.
func (m *Manager) save(ctx context.Context, t *Tournament) error {
	data, err := json.Marshal(t)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
		defer cancel()
		err = m.cfg.Store.Tournaments.Save(ctx, t.Code, t.Owner, t.Created, t.Phase == Over, data)
	}
	if err != nil {
		m.cfg.Log.Error("a tournament cannot be stored", "tournament", t.Name, "error", err)
		return err
	}
	delete(m.dirty, t.Code)
	if t.Phase == Over {
		m.keepFinished(t.Code)
	}
	return nil
}

// keepFinished keeps a tournament that is over in memory. If there are more than maxFinishedKept, it
// drops the oldest one without a running match.
func (m *Manager) keepFinished(code string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if slices.Contains(m.finished, code) {
		return
	}
	m.finished = append(m.finished, code)
	if len(m.finished) <= maxFinishedKept {
		return
	}
	i := slices.IndexFunc(m.finished, func(code string) bool {
		return !slices.ContainsFunc(m.all[code].Games, func(g Game) bool { return g.isPlaying() })
	})
	if i >= 0 {
		delete(m.all, m.finished[i])
		m.finished = slices.Delete(m.finished, i, i+1)
	}
}
