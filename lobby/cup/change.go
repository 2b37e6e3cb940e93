package cup

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"broadside/lobby/account"
)

// of reports whether the entrant is the player or a program of the player.
func (e Entrant) of(p account.Player) bool {
	return p.Account != "" && (e.ID == p.Account || e.Owner == p.Account)
}

// Join adds an entrant to the cup with a code. Players can enter themselves and their
// programs; the owner of the cup can also enter built-in bots. Joining twice is not an
// error.
func (cs *Cups) Join(ctx context.Context, code string, by account.Player, e Entrant) (*Cup, error) {
	return cs.change(ctx, code, func(c *Cup) error {
		switch {
		case c.Index(e.ID) >= 0:
			return nil
		case c.Phase == Over:
			return ErrOver
		case c.Phase != Joining:
			return errBegun
		case e.Kind == account.Bot && by.Account != c.Owner:
			return errOwner
		case e.Kind != account.Bot && !e.of(by):
			return errAccount
		case len(c.Entrants) >= maxEntrants || c.Format == RoundRobin && len(c.Entrants) >= MaxRoundRobin:
			return errFull
		case e.Kind != account.Bot && cs.countLocked(func(other *Cup) bool { return other.Index(e.ID) >= 0 }) >= maxJoined:
			return errJoined
		}
		c.Entrants = append(c.Entrants, e)
		return nil
	})
}

// Leave withdraws the entrant with an ID, on behalf of that player, of the program's
// owner, or of the owner of the cup. After the start, the entrant loses its later matches.
func (cs *Cups) Leave(ctx context.Context, code string, by account.Player, id string) (*Cup, error) {
	left, err := cs.change(ctx, code, func(c *Cup) error {
		i := c.Index(id)
		switch {
		case i < 0:
			return errNoEntrant
		case !c.Entrants[i].of(by) && c.Owner != by.Account:
			return errOwner
		case c.Phase == Over:
			return ErrOver
		}
		c.leave(i)
		return nil
	})
	if err == nil {
		cs.cfg.Lobby.Release(code, id)
	}
	return left, err
}

// Start starts a cup, or continues it after [Cups.Pause], on behalf of its owner.
func (cs *Cups) Start(ctx context.Context, code string, by account.Player) (*Cup, error) {
	return cs.control(ctx, code, by, func(c *Cup, now time.Time) error {
		switch {
		case c.Phase == Paused:
			c.Phase = Running
			c.resume(now)
		case c.Phase == Running:
		case len(c.Entrants) < 2:
			return errTwo
		default:
			c.begin(now)
		}
		return nil
	})
}

// Pause prevents further matches of a cup from beginning, on behalf of its owner. Running
// matches continue.
func (cs *Cups) Pause(ctx context.Context, code string, by account.Player) (*Cup, error) {
	return cs.control(ctx, code, by, func(c *Cup, _ time.Time) error {
		if c.Phase == Running {
			c.Phase = Paused
		}
		return nil
	})
}

// End ends a cup on behalf of its owner. Its table remains.
func (cs *Cups) End(ctx context.Context, code string, by account.Player) (*Cup, error) {
	return cs.control(ctx, code, by, func(c *Cup, _ time.Time) error {
		c.Phase = Over
		return nil
	})
}

// control changes a cup that is not over on behalf of its owner.
func (cs *Cups) control(ctx context.Context, code string, by account.Player, do func(c *Cup, now time.Time) error) (*Cup, error) {
	now := time.Now()
	return cs.change(ctx, code, func(c *Cup) error {
		switch {
		case c.Owner != by.Account:
			return errOwner
		case c.Phase == Over:
			return ErrOver
		}
		return do(c, now)
	})
}

// change stores a change of the cup with a code, and then makes it. If it cannot be stored, nothing
// changes. do requires mu.
func (cs *Cups) change(ctx context.Context, code string, do func(*Cup) error) (*Cup, error) {
	cs.saving.Lock()
	defer cs.saving.Unlock()
	cs.mu.Lock()
	c := cs.all[code]
	if c == nil {
		cs.mu.Unlock()
		if _, err := cs.get(ctx, code); err != nil {
			return nil, err
		}
		return nil, ErrOver
	}
	next := c.clone()
	err := do(next)
	cs.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if err := cs.save(ctx, next); err != nil {
		return nil, account.ErrStore
	}
	cs.mu.Lock()
	cs.all[code] = next
	copied := next.clone()
	cs.mu.Unlock()
	if copied.Phase == Over {
		cs.cfg.Lobby.Release(code, "")
	}
	cs.cfg.Lobby.Changed()
	return copied, nil
}

// save stores a copy of a cup. It requires saving, and continues after ctx ends: a change may be stored
// although its player has left.
func (cs *Cups) save(ctx context.Context, c *Cup) error {
	data, err := json.Marshal(c)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
		defer cancel()
		err = cs.cfg.Store.Cups.Save(ctx, c.Code, c.Owner, c.Created, c.Phase == Over, data)
	}
	if err != nil {
		cs.cfg.Log.Error("a cup cannot be stored", "cup", c.Name, "error", err)
		return err
	}
	delete(cs.dirty, c.Code)
	if c.Phase == Over {
		cs.keep(c.Code)
	}
	return nil
}

// keep keeps a cup that is over in memory, and forgets the oldest of more than keptOver, unless one of
// its matches is running.
func (cs *Cups) keep(code string) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if slices.Contains(cs.over, code) {
		return
	}
	cs.over = append(cs.over, code)
	if len(cs.over) <= keptOver {
		return
	}
	i := slices.IndexFunc(cs.over, func(code string) bool {
		return !slices.ContainsFunc(cs.all[code].Games, func(g Game) bool { return g.isPlaying() })
	})
	if i >= 0 {
		delete(cs.all, cs.over[i])
		cs.over = slices.Delete(cs.over, i, i+1)
	}
}
