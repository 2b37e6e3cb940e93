package relay

import "broadside/match"

// told is what a client has been told of the game that it plays on a side.
type told struct {
	side             match.Side
	started          bool
	attacks, results int  // of the other side
	asked            bool // for its fleet
}

// appendEvent appends what the client is told of an event.
func (t *told) appendEvent(b []byte, e *match.Event) []byte {
	switch {
	case e.Kind == match.BattleBegun:
		t.started = true
		return Message{Op: Start}.Append(b)
	case e.Side == t.side:
		return b
	case e.Kind == match.ShotFired:
		t.attacks++
		return Message{Op: Attack, Cell: e.Cell}.Append(b)
	case e.Kind == match.ShotAnswered:
		t.results++
		return Message{Op: Result, Cell: e.Cell, Result: e.Result}.Append(b)
	}
	return b
}

// appendMissed appends what the client has not been told because its events were
// dropped: a client that reads has missed the start, one result and the attack after
// it at most. If it has missed more, ok is false.
func (t *told) appendMissed(b []byte, v *match.View) (_ []byte, ok bool) {
	me, other := t.side, t.side.Other()
	if !t.started && (v.Phase == match.Battle || v.Rounds() > 0) {
		t.started = true
		b = Message{Op: Start}.Append(b)
	}
	results, attacks, target := v.Charts[me].Fired, v.Charts[other].Fired, v.Last[other].Cell
	if v.Pending && v.Turn == other {
		attacks, target = attacks+1, v.Target
	}
	ok = results <= t.results+1 && attacks <= t.attacks+1
	if results > t.results {
		b = Message{Op: Result, Cell: v.Last[me].Cell, Result: v.Last[me].Result}.Append(b)
	}
	if attacks > t.attacks {
		b = Message{Op: Attack, Cell: target}.Append(b)
	}
	if v.Due[me] && !t.asked {
		b, t.asked = append(b, "% reveal\n"...), true
	}
	t.results, t.attacks = results, attacks
	return b, ok
}
