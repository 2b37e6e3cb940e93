package review

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"broadside/bots"
	"broadside/internal/test/must"
	"broadside/match"
	"broadside/match/audit"
)

// play plays a match in which the attacking first side follows the admiral and the other
// side fires at random. shots limits each side's turns.
func play(t *testing.T, r match.Rules, turns int) []match.Event {
	rng := rand.New(rand.NewPCG(1, 2))
	g := match.NewGame(r, audit.Forfeit)
	apply := func(c match.Command) {
		must.Get(g.Apply(c))
	}
	for _, side := range []match.Side{match.First, match.Second} {
		apply(match.PlaceCommand(side, r.RandomLayout(rng)))
	}
	admiral := must.Get(bots.NewAdviser(r))
	for range 2 * turns {
		turn := g.Turn()
		chart := g.Chart(turn.Side)
		var cells []match.Cell
		if turn.Side == match.Second {
			cells = admiral.Advise(turn.Shots).Cells
		} else {
			for range turn.Shots {
				open := chart.OpenCells()
				cells = append(cells, open.Nth(rng.IntN(open.Len())))
				chart.Shots.Add(cells[len(cells)-1])
			}
		}
		apply(match.FireCommand(turn.Side, cells...))
		if turn.Side == match.Second {
			admiral.RecordTurn(answers(g.Events(), turn.Side)[len(answers(g.Events(), turn.Side))-len(cells):]...)
		}
	}
	return g.Events()
}

// answers returns all answered shots of a side.
func answers(events []match.Event, side match.Side) (shots []match.Shot) {
	for _, e := range events {
		if e.Kind == match.ShotAnswered && e.Side == side.Other() {
			shots = append(shots, match.Shot{Cell: e.Cell, Result: e.Result})
		}
	}
	return shots
}

func TestReview(t *testing.T) {
	for _, r := range []match.Rules{match.Classic(), match.Salvo()} {
		const turns = 4
		events := play(t, r, turns)
		m := must.Get(ReviewMatch(t.Context(), r, events))
		if a := m[match.Second]; a.Accuracy != 1 || a.Judged != len(answers(events, match.Second)) || len(a.Costliest) != 0 {
			t.Errorf("%s: the admiral's own shots: %+v", r.Name, a)
		}
		other := m[match.First]
		if other.Accuracy <= 0 || other.Accuracy >= 0.9 || len(other.Costliest) != mostCostly {
			t.Errorf("%s: random shots: %+v", r.Name, other)
		}
		if !slices.IsSortedFunc(other.Costliest, func(a, b Shot) int { return int(math.Copysign(1, b.Loss()-a.Loss())) }) {
			t.Errorf("%s: costliest shots in the wrong order: %+v", r.Name, other.Costliest)
		}
		for _, s := range other.Costliest {
			if s.Turn%2 != 0 || s.Loss() <= 0 || s.Cell == s.Best {
				t.Errorf("%s: costly shot %+v", r.Name, s)
			}
		}
		again, err := ReviewMatch(t.Context(), r, events)
		if err != nil || again[0].Accuracy != other.Accuracy {
			t.Errorf("%s: accuracy %v the second time, %v", r.Name, again[0].Accuracy, err)
		}
	}
}

// TestClockDoesNotCount lets the clock fire all shots of one side.
func TestClockDoesNotCount(t *testing.T) {
	events := slices.Clone(play(t, match.Classic(), 3))
	for i := range events {
		events[i].Auto = events[i].Kind == match.ShotFired && events[i].Side == match.First
	}
	m, err := ReviewMatch(t.Context(), match.Classic(), events)
	if err != nil || m[match.First].Judged != 0 || m[match.First].Accuracy != 0 || m[match.Second].Judged != 3 {
		t.Errorf("review %+v, %v", m, err)
	}
}
