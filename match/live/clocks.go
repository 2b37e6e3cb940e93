package live

import (
	"time"

	"broadside/match"
)

// clocks holds a match's deadlines. It belongs to the referee.
type clocks struct {
	cfg *Config
	// acting marks the sides that the match waits for.
	acting [2]bool
	// since is when the match started to wait for each side.
	since  [2]time.Time
	phase  match.Phase
	isAway [2]bool
	// unconfirmed marks the sides whose turn clock waits for the player to confirm.
	unconfirmed [2]bool
	// hasAttached marks the sides whose player has attached at least once.
	hasAttached [2]bool
	// isLate marks the sides against which the other side may claim the win.
	isLate [2]bool
	// absenceUsed is each side's absence before its absence clock last started.
	absenceUsed [2]time.Duration
	// awaySince is when the absence clock started, or zero while it is stopped.
	awaySince [2]time.Time
	// timeUsed is the time that each side took for earlier commands.
	timeUsed [2]time.Duration
	// fired counts each side's shots.
	fired [2]int
	// If ships move, a turn has time for a move and time for a shot. The fields below are for these.
	// hasMoveTime marks the sides whose turn started after an enemy shot.
	hasMoveTime [2]bool
	// canMove marks the sides that may still move.
	canMove [2]bool
}

// clockKind is what a clock limits.
type clockKind uint8

const (
	noClock clockKind = iota
	// placeClock limits placing.
	placeClock
	// moveClock limits a move.
	moveClock
	// turnClock limits a turn's shots.
	turnClock
	// confirmedClock limits the shots of a seat that confirms. When it runs out, it fires none.
	confirmedClock
	// commandClock limits one command or all commands. When it runs out, the seat loses.
	commandClock
	// absenceClock limits absence.
	absenceClock
	// paceClock limits a turn of a correspondence match. When it runs out, the seat loses.
	paceClock
)

func newClocks(cfg *Config, now time.Time) clocks {
	return clocks{cfg: cfg, acting: [2]bool{true, true}, since: [2]time.Time{now, now}}
}

// update starts and stops the clocks after a change of the game. A side that has moved a ship
// continues its turn.
func (c *clocks) update(g *match.Game, now time.Time, moved bool) {
	if c.cfg.Rules.Moving {
		for side := match.First; side <= match.Second; side++ {
			c.canMove[side] = g.CanMove(side)
			c.hasMoveTime[side] = g.ShotsFired(side.Other()) > 0
		}
	}
	if moved {
		return
	}
	c.fired = [2]int{g.ShotsFired(match.First), g.ShotsFired(match.Second)}
	acting := actingSides(g)
	for side := range acting {
		// After a shot, the same side may have to act again, in a new turn.
		renewed := acting[side] && (!c.acting[side] || c.phase != g.Phase() || g.Phase() == match.Battle)
		if c.acting[side] && (renewed || !acting[side]) {
			c.timeUsed[side] += now.Sub(c.since[side])
		}
		if renewed {
			c.since[side] = now
			c.unconfirmed[side] = c.cfg.Seats[side].Confirms && (!c.acting[side] || c.phase == match.Placing)
		}
		c.acting[side] = acting[side]
		c.updateAbsence(match.Side(side), now)
	}
	c.phase = g.Phase()
}

// actingSides marks the sides that must act before a match can continue.
func actingSides(g *match.Game) (acting [2]bool) {
	switch g.Phase() {
	case match.Placing:
		acting = [2]bool{!g.IsReady(match.First), !g.IsReady(match.Second)}
	case match.Battle:
		acting[g.ActingSide()] = true
	}
	return acting
}

// updateAbsence runs a side's absence clock while the side is away and the match waits for
// it. A seat without Grace must return after an interruption. Its clock also runs in the other
// side's turn, so that both absences count at the same time.
func (c *clocks) updateAbsence(side match.Side, now time.Time) {
	running := c.isAway[side] && (c.acting[side] || c.cfg.Seats[side].Grace <= 0)
	switch {
	case running && c.awaySince[side].IsZero():
		c.awaySince[side] = now
	case !running && !c.awaySince[side].IsZero():
		c.absenceUsed[side] += now.Sub(c.awaySince[side])
		c.awaySince[side] = time.Time{}
	}
}

func (c *clocks) markAway(side match.Side, now time.Time) {
	c.isAway[side] = true
	c.updateAbsence(side, now)
}

func (c *clocks) markPresent(side match.Side) {
	c.isAway[side], c.isLate[side], c.absenceUsed[side], c.awaySince[side] = false, false, 0, time.Time{}
	c.hasAttached[side] = true
}

