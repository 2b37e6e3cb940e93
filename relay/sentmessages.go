package relay

import (
	"broadside/match"
	"broadside/match/live"
	"broadside/relay/client"
)

// sentMessages records the messages that a client has been sent about its current game.
type sentMessages struct {
	side             match.Side
	started          bool
	attacks, results int // of the opponent
}

// appendUpdate appends the messages about an update. ok is false if the client has missed too much.
//
// A client that has lost a fleet that the server holds does not get the attack that has sunk it: it could
// take the attack for its turn, and its own attack could arrive in the next game.
func (t *sentMessages) appendUpdate(b []byte, w *request, u *live.Update) (_ []byte, ok bool) {
	lost := w.hasFixedFleet() && u.View.Phase == match.Over && u.View.Winner == t.side.Other()
	if u.Missed {
		return t.appendMissed(b, &u.View, lost)
	}
	for i := range u.Events {
		e := &u.Events[i]
		if !lost || e.Kind != match.ShotFired {
			b = t.appendEvent(b, e)
		}
	}
	return b, true
}

// appendEvent appends the message about an event, if the client gets one.
func (t *sentMessages) appendEvent(b []byte, e *match.Event) []byte {
	switch {
	case e.Kind == match.BattleBegun:
		t.started = true
		return client.Message{Op: client.Start}.Append(b)
	case e.Side == t.side:
		return b
	case e.Kind == match.ShotFired:
		t.attacks++
		return client.Message{Op: client.Attack, Cell: e.Cell}.Append(b)
	case e.Kind == match.ShotAnswered:
		t.results++
		return client.Message{Op: client.Result, Cell: e.Cell, Result: e.Result}.Append(b)
	}
	return b
}

// appendMissed appends the messages for events that were dropped. A client that reads can
// have missed at most the start, the results of one turn and the attacks after them. If it
// has missed more, ok is false. Shots of a salvo after the one that ended the game are
// left out.
func (t *sentMessages) appendMissed(b []byte, v *match.View, lost bool) (_ []byte, ok bool) {
	me, other := t.side, t.side.Other()
	if !t.started && (v.Phase == match.Battle || v.Rounds() > 0) {
		t.started = true
		b = client.Message{Op: client.Start}.Append(b)
	}
	results, attacks, targets := v.Charts[me].Fired, v.Charts[other].Fired, v.Targets
	if v.Pending && v.Turn == other {
		attacks += len(targets)
	} else {
		targets = shotCells(v.Last[other])
	}
	missedResults, missedAttacks := results-t.results, attacks-t.attacks
	ok = missedResults <= len(v.Last[me]) && missedAttacks <= len(targets)
	if lost {
		missedAttacks = 0
	}
	for _, shot := range lastN(v.Last[me], missedResults) {
		b = client.Message{Op: client.Result, Cell: shot.Cell, Result: shot.Result}.Append(b)
	}
	for _, cell := range lastN(targets, missedAttacks) {
		b = client.Message{Op: client.Attack, Cell: cell}.Append(b)
	}
	t.results, t.attacks = results, attacks
	return b, ok
}

// shotCells returns the cells of shots.
func shotCells(shots []match.Shot) []match.Cell {
	cells := make([]match.Cell, len(shots))
	for i, shot := range shots {
		cells[i] = shot.Cell
	}
	return cells
}

// lastN returns the last n values, or all if there are fewer.
func lastN[T any](all []T, n int) []T { return all[max(0, len(all)-max(0, n)):] }
