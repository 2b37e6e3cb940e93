package match_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"broadside/match"
	"broadside/match/audit"
)

// brute is the set of all possible fleets, found by exhaustive search with a simple model
// that implements the rules independently.
type brute struct {
	rules match.Rules
	all   []*moored
}

func newBrute(r match.Rules) *brute {
	b := &brute{rules: r}
	var down func(l match.Layout)
	down = func(l match.Layout) {
		i := len(l)
		if i == len(r.Fleet) {
			b.all = append(b.all, newMooredFleet(l))
			return
		}
		for stern := range r.Cells().All() {
			for h := match.North; h <= match.West; h++ {
				next := append(slices.Clone(l), match.Ship{Stern: stern, Heading: h, Length: r.Fleet[i].Length})
				whole := append(slices.Clone(next), make(match.Layout, len(r.Fleet)-i-1)...)
				if r.CheckShip(whole, i) == nil {
					down(next)
				}
			}
		}
	}
	down(nil)
	return b
}

func (m *moored) clone() *moored {
	c := &moored{ships: slices.Clone(m.ships), fire: slices.Clone(m.fire)}
	for _, hit := range m.hit {
		c.hit = append(c.hit, slices.Clone(hit))
	}
	return c
}

// add reports whether a result can be true, and lets all fleets move.
func (b *brute) add(c match.Cell, r match.Result) bool {
	seen := map[string]*moored{}
	for _, m := range b.all {
		m = m.clone()
		if m.shoot(c) != r {
			continue
		}
		seen[fmt.Sprint(m.ships, m.hit)] = m
		for n := range match.MoveKinds * len(m.ships) {
			next := m.clone()
			if next.move(b.rules, match.Move(n+1)) == nil {
				seen[fmt.Sprint(next.ships, next.hit)] = next
			}
		}
	}
	b.all = b.all[:0:0]
	// Sorting makes the same seed give the same game.
	for _, key := range slices.Sorted(maps.Keys(seen)) {
		b.all = append(b.all, seen[key])
	}
	return len(b.all) > 0
}

// bruteGames is the number of games under each rule set of
// TestMovingAuditAgainstBruteForce.
var bruteGames = 4

// TestMovingAuditAgainstBruteForce checks the verdict after each true or false result against an
// exhaustive search. The audit must accuse only sides that lied, and at least half of those.
func TestMovingAuditAgainstBruteForce(t *testing.T) {
	accused, lied, held := 0, 0, 0
	for _, c := range []struct {
		contact match.Contact
		lengths []int
		size    int
	}{
		{match.TouchNone, []int{2, 2, 2}, 4}, {match.TouchCorners, []int{3, 2, 2}, 4}, {match.TouchAny, []int{3, 3, 3}, 3},
	} {
		rules := fleetOf(c.size, c.contact, c.lengths...)
		rules.Moving = true
		if len(newBrute(rules).all) == 0 {
			t.Fatalf("%v on %d has no layout", c.lengths, c.size)
		}
		for seed := range uint64(bruteGames) {
			rng := newRand(seed)
			b, audit := newBrute(rules), audit.New(rules)
			truth := b.all[rng.IntN(len(b.all))].clone()
			for n := 0; ; n++ {
				cell := match.NewCell(rng.IntN(c.size), rng.IntN(c.size))
				r := truth.shoot(cell)
				if rng.IntN(20) == 0 {
					r = match.Result(1 + rng.IntN(4))
				}
				possible, got := b.add(cell, r), audit.Add(cell, r)
				if possible && !got {
					t.Fatalf("%v on %d, seed %d: shot %d at %v answered %v: a true answer is called a lie", c.lengths, c.size, seed, n+1, cell, r)
				}
				if !possible {
					lied++
					if !got {
						accused++
					}
					break
				}
				if r == match.LastSunk || n == 25 {
					held++
					break
				}
				// The side follows any fleet whose results were true so far.
				truth = b.all[rng.IntN(len(b.all))].clone()
			}
		}
	}
	t.Logf("%d sides held out, %d lied, %d of them were accused", held, lied, accused)
	if lied < bruteGames || held < bruteGames/2 || accused < lied/2 {
		t.Error("the games were too one-sided to prove anything, or too few lies were noticed")
	}
}

