package bots_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"broadside/bots"
	"broadside/match"
)

// TestAdvice plays a fleet to its end by the admiral's advice. The odds of all
// cells add up to the cells of the fleet, and are right where all is known.
func TestAdvice(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, rules := range []match.Rules{match.Classic(), match.Hasbro()} {
		fleet := match.NewFleet(rules.RandomLayout(rng))
		var shots []match.Shot
		for n := 1; ; n++ {
			if n > rules.Size*rules.Size {
				t.Fatalf("%s: the fleet floats after %d shots", rules.Name, n)
			}
			a, err := bots.Advise(rules, shots, rng)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for _, p := range a.Odds {
				sum += p
			}
			if math.Abs(sum-float64(rules.FleetCells())) > 1e-6 {
				t.Fatalf("%s, shot %d: the odds add up to %v", rules.Name, n, sum)
			}
			for _, s := range shots {
				want := 0.0
				if s.Result > match.Water {
					want = 1
				}
				if p := a.Of(s.Cell); math.Abs(p-want) > 1e-6 {
					t.Errorf("%s, shot %d: the odds of %v, shot at, are %v", rules.Name, n, s.Cell, p)
				}
				if s.Cell == a.Cell {
					t.Fatalf("%s, shot %d: %v again", rules.Name, n, a.Cell)
				}
			}
			answer := fleet.Shoot(a.Cell)
			shots = append(shots, match.Shot{Cell: a.Cell, Result: answer, Number: n})
			if answer == match.LastSunk {
				break
			}
		}
	}
}

func TestAdviceOnContradictions(t *testing.T) {
	var shots []match.Shot
	rules := match.Classic()
	for cell := range rules.Board().All() {
		if cell != match.At(9, 9) {
			shots = append(shots, match.Shot{Cell: cell, Result: match.Water, Number: len(shots) + 1})
		}
	}
	a, err := bots.Advise(rules, shots, rand.New(rand.NewPCG(1, 1)))
	if err != nil || a.Odds != nil || a.Cell != match.At(9, 9) {
		t.Errorf("advice %+v, %v where only J10 is left", a, err)
	}
	rules.Moving = true
	if _, err := bots.Advise(rules, nil, rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("there is advice for ships that move")
	}
}
