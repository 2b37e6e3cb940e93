package live

import (
	"time"

	"broadside/match"
)

// armTimer sets the timer to the next deadline, unless the clocks are stopped. It keeps a timer that fires too
// early: an occasional extra wake-up is cheaper than resetting it at every shot.
func (r *referee) armTimer() {
	if r.unsaved != nil || r.isOver() {
		return
	}
	next := r.clocks.nextDeadline()
	if next.IsZero() || !r.alarm.IsZero() && !next.Before(r.alarm) {
		return
	}
	r.alarm = next
	r.timer.Reset(time.Until(next))
}

// handleExpiry handles the clocks that have run out. While events are being saved, the clocks stand
// still.
func (r *referee) handleExpiry() {
	r.alarm = time.Time{}
	if r.saving || r.isOver() {
		return
	}
	now := time.Now()
	for side := match.First; side <= match.Second; side++ {
		var c match.Command
		switch r.clocks.expiredClock(side, now) {
		case placeClock:
			c = match.PlaceCommand(side, r.cfg.Rules.RandomLayout(r.cfg.Rand))
		case moveClock:
			c = match.MoveCommand(side, match.Stay)
			c.Auto = true
		case turnClock:
			c = r.randomShots(side)
		case commandClock:
			c = match.ForfeitCommand(side, match.Silent)
		case paceClock:
			c = match.ForfeitCommand(side, match.Silent)
			if r.clocks.acting[side.Other()] {
				// Neither player has placed a fleet.
				c = match.VoidCommand(match.Endless)
			}
		case absenceClock:
			if r.cfg.Interrupted && !r.hasReturned {
				c = match.VoidCommand(match.Closed)
				break
			}
			if r.cfg.Seats[side].Strict && r.clocks.hasAttached[side] {
				// A strict seat that has attached was not away because of the interruption.
				c = match.ForfeitCommand(side, match.Hangup)
				break
			}
			other := side.Other()
			if r.cfg.Seats[other].Claims && r.seats[other] != nil {
				r.clocks.isLate[side] = true
				r.publish(nil)
				continue
			}
			c = match.ForfeitCommand(side, match.Left)
		default:
			continue
		}
		r.applyForClock(side, c)
		// The game has changed, and with it the other clocks.
		return
	}
}

// fireIfExpired fires the shots of a seat that confirms, if its turn clock has run out.
func (r *referee) fireIfExpired(side match.Side) {
	if r.clocks.hasTurnExpired(side, time.Now()) {
		r.applyForClock(side, r.randomShots(side))
	}
}

// applyForClock carries out a command that a clock causes.
func (r *referee) applyForClock(side match.Side, c match.Command) {
	if err := r.apply(c); err != nil && !r.stopped {
		r.cfg.Log.Error("cannot carry out a clock's command", "match", r.cfg.ID, "side", side, "error", err)
		r.apply(match.VoidCommand(match.Closed))
	}
}

// randomShots returns the command that fires a side's remaining shots of the turn at random
// cells worth a shot.
func (r *referee) randomShots(side match.Side) match.Command {
	chart, turn := r.game.Chart(side), r.game.Turn()
	named := match.SetOf(turn.Targets...)
	cells := make([]match.Cell, 0, turn.ShotsLeft())
	for range turn.ShotsLeft() {
		cell := r.randomCell(&chart, named)
		named.Add(cell)
		cells = append(cells, cell)
	}
	c := match.FireCommand(side, cells...)
	c.Auto = true
	return c
}

// randomCell returns a random cell worth a shot that is not named yet. There may be none late in a
// match with salvos, or if results contradict the rules. Then it returns any other cell not named.
func (r *referee) randomCell(chart *match.Chart, named match.Set) match.Cell {
	board := r.cfg.Rules.Cells()
	for _, cells := range [...]match.Set{chart.OpenCells(), board.Minus(chart.Shots), board} {
		cells = cells.Minus(named)
		if !cells.IsEmpty() {
			return cells.Nth(r.cfg.Rand.IntN(cells.Len()))
		}
	}
	// This is not reached, because a turn has fewer shots than the board has cells.
	return match.Cell{}
}
