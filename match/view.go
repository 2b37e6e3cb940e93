package match

import (
	"slices"
	"time"
)

// Shot is a shot and its result. Number counts the side's shots from 1; it is 0 if the side
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
	Rules    Rules
	Viewer   Side // Nobody for a spectator
	Phase    Phase
	Ready    [2]bool       // the sides whose fleets are placed or kept
	Kept     [2]bool       // the sides that report results themselves
	Turn     Side          // the side whose turn it is, in Battle
	Shots    int           // the number of shots in this turn
	Pending  bool          // whether all shots are fired and wait for results
	Targets  []Cell        // the cells named so far, for the other side only once all are named
	Charts   [2]Chart      // what each side knows of the other's board
	Last     [2][]Shot     // the shots of each side's last turn that have results, in order
	Turns    [2]int        // the number of turns in which each side has fired
	Fleets   [2]Layout     // the viewer's fleet or, after a match with a result, all that the game holds
	Damage   [2]Damage     // the damage of these fleets
	CanMove  bool          // whether the viewer may move a ship now
	Disputed [2]bool       // the sides whose results cannot all be true
	Winner   Side          // the winner of a finished match, or Nobody
	Reason   Reason        // why the match ended
	Aborter  Side          // the side that aborted the match or removed the other side
	Took     time.Duration // from the creation of the match to its end
}

// View returns the part of the game that a side may see, or a spectator if viewer is
// Nobody.
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
		v.Charts[side].Log = slices.Clip(v.Charts[side].Log) // as the game appends to it
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
	if v.Took = 0; g.phase == Over {
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

// AlreadyCounts reports whether the match counts; see [Game.AlreadyCounts].
func (v *View) AlreadyCounts() bool { return alreadyCounts(&v.Charts) }

// RoundCount returns the number of rounds that have started. In each, both sides fire
// once, or one salvo. Second starts them.
func (v *View) RoundCount() int { return v.Turns[Second] }

// RedactFor returns the event as a viewer may see it while the game runs. It returns false
// if the viewer may not see it at all. Until the end, layouts and moves are visible only
// to their side.
func (e Event) RedactFor(viewer Side) (Event, bool) {
	switch {
	case e.Side == viewer:
	case e.Kind == FleetMoved:
		return Event{}, false
	case e.Kind == FleetPlaced:
		e.layout = nil
	}
	return e, true
}