// TestMovingAuditAccusesNobodyFalsely checks that honest sides that move secretly are not accused
// under many rules.
func TestMovingAuditAccusesNobodyFalsely(t *testing.T) {
	endless := 0
	for seed := range movingGames / 2 {
		rng := newRand(uint64(seed) + 1000)
		rules := movingRules(t, rng)
		g := match.NewGame(rules, audit.Forfeit)
		l := rules.RandomLayout(rng)
		truth := newMooredFleet(l)
		for _, c := range []match.Command{match.PlaceCommand(match.Second, rules.RandomLayout(rng)), match.KeepCommand(match.First)} {
			if _, err := g.Apply(c); err != nil {
				t.Fatal(err)
			}
		}
		for g.Phase() == match.Battle {
			chart := g.Chart(match.Second)
			cell := movingShot(&chart, rng)
			if _, err := g.Apply(match.FireCommand(match.Second, cell)); err != nil {
				t.Fatal(err)
			}
			if g.Phase() == match.Over {
				break
			}
			if _, err := g.Apply(match.AnswerCommand(match.First, cell, truth.shoot(cell))); err != nil {
				t.Fatal(err)
			}
			if g.Phase() == match.Over {
				break
			}
			if rng.IntN(4) > 0 {
				trial := truth.clone()
				if trial.move(rules, match.NewMove(rng.IntN(len(l)), match.MoveKind(rng.IntN(match.MoveKinds)))) == nil {
					truth = trial
				}
			}
			if _, err := g.Apply(match.FireCommand(match.First, match.NewCell(0, 0))); err != nil {
				t.Fatal(err)
			}
		}
		if v := g.View(match.Nobody); v.Reason == match.Endless {
			endless++
		} else if v.Reason != match.FleetSunk {
			t.Fatalf("seed %d: an honest side lost by %v", seed, v.Reason)
		}
	}
	if endless > movingGames/20 {
		t.Errorf("%d games came to no end", endless)
	}
}

// TestMovingAuditSeesLies checks that the audit detects results that no naval fleet can give.
func TestMovingAuditSeesLies(t *testing.T) {
	a1, a2, b2 := match.NewCell(0, 0), match.NewCell(1, 0), match.NewCell(1, 1)
	type answer struct {
		cell match.Cell
		r    match.Result
	}
	for name, lies := range map[string][]answer{
		"sunk at once":              {{a1, match.Sunk}},
		"over at once":              {{a1, match.LastSunk}},
		"a wreck that moves":        {{a1, match.Hit}, {a2, match.Sunk}, {a2, match.Miss}},
		"a wreck that floats again": {{a1, match.Hit}, {a2, match.Sunk}, {a2, match.Hit}},
		"beside a wreck":            {{a1, match.Hit}, {a2, match.Sunk}, {match.NewCell(2, 1), match.Hit}},
		"sunk with too few hits":    {{a1, match.Hit}, {a2, match.Sunk}, {match.NewCell(9, 9), match.Sunk}},
		"two of the only battleship": {
			{a1, match.Hit}, {a2, match.Hit}, {match.NewCell(2, 0), match.Hit}, {match.NewCell(3, 0), match.Hit}, {match.NewCell(4, 0), match.Sunk},
			{a1, match.Sunk}, {a2, match.Sunk}, {match.NewCell(2, 0), match.Sunk}, {match.NewCell(3, 0), match.Sunk},
			{match.NewCell(0, 4), match.Hit}, {match.NewCell(1, 4), match.Hit}, {match.NewCell(2, 4), match.Hit}, {match.NewCell(3, 4), match.Hit}, {match.NewCell(4, 4), match.Sunk},
			{match.NewCell(3, 4), match.Sunk}, {match.NewCell(2, 4), match.Sunk}, {match.NewCell(1, 4), match.Sunk}, {match.NewCell(0, 4), match.Sunk},
		},
		"into the last three shots": {{b2, match.Miss}, {a1, match.Miss}, {b2, match.Hit}},
	} {
		audit := audit.New(match.Naval())
		for i, l := range lies {
			if got, want := audit.Add(l.cell, l.r), i < len(lies)-1; got != want {
				t.Errorf("%s: answer %d: the audit says %v", name, i+1, got)
			}
		}
	}
}
