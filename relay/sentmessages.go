package relay

import (
	"broadside/match"
	"broadside/match/live"
	"broadside/relay/client"
)

// sentMessages records the messages that a client has been sent about its current game.
type sentMessages struct {
	side         match.Side
	started      bool
	enemyAttacks int
	ownResults   int
}

// appendUpdate appends the messages about an update. ok is false if the client has missed too much.
//
// A client that has lost a fleet held by the server does not get the attack that has sunk it. The client
// could take the attack for its turn, and its own attack could arrive in the next game.
func (s *sentMessages) appendUpdate(b []byte, r *request, u *live.Update) (_ []byte, ok bool) {
	lost := r.hasFixedFleet() && u.View.Phase == match.Over && u.View.Winner == s.side.Other()
	if u.Missed {
		return s.appendMissed(b, &u.View, lost)
	}
	for i := range u.Events {
		e := &u.Events[i]
		if !lost || e.Kind != match.ShotFired {
			b = s.appendEvent(b, e)
		}
	}
	return b, true
}

// appendEvent appends the message about an event, if the client gets one.
func (s *sentMessages) appendEvent(b []byte, e *match.Event) []byte {
	switch {
	case e.Kind == match.BattleStarted:
		s.started = true
		return client.Message{Op: client.Start}.Append(b)
	case e.Side == s.side:
		return b
	case e.Kind == match.ShotFired:
		s.enemyAttacks++
		return client.Message{Op: client.Attack, Cell: e.Cell}.Append(b)
	case e.Kind == match.ShotAnswered:
		s.ownResults++
		return client.Message{Op: client.Result, Cell: e.Cell, Result: e.Result}.Append(b)
	}
	return b
}

// appendMissed appends the messages for events that were dropped. lost means that the client has lost
// a fleet held by the server. A client that reads can have missed at most the start, the results of one
// turn and the attacks after them. If it has missed more, ok is false. A salvo's shots after the one
// that ended the game are left out.
func (s *sentMessages) appendMissed(b []byte, v *match.View, lost bool) (_ []byte, ok bool) {
	me, other := s.side, s.side.Other()
	if !s.started && (v.Phase == match.Battle || v.RoundCount() > 0) {
		s.started = true
		b = client.Message{Op: client.Start}.Append(b)
	}
	results, attacks, targets := v.Charts[me].Fired, v.Charts[other].Fired, v.Targets
	if v.Pending && v.Turn == other {
		attacks += len(targets)
	} else {
		targets = shotCells(v.Last[other])
	}
	missedResults, missedAttacks := results-s.ownResults, attacks-s.enemyAttacks
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
	s.ownResults, s.enemyAttacks = results, attacks
	return b, ok
}

func shotCells(shots []match.Shot) []match.Cell {
	cells := make([]match.Cell, len(shots))
	for i, shot := range shots {
		cells[i] = shot.Cell
	}
	return cells
}

// lastN returns the last n values, or all if there are fewer.
func lastN[T any](all []T, n int) []T { return all[max(0, len(all)-max(0, n)):] }
