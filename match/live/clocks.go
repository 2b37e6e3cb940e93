package live

import (
	"time"

	"broadside/match"
)

// clocks holds the deadlines of a match. It belongs to the referee.
type clocks struct {
	cfg         *Config
	acting      [2]bool      // the match waits for this side
	since       [2]time.Time // start of the wait, while acting
	phase       match.Phase
	isAway      [2]bool
	unconfirmed [2]bool          // the turn clock waits for the player to confirm
	hasAttached [2]bool          // the player has attached at least once
	isLate      [2]bool          // away for longer than its grace period, so the other side may claim the win
	absenceUsed [2]time.Duration // absence used before the clock last started
	// If ships move, a turn has time for a move and time for a shot.
	hasMoveTime [2]bool          // the turn started with an enemy shot
	canMove     [2]bool          // the side may still move
	timeUsed    [2]time.Duration // time taken for earlier commands, while acting
	fired       [2]int           // number of shots
	awaySince   [2]time.Time     // start of the absence clock; zero while it is stopped
}

// clockKind identifies the clock that has run out for a side.
type clockKind uint8

const (
	noClock        clockKind = iota
	placeClock               // for placing
	moveClock                // for a move
	turnClock                // for a shot
	confirmedClock           // for a shot of a seat that confirms; nothing happens automatically
	commandClock             // for one command or all commands of a seat that loses without them
	absenceClock             // for absence
)

func newClocks(cfg *Config, now time.Time) clocks {
	return clocks{cfg: cfg, acting: [2]bool{true, true}, since: [2]time.Time{now, now}}
}

// update starts and stops the clocks after a change of the game. A side that has sailed
// continues its turn.
func (k *clocks) update(g *match.Game, now time.Time, sailed bool) {
	if k.cfg.Rules.Moving {
		for side := match.First; side <= match.Second; side++ {
			k.canMove[side] = g.CanMove(side)
			k.hasMoveTime[side] = g.ShotsFired(side.Other()) > 0
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
			k.timeUsed[side] += now.Sub(k.since[side])
		}
		if renewed {
			k.since[side] = now
			k.unconfirmed[side] = k.cfg.Seats[side].Confirms && (!k.acting[side] || k.phase == match.Placing)
		}
		k.acting[side] = acting[side]
		k.updateAbsence(match.Side(side), now)
	}
	k.phase = g.Phase()
}

// updateAbsence runs the absence clock of a side while the side is away and the match waits for
// it. For a seat without Grace, which must return after an interruption, the clock also runs
// in the other side's turn, so that both absences count at the same time.
func (k *clocks) updateAbsence(side match.Side, now time.Time) {
	running := k.isAway[side] && (k.acting[side] || k.cfg.Seats[side].Grace <= 0)
	switch {
	case running && k.awaySince[side].IsZero():
		k.awaySince[side] = now
	case !running && !k.awaySince[side].IsZero():
		k.absenceUsed[side] += now.Sub(k.awaySince[side])
		k.awaySince[side] = time.Time{}
	}
}

func (k *clocks) markAway(side match.Side, now time.Time) {
	k.isAway[side] = true
	k.updateAbsence(side, now)
}

func (k *clocks) markPresent(side match.Side) {
	k.isAway[side], k.isLate[side], k.absenceUsed[side], k.awaySince[side] = false, false, 0, time.Time{}
	k.hasAttached[side] = true
}

// allowedAbsence returns how long a side may be away.
func (k *clocks) allowedAbsence(side match.Side) time.Duration {
	cfg := &k.cfg.Seats[side]
	if k.hasAttached[side] {
		return cfg.Grace
	}
	return max(cfg.Grace, cfg.Return)
}

// eachDeadline calls yield for each running clock of a side.
func (k *clocks) eachDeadline(side match.Side, yield func(clockKind, time.Time)) {
	if !k.acting[side] || k.phase == match.Over {
		return
	}
	cfg := &k.cfg.Seats[side]
	if k.phase == match.Placing && cfg.PlaceTimeout > 0 {
		yield(placeClock, k.since[side].Add(cfg.PlaceTimeout))
	}
	if k.phase == match.Battle {
		if cfg.Clocked && k.cfg.Rules.Clock > 0 && !k.unconfirmed[side] {
			end := k.since[side].Add(k.cfg.Rules.Clock)
			if k.canMove[side] {
				yield(moveClock, end)
			}
			if k.hasMoveTime[side] {
				end = end.Add(k.cfg.Rules.Clock)
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
		yield(commandClock, k.since[side].Add(t))
	}
	if cfg.TotalTime > 0 {
		left := cfg.TotalTime + time.Duration(k.fired[side])*cfg.ShotTime - k.timeUsed[side]
		yield(commandClock, k.since[side].Add(left))
	}
	at := k.awaySince[side]
	if !at.IsZero() && !k.isLate[side] {
		yield(absenceClock, at.Add(k.allowedAbsence(side)-k.absenceUsed[side]))
	}
}

// nextDeadline returns the earliest deadline, or zero if no clock runs.
func (k *clocks) nextDeadline() time.Time {
	var next time.Time
	for side := match.First; side <= match.Second; side++ {
		k.eachDeadline(side, func(e clockKind, at time.Time) {
			if e != confirmedClock && (next.IsZero() || at.Before(next)) {
				next = at
			}
		})
	}
	return next
}

// expiredClock returns a clock of the side that has run out. Absence has priority, so that a
// player who has left loses although the turn clock could fire for them.
func (k *clocks) expiredClock(side match.Side, now time.Time) clockKind {
	out := noClock
	k.eachDeadline(side, func(e clockKind, at time.Time) {
		if e != confirmedClock && !at.After(now) {
			out = e
		}
	})
	return out
}

// shiftDeadlines moves all deadlines by d after the clocks were stopped.
func (k *clocks) shiftDeadlines(d time.Duration) {
	for side := range k.since {
		k.since[side] = k.since[side].Add(d)
		if !k.awaySince[side].IsZero() {
			k.awaySince[side] = k.awaySince[side].Add(d)
		}
	}
}

// confirmTurn starts the turn clock of a side if it is held, and reports whether it was.
func (k *clocks) confirmTurn(side match.Side, now time.Time) bool {
	if !k.unconfirmed[side] || !k.acting[side] {
		return false
	}
	k.unconfirmed[side], k.since[side] = false, now
	return true
}

// hasTurnExpired reports whether the turn clock of a side that confirms has run out.
func (k *clocks) hasTurnExpired(side match.Side, now time.Time) (over bool) {
	k.eachDeadline(side, func(e clockKind, at time.Time) {
		over = over || e == confirmedClock && !at.After(now)
	})
	return over
}

// addToUpdate adds the running clocks to an update whose view is set.
func (k *clocks) addToUpdate(u *Update) {
	u.Deadline, u.Away, u.AwayUntil, u.Late = time.Time{}, k.isAway, [2]time.Time{}, k.isLate
	for side := match.First; side <= match.Second; side++ {
		k.eachDeadline(side, func(e clockKind, at time.Time) {
			switch {
			case e == absenceClock:
				u.AwayUntil[side] = at
			case e == commandClock:
			case e == moveClock && side != u.View.Viewer: // it would reveal whether a ship moved
			case e == placeClock && side != u.View.Viewer && u.View.Viewer != match.Nobody:
			case u.Deadline.IsZero() || at.Before(u.Deadline):
				u.Deadline = at
			}
		})
	}
}
