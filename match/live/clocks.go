package live

import (
	"time"

	"broadside/match"
)

// clocks holds the deadlines of a match. It belongs to the referee.
type clocks struct {
	cfg    *Config
	acting [2]bool      // the match waits for this side
	since  [2]time.Time // start of the wait, while acting
	phase  match.Phase
	gone   [2]bool
	held   [2]bool          // the turn clock waits for the player to confirm
	came   [2]bool          // the player has attached at least once
	late   [2]bool          // away for longer than its grace period, so the other side may claim the win
	spent  [2]time.Duration // absence used before the clock last started
	// If ships move, a turn has time for a move and time for a shot.
	long     [2]bool          // the turn started with an enemy shot
	deciding [2]bool          // the side may still move
	used     [2]time.Duration // time taken for earlier commands, while acting
	fired    [2]int           // number of shots
	left     [2]time.Time     // start of the absence clock; zero while it is stopped
}

// expiry identifies the clock that has run out for a side.
type expiry uint8

const (
	none      expiry = iota
	placeTime        // for placing
	sailTime         // for a move
	turnTime         // for a shot
	overTime         // for a shot of a seat that confirms; nothing happens automatically
	moveTime         // for one command or all commands of a seat that loses without them
	graceTime        // for absence
)

func newClocks(cfg *Config, now time.Time) clocks {
	return clocks{cfg: cfg, acting: [2]bool{true, true}, since: [2]time.Time{now, now}}
}

// follow starts and stops the clocks after a change of the game. A side that has sailed
// continues its turn.
func (k *clocks) follow(g *match.Game, now time.Time, sailed bool) {
	if k.cfg.Rules.Moving {
		for side := match.First; side <= match.Second; side++ {
			k.deciding[side] = g.CanMove(side)
			k.long[side] = g.ShotsFired(side.Other()) > 0
		}
	}
	if sailed {
		return
	}
	k.fired = [2]int{g.ShotsFired(match.First), g.ShotsFired(match.Second)}
	acting := [2]bool{}
	switch g.Phase() {
	case match.Placing:
		acting = [2]bool{!g.IsReady(match.First), !g.IsReady(match.Second)}
	case match.Battle:
		acting[g.ActingSide()] = true
	}
	for side := range acting {
		// After a shot, the same side may have to act again, in a new turn.
		renewed := acting[side] && (!k.acting[side] || k.phase != g.Phase() || g.Phase() == match.Battle)
		if k.acting[side] && (renewed || !acting[side]) {
			k.used[side] += now.Sub(k.since[side])
		}
		if renewed {
			k.since[side] = now
			k.held[side] = k.cfg.Seats[side].Confirms && (!k.acting[side] || k.phase == match.Placing)
		}
		k.acting[side] = acting[side]
		k.absence(match.Side(side), now)
	}
	k.phase = g.Phase()
}

// absence runs the absence clock of a side while the side is away and the match waits for
// it. For a seat without Grace, which must return after an interruption, the clock also runs
// in the other side's turn, so that both absences count at the same time.
func (k *clocks) absence(side match.Side, now time.Time) {
	running := k.gone[side] && (k.acting[side] || k.cfg.Seats[side].Grace <= 0)
	switch {
	case running && k.left[side].IsZero():
		k.left[side] = now
	case !running && !k.left[side].IsZero():
		k.spent[side] += now.Sub(k.left[side])
		k.left[side] = time.Time{}
	}
}

func (k *clocks) away(side match.Side, now time.Time) {
	k.gone[side] = true
	k.absence(side, now)
}

func (k *clocks) present(side match.Side) {
	k.gone[side], k.late[side], k.spent[side], k.left[side] = false, false, 0, time.Time{}
	k.came[side] = true
}

// grace returns how long a side may be away.
func (k *clocks) grace(side match.Side) time.Duration {
	cfg := &k.cfg.Seats[side]
	if k.came[side] {
		return cfg.Grace
	}
	return max(cfg.Grace, cfg.Return)
}

// deadlines calls yield for each running clock of a side.
func (k *clocks) deadlines(side match.Side, yield func(expiry, time.Time)) {
	if !k.acting[side] || k.phase == match.Over {
		return
	}
	cfg := &k.cfg.Seats[side]
	if k.phase == match.Placing && cfg.PlaceTimeout > 0 {
		yield(placeTime, k.since[side].Add(cfg.PlaceTimeout))
	}
	if k.phase == match.Battle {
		if cfg.Clocked && k.cfg.Rules.Clock > 0 && !k.held[side] {
			end := k.since[side].Add(k.cfg.Rules.Clock)
			if k.deciding[side] {
				yield(sailTime, end)
			}
			if k.long[side] {
				end = end.Add(k.cfg.Rules.Clock)
			}
			if cfg.Confirms {
				yield(overTime, end)
			} else {
				yield(turnTime, end)
			}
		}
	}
	t := cfg.MoveTimeout
	if t > 0 {
		yield(moveTime, k.since[side].Add(t))
	}
	if cfg.TotalTime > 0 {
		left := cfg.TotalTime + time.Duration(k.fired[side])*cfg.ShotTime - k.used[side]
		yield(moveTime, k.since[side].Add(left))
	}
	at := k.left[side]
	if !at.IsZero() && !k.late[side] {
		yield(graceTime, at.Add(k.grace(side)-k.spent[side]))
	}
}

// next returns the earliest deadline, or zero if no clock runs.
func (k *clocks) next() time.Time {
	var next time.Time
	for side := match.First; side <= match.Second; side++ {
		k.deadlines(side, func(e expiry, at time.Time) {
			if e != overTime && (next.IsZero() || at.Before(next)) {
				next = at
			}
		})
	}
	return next
}

// expired returns a clock of the side that has run out. Absence has priority, so that a
// player who has left loses although the turn clock could fire for them.
func (k *clocks) expired(side match.Side, now time.Time) expiry {
	out := none
	k.deadlines(side, func(e expiry, at time.Time) {
		if e != overTime && !at.After(now) {
			out = e
		}
	})
	return out
}

// shift moves all deadlines by d after the clocks were stopped.
func (k *clocks) shift(d time.Duration) {
	for side := range k.since {
		k.since[side] = k.since[side].Add(d)
		if !k.left[side].IsZero() {
			k.left[side] = k.left[side].Add(d)
		}
	}
}

// confirm starts the turn clock of a side if it is held, and reports whether it was.
func (k *clocks) confirm(side match.Side, now time.Time) bool {
	if !k.held[side] || !k.acting[side] {
		return false
	}
	k.held[side], k.since[side] = false, now
	return true
}

// over reports whether the turn clock of a side that confirms has run out.
func (k *clocks) over(side match.Side, now time.Time) (over bool) {
	k.deadlines(side, func(e expiry, at time.Time) {
		over = over || e == overTime && !at.After(now)
	})
	return over
}

// show adds the running clocks to an update whose view is set.
func (k *clocks) show(u *Update) {
	u.Deadline, u.Away, u.AwayUntil, u.Late = time.Time{}, k.gone, [2]time.Time{}, k.late
	for side := match.First; side <= match.Second; side++ {
		k.deadlines(side, func(e expiry, at time.Time) {
			switch {
			case e == graceTime:
				u.AwayUntil[side] = at
			case e == moveTime:
			case e == sailTime && side != u.View.Viewer: // it would reveal whether a ship moved
			case e == placeTime && side != u.View.Viewer && u.View.Viewer != match.Nobody:
			case u.Deadline.IsZero() || at.Before(u.Deadline):
				u.Deadline = at
			}
		})
	}
}
