package tournament

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"broadside/lobby/account"
)

// belongsTo reports whether the entrant is the player or a program of the player.
func (e Entrant) belongsTo(p account.Player) bool {
	return p.Account != "" && (e.ID == p.Account || e.Owner == p.Account)
}

// Join adds an entrant to the tournament with a code. Players can enter themselves and their
// programs; the owner of the tournament can also enter built-in bots. Joining twice is not an
// error.
func (ts *Manager) Join(ctx context.Context, code string, by account.Player, e Entrant) (*Tournament, error) {
	return ts.change(ctx, code, func(t *Tournament) error {
		switch {
		case t.EntrantIndex(e.ID) >= 0:
			return nil
		case t.Phase == Over:
			return ErrOver
		case t.Phase != Joining:
			return errStarted
		case e.Kind == account.Bot && by.Account != t.Owner:
			return errOwner
		case e.Kind != account.Bot && !e.belongsTo(by):
			return errAccount
		case len(t.Entrants) >= maxEntrants || t.Format == RoundRobin && len(t.Entrants) >= MaxRoundRobin:
			return errFull
		case e.Kind != account.Bot && ts.countCurrentLocked(func(o *Tournament) bool { return o.EntrantIndex(e.ID) >= 0 }) >= maxJoined:
			return errJoined
		}
		t.Entrants = append(t.Entrants, e)
		return nil
	})
}

// Leave withdraws the entrant with an ID, on behalf of that player, of the program's
// owner, or of the owner of the tournament. After the start, the entrant loses its later matches.
func (ts *Manager) Leave(ctx context.Context, code string, by account.Player, id string) (*Tournament, error) {
	left, err := ts.change(ctx, code, func(t *Tournament) error {
		i := t.EntrantIndex(id)
		switch {
		case i < 0:
			return errNoEntrant
		case !t.Entrants[i].belongsTo(by) && t.Owner != by.Account:
			return errOwner
		case t.Phase == Over:
			return ErrOver
		}
		t.withdrawEntrant(i)
		return nil
	})
	if err == nil {
		ts.cfg.Lobby.ReleaseOffers(code, id)
	}
	return left, err
}

// Start starts a tournament, or continues it after [Manager.Pause], on behalf of its owner.
func (ts *Manager) Start(ctx context.Context, code string, by account.Player) (*Tournament, error) {
	return ts.changeAsOwner(ctx, code, by, func(t *Tournament, now time.Time) error {
		switch {
		case t.Phase == Paused:
			t.Phase = Running
			t.restartWaits(now)
		case t.Phase == Running:
		case len(t.Entrants) < 2:
			return errTwo
		default:
			t.startFirstRound(now)
		}
		return nil
	})
}

// Pause prevents further matches of a tournament from starting, on behalf of its owner. Running
// matches continue.
func (ts *Manager) Pause(ctx context.Context, code string, by account.Player) (*Tournament, error) {
	return ts.changeAsOwner(ctx, code, by, func(t *Tournament, _ time.Time) error {
		if t.Phase == Running {
			t.Phase = Paused
		}
		return nil
	})
}

// End ends a tournament on behalf of its owner. Its table remains.
func (ts *Manager) End(ctx context.Context, code string, by account.Player) (*Tournament, error) {
	return ts.changeAsOwner(ctx, code, by, func(t *Tournament, _ time.Time) error {
		t.Phase = Over
		return nil
	})
}

// changeAsOwner changes a tournament that is not over on behalf of its owner.
func (ts *Manager) changeAsOwner(
	ctx context.Context, code string, by account.Player, do func(t *Tournament, now time.Time) error,
) (*Tournament, error) {
	now := time.Now()
	return ts.change(ctx, code, func(t *Tournament) error {
		switch {
		case t.Owner != by.Account:
			return errOwner
		case t.Phase == Over:
			return ErrOver
		}
		return do(t, now)
	})
}

// change stores a change of the tournament with a code, and then makes it. If it cannot be stored, nothing
// changes. do requires mu.
func (ts *Manager) change(ctx context.Context, code string, do func(*Tournament) error) (*Tournament, error) {
	ts.saving.Lock()
	defer ts.saving.Unlock()
	ts.mu.Lock()
	t := ts.all[code]
	if t == nil {
		ts.mu.Unlock()
		if _, err := ts.findByCode(ctx, code); err != nil {
			return nil, err
		}
		return nil, ErrOver
	}
	next := t.clone()
	err := do(next)
	ts.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if err := ts.save(ctx, next); err != nil {
		return nil, account.ErrStore
	}
	ts.mu.Lock()
	ts.all[code] = next
	copied := next.clone()
	ts.mu.Unlock()
	if copied.Phase == Over {
		ts.cfg.Lobby.ReleaseOffers(code, "")
	}
	ts.cfg.Lobby.NotifyChange()
	return copied, nil
}

// save stores a copy of a tournament. It requires saving, and continues after ctx ends: a change may be stored
// although its player has left.
func (ts *Manager) save(ctx context.Context, t *Tournament) error {
	data, err := json.Marshal(t)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
		defer cancel()
		err = ts.cfg.Store.Tournaments.Save(ctx, t.Code, t.Owner, t.Created, t.Phase == Over, data)
	}
	if err != nil {
		ts.cfg.Log.Error("a tournament cannot be stored", "tournament", t.Name, "error", err)
		return err
	}
	delete(ts.dirty, t.Code)
	if t.Phase == Over {
		ts.keepFinished(t.Code)
	}
	return nil
}

// keepFinished keeps a tournament that is over in memory, and forgets the oldest of more than maxFinishedKept, unless one of
// its matches is running.
func (ts *Manager) keepFinished(code string) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if slices.Contains(ts.finished, code) {
		return
	}
	ts.finished = append(ts.finished, code)
	if len(ts.finished) <= maxFinishedKept {
		return
	}
	i := slices.IndexFunc(ts.finished, func(code string) bool {
		return !slices.ContainsFunc(ts.all[code].Games, func(g Game) bool { return g.isPlaying() })
	})
	if i >= 0 {
		delete(ts.all, ts.finished[i])
		ts.finished = slices.Delete(ts.finished, i, i+1)
	}
}
