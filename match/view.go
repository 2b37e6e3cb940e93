package match

import (
	"slices"
	"time"
)

// Shot is a shot and its result. Number counts the side's shots from 1. It is 0 if the side
// has not fired yet.
type Shot struct {
	Cell   Cell
	Result Result
	Number int
}

// View is the part of a game that one side, or a spectator, may see. It contains nothing
// hidden from the viewer, so it can be passed to screens, bots and clients. It shares no
// mutable state.
type View struct {
	Rules Rules
	// Viewer is the side that sees the view, or Nobody for a spectator.
	Viewer Side
	Phase  Phase
	// Ready marks the sides whose fleets are placed or kept.
	Ready [2]bool
	// Kept marks the sides that report results themselves.
	Kept [2]bool
	// Turn is the side whose turn it is, in Battle.
	Turn Side
	// Shots is the number of shots in this turn.
	Shots int
	// Pending reports whether all shots are fired and wait for results.
	Pending bool
	// Targets has the cells named so far. The other side sees them only once all are named.
	Targets []Cell
	// Charts has what each side knows of the other's board.
	Charts [2]Chart
	// Last lists the shots of each side's last turn that have results, in order.
	Last [2][]Shot
	// Turns counts the turns in which each side has fired.
	Turns [2]int
	// Fleets has the viewer's fleet. After a match with a result, it has all fleets that the game holds.
	Fleets [2]Layout
	// Damage is the damage to the Fleets.
	Damage [2]Damage
	// CanMove reports whether the viewer may move a ship now.
	CanMove bool
	// Disputed marks the sides whose results cannot all be true.
	Disputed [2]bool
	// Winner is a finished match's winner, or Nobody.
	Winner Side
	// Reason is why the match ended.
	Reason Reason
	// Aborter is the side that aborted the match or removed the other side.
	Aborter Side
	// Took is the time from the match's creation to its end.
	Took time.Duration
}

// View returns the part of the game that a side may see. For Nobody it is what a spectator may see.
func (g *Game) View(viewer Side) (v View) {
	v.Fill(g, viewer)
	return v
}

// Fill replaces v with [Game.View]. It sets each field in place because a View is large: a copy on
// the stack doubles the stacks of the goroutines that play, and growing them takes a tenth of a round
// trip.
func (v *View) Fill(g *Game, viewer Side) {
	v.Rules, v.Viewer, v.Phase, v.Ready = g.rules, viewer, g.phase, g.ready
	for side := range v.Charts {
		v.Charts[side] = g.charts[side]
		// The game appends to its own log.
		v.Charts[side].Log = slices.Clip(v.Charts[side].Log)
	}
	v.Last, v.Turns = g.last, g.turns
	v.Disputed, v.Winner, v.Reason, v.Aborter = g.disputed, g.winner, g.reason, g.aborter
	v.fillTurn(g)
	for side := First; side <= Second; side++ {
		f := g.fleets[side]
		v.Kept[side] = g.ready[side] && f == nil
		v.Fleets[side], v.Damage[side] = nil, Damage{}
		if f != nil && (side == viewer || g.phase == Over && !g.reason.IsVoid()) {
			v.Fleets[side], v.Damage[side] = f.layout, f.Damage()
		}
	}
	v.Took = 0
	if g.phase == Over {
		v.Took = g.events[len(g.events)-1].At
	}
}

// fillTurn adds the turn to the view, as far as the viewer may see it.
func (v *View) fillTurn(g *Game) {
	t := &g.turn
	v.Turn, v.CanMove = t.Side, g.CanMove(v.Viewer)
	v.Shots, v.Pending, v.Targets = 0, false, nil
	if g.phase != Battle {
		return
	}
	v.Shots, v.Pending = t.Shots, t.IsPending()
	if v.Pending || v.Viewer == t.Side && len(t.Targets) > 0 {
		v.Targets = slices.Clip(t.Targets)
	}
}

// LastShot returns a side's last shot that has a result. Its Number is 0 if there is none.
func (v *View) LastShot(side Side) Shot {
	n := len(v.Last[side])
	if n > 0 {
		return v.Last[side][n-1]
	}
	return Shot{}
}

// FullView returns a view that shows both fleets. It is for games whose events are public, such as
// replays.
func (g *Game) FullView() View {
	v := g.View(Nobody)
	for side, f := range g.fleets {
		if f != nil {
			v.Fleets[side], v.Damage[side] = f.layout, f.Damage()
		}
	}
	return v
}

// HideFleets returns the events as anyone may see them after a match without a result. They can be
// replayed as if both sides had kept their fleets.
func HideFleets(events []Event) []Event {
	public := make([]Event, 0, len(events))
	for _, e := range events {
		switch e.Kind {
		case FleetMoved:
			continue
		case FleetPlaced:
			e.Kind, e.layout = FleetKept, nil
		}
		public = append(public, e)
	}
	return public
}

// AlreadyCounts reports whether the match counts, as [Game.AlreadyCounts] does.
func (v *View) AlreadyCounts() bool { return alreadyCounts(&v.Charts) }

// RoundCount returns the number of rounds that have started. In each round, first Second and then
// First fires one shot or one salvo.
func (v *View) RoundCount() int { return v.Turns[Second] }

// RedactFor returns the event as a side or a spectator may see it while the game runs. It returns
// false if they may not see it at all. Until the end, layouts and moves are visible only to their
// side.
func (e Event) RedactFor(viewer Side) (Event, bool) {
	if e.Side == viewer {
		return e, true
	}
	if e.Kind == FleetMoved {
		return Event{}, false
	}
	if e.Kind == FleetPlaced {
		e.layout = nil
	}
	return e, true
}
