package bots_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"broadside/bots"
	"broadside/match"
)

// TestAdvice sinks a fleet by following the admiral's advice. The odds of all cells add up
// to the number of cells of the fleet, and are 0 or 1 where the chart leaves no doubt.
func TestAdvice(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, rules := range []match.Rules{match.Classic(), match.Hasbro()} {
		fleet := match.NewFleet(rules.RandomLayout(rng))
		var shots []match.Shot
		for n := 1; ; n++ {
			if n > rules.Size*rules.Size {
				t.Fatalf("%s: the fleet floats after %d shots", rules.Name, n)
			}
			a, err := adviseAfter(rules, shots)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for _, p := range a.Odds {
				sum += p
			}
			if math.Abs(sum-float64(rules.FleetCellCount())) > 1e-6 {
				t.Fatalf("%s, shot %d: the odds add up to %v", rules.Name, n, sum)
			}
			for _, s := range shots {
				want := 0.0
				if s.Result > match.Miss {
					want = 1
				}
				if p := a.OddsAt(s.Cell); math.Abs(p-want) > 1e-6 {
					t.Errorf("%s, shot %d: the odds of %v, shot at, are %v", rules.Name, n, s.Cell, p)
				}
				if s.Cell == a.Cells[0] {
					t.Fatalf("%s, shot %d: %v again", rules.Name, n, a.Cells[0])
				}
			}
			answer := fleet.Fire(a.Cells[0])
			shots = append(shots, match.Shot{Cell: a.Cells[0], Result: answer, Number: n})
			if answer == match.LastSunk {
				break
			}
		}
	}
}

func TestAdviceOnContradictions(t *testing.T) {
	var shots []match.Shot
	rules := match.Classic()
	for cell := range rules.Cells().All() {
		if cell != match.NewCell(9, 9) {
			shots = append(shots, match.Shot{Cell: cell, Result: match.Miss, Number: len(shots) + 1})
		}
	}
	a, err := adviseAfter(rules, shots)
	if err != nil || a.Odds != nil || a.Cells[0] != match.NewCell(9, 9) {
		t.Errorf("advice %+v, %v where only J10 is left", a, err)
	}
}

// TestAdviceWhereShipsMove sinks a drifting fleet by following the admiral's advice.
func TestAdviceWhereShipsMove(t *testing.T) {
	rules := match.Naval()
	rng := rand.New(rand.NewPCG(3, 5))
	target, err := bots.New("easy", bots.Config{Rules: rules, Rand: rng, Mover: "random"})
	if err != nil {
		t.Fatal(err)
	}
	fleet, chart := match.NewFleet(target.Place()), match.NewChart(rules)
	for r := match.Miss; r != match.LastSunk; {
		if chart.Fired == 120 {
			t.Fatal("the fleet floats after 120 shots")
		}
		a, err := adviseAfter(rules, chart.Log)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, p := range a.Odds {
			if p < 0 || p > 1 {
				t.Fatalf("odds of %v", p)
			}
			sum += p
		}
		if sum > float64(rules.FleetCellCount())+0.1 || chart.Fired == 0 && sum < 29.9 {
			t.Fatalf("shot %d: the odds add up to %v", chart.Fired+1, sum)
		}
		r = fleet.Fire(a.Cells[0])
		chart.Record(a.Cells[0], r)
		if status := fleet.Status(rules, chart.Log); fleet.ShipsAfloat() > match.LastShips {
			if err := fleet.ApplyMove(status, target.Move(status)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// adviseAfter asks a new adviser about a position.
func adviseAfter(r match.Rules, shots []match.Shot) (bots.Advice, error) {
	a, err := bots.NewAdviser(r)
	if err != nil {
		return bots.Advice{}, err
	}
	for _, s := range shots {
		a.RecordTurn(s)
	}
	return a.Advise(1), nil
}

// TestAdviceIsRepeatable asks two advisers about one position, and one of them also about
// all earlier positions.
func TestAdviceIsRepeatable(t *testing.T) {
	for _, rules := range []match.Rules{match.Classic(), match.Naval(), match.Salvo()} {
		rng := rand.New(rand.NewPCG(5, 6))
		fleet := match.NewFleet(rules.RandomLayout(rng))
		asked, err := bots.NewAdviser(rules)
		if err != nil {
			t.Fatal(err)
		}
		var shots []match.Shot
		for range 12 {
			a := asked.Advise(1)
			shot := match.Shot{Cell: a.Cells[0], Result: fleet.Fire(a.Cells[0])}
			shots = append(shots, shot)
			asked.RecordTurn(shot)
		}
		got, err := adviseAfter(rules, shots)
		if want := asked.Advise(1); err != nil || !slices.Equal(got.Cells, want.Cells) || !slices.Equal(got.Odds, want.Odds) {
			t.Errorf("%s: advice on %v, and %v from an adviser that was asked before, %v", rules.Name, got.Cells, want.Cells, err)
		}
	}
}
