package live

import (
	"time"

	"broadside/match"
)

// clocks holds a match's deadlines. It belongs to the referee.
type clocks struct {
	cfg         *Config
	acting      [2]bool      // whether the match waits for the side
	since       [2]time.Time // when the match started to wait for it
	phase       match.Phase
	isAway      [2]bool
	unconfirmed [2]bool          // whether the turn clock waits for the player to confirm
	hasAttached [2]bool          // whether the player has attached at least once
	isLate      [2]bool          // whether the other side may claim the win
	absenceUsed [2]time.Duration // the absence before the absence clock last started
	awaySince   [2]time.Time     // when the absence clock started, or zero while it is stopped
	timeUsed    [2]time.Duration // the time taken for earlier commands
	fired       [2]int           // the number of shots
	// If ships move, a turn has time for a move and time for a shot.
	hasMoveTime [2]bool // whether the turn started with an enemy shot
	canMove     [2]bool // whether the side may still move
}

// clockKind is what a clock limits.
type clockKind uint8

const (
	noClock        clockKind = iota
	placeClock               // limits placing
	moveClock                // limits a move
	turnClock                // limits the shots of a turn
	confirmedClock           // limits the shots of a seat that confirms, but fires none
	commandClock             // limits one command or all commands, and makes the seat lose
	absenceClock             // limits absence
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
	acting := [2]bool{}
	switch g.Phase() {
	case match.Placing:
		acting = [2]bool{!g.IsReady(match.First), !g.IsReady(match.Second)}
	case match.Battle:
		acting[g.ActingSide()] = true
	}
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

// updateAbsence runs a side's absence clock while the side is away and the match waits for
// it. For a seat without Grace, which must return after an interruption, the clock also runs
// in the other side's turn, so that both absences count at the same time.
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

// expiredClock returns a clock of the side that has run out. Absence has priority, so that a
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

// startHeldClock starts the turn clock of a side if it is held, and reports whether it was.
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
			if isClockShown(e, side, u.View.Viewer) && (u.Deadline.IsZero() || at.Before(u.Deadline)) {
				u.Deadline = at
			}
		})
	}
}

// isClockShown reports whether a viewer may see a side's clock. The clock of a move would reveal whether a ship moved.
func isClockShown(e clockKind, side, viewer match.Side) bool {
	switch e {
	case commandClock:
		return false
	case moveClock:
		return side == viewer
	case placeClock:
		return side == viewer || viewer == match.Nobody
	}
	return true
}