// allowedAbsence returns how long a side may be away.
func (c *clocks) allowedAbsence(side match.Side) time.Duration {
	cfg := &c.cfg.Seats[side]
	if c.hasAttached[side] {
		return cfg.Grace
	}
	return max(cfg.Grace, cfg.Return)
}

// eachDeadline calls yield with each running clock of a side and its deadline.
func (c *clocks) eachDeadline(side match.Side, yield func(clockKind, time.Time)) {
	if !c.acting[side] || c.phase == match.Over {
		return
	}
	if c.cfg.Pace > 0 {
		yield(paceClock, c.since[side].Add(c.cfg.Pace))
		return
	}
	cfg := &c.cfg.Seats[side]
	if c.phase == match.Placing && cfg.PlaceTimeout > 0 {
		yield(placeClock, c.since[side].Add(cfg.PlaceTimeout))
	}
	if c.phase == match.Battle {
		if cfg.Clocked && c.cfg.Rules.Clock > 0 && !c.unconfirmed[side] {
			end := c.since[side].Add(c.cfg.Rules.Clock)
			if c.canMove[side] {
				yield(moveClock, end)
			}
			if c.hasMoveTime[side] {
				end = end.Add(c.cfg.Rules.Clock)
			}
			if cfg.Confirms {
				yield(confirmedClock, end)
			} else {
				yield(turnClock, end)
			}
		}
	}
	t := cfg.MoveTimeout
	if t > 0 {
		yield(commandClock, c.since[side].Add(t))
	}
	if cfg.TotalTime > 0 {
		left := cfg.TotalTime + time.Duration(c.fired[side])*cfg.ShotTime - c.timeUsed[side]
		yield(commandClock, c.since[side].Add(left))
	}
	at := c.awaySince[side]
	if !at.IsZero() && !c.isLate[side] {
		yield(absenceClock, at.Add(c.allowedAbsence(side)-c.absenceUsed[side]))
	}
}

// nextDeadline returns the earliest deadline, or zero if no clock runs.
func (c *clocks) nextDeadline() time.Time {
	var next time.Time
	for side := match.First; side <= match.Second; side++ {
		c.eachDeadline(side, func(e clockKind, at time.Time) {
			if e != confirmedClock && (next.IsZero() || at.Before(next)) {
				next = at
			}
		})
	}
	return next
}

// expiredClock returns a side's clock that has run out. The absence clock has priority, so that a
// player who has left loses, although the turn clock could fire.
func (c *clocks) expiredClock(side match.Side, now time.Time) clockKind {
	out := noClock
	c.eachDeadline(side, func(e clockKind, at time.Time) {
		if e != confirmedClock && !at.After(now) {
			out = e
		}
	})
	return out
}

// shiftDeadlines moves all deadlines by d after the clocks were stopped.
func (c *clocks) shiftDeadlines(d time.Duration) {
	for side := range c.since {
		c.since[side] = c.since[side].Add(d)
		if !c.awaySince[side].IsZero() {
			c.awaySince[side] = c.awaySince[side].Add(d)
		}
	}
}

// startHeldClock starts a side's turn clock if it waits for the player to confirm, and reports
// whether it did.
func (c *clocks) startHeldClock(side match.Side, now time.Time) bool {
	if !c.unconfirmed[side] || !c.acting[side] {
		return false
	}
	c.unconfirmed[side], c.since[side] = false, now
	return true
}

// hasTurnExpired reports whether the turn clock of a side that confirms has run out.
func (c *clocks) hasTurnExpired(side match.Side, now time.Time) (over bool) {
	c.eachDeadline(side, func(e clockKind, at time.Time) {
		over = over || e == confirmedClock && !at.After(now)
	})
	return over
}

// addToUpdate sets the deadlines of an update whose view is set.
func (c *clocks) addToUpdate(u *Update) {
	u.Deadline, u.Away, u.AwayUntil, u.Late = time.Time{}, c.isAway, [2]time.Time{}, c.isLate
	for side := match.First; side <= match.Second; side++ {
		c.eachDeadline(side, func(e clockKind, at time.Time) {
			if e == absenceClock {
				u.AwayUntil[side] = at
				return
			}
			if isClockVisible(e, side, u.View.Viewer) && (u.Deadline.IsZero() || at.Before(u.Deadline)) {
				u.Deadline = at
			}
		})
	}
}

// isClockVisible reports whether a viewer may see a side's clock.
func isClockVisible(e clockKind, side, viewer match.Side) bool {
	switch e {
	case commandClock:
		return false
	case moveClock:
		// The opponent's clock would reveal whether a ship moved.
		return side == viewer
	case placeClock:
		return side == viewer || viewer == match.Nobody
	default:
		return true
	}
}
