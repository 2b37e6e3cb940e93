package bots

import (
	"math/rand/v2"
	"testing"

	"broadside/bots/infer"
	"broadside/match"
)

// playSeries plays games of admiral against an opponent with a fixed placement, and returns the
// shots of each. The admiral sees each layout after its game.
func playSeries(t testing.TB, rules match.Rules, games int, seed uint64, place func() match.Layout) []int {
	t.Helper()
	var shots []int
	m := infer.NewMemory(rules)
	for g := range games {
		layout := place()
		bot, err := New("admiral", Config{Rules: rules, Rand: rand.New(rand.NewPCG(seed, uint64(g))), Memory: m})
		if err != nil {
			t.Fatal(err)
		}
		shots = append(shots, countShotsToSink(t, rules, bot, layout))
		m.Learn(infer.Game{Fleet: layout})
	}
	return shots
}

func TestAdmiralRemembersALayout(t *testing.T) {
	rules := match.Classic()
	for seed := range uint64(4) {
		layout := rules.RandomLayout(rand.New(rand.NewPCG(seed, 0)))
		shots := playSeries(t, rules, 3, seed, func() match.Layout { return layout })
		for _, n := range shots[1:] {
			if n != rules.FleetCellCount() {
				t.Errorf("opponent %d, the same fleet repeatedly: %v shots", seed, shots)
				break
			}
		}
	}
}

// turnedLayout returns a layout rotated by quarter turns, and mirrored if turn is at least
// 4.
func turnedLayout(r match.Rules, l match.Layout, turn int) match.Layout {
	var out match.Layout
	for _, ship := range l {
		a, b := ship.Stern, ship.Bow()
		for _, c := range []*match.Cell{&a, &b} {
			last := int8(r.Size - 1)
			if turn >= 4 {
				c.X = last - c.X
			}
			for range turn % 4 {
				c.X, c.Y = last-c.Y, c.X
			}
		}
		ship.Stern, ship.Heading = match.NewCell(int(min(a.X, b.X)), int(min(a.Y, b.Y))), match.East
		if a.X == b.X {
			ship.Heading = match.South
		}
		out = append(out, ship)
	}
	return out
}

func TestAdmiralKnowsATurnedLayout(t *testing.T) {
	rules := match.Classic()
	total := 0
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 1))
		layout := rules.RandomLayout(rng)
		shots := playSeries(t, rules, 9, seed, func() match.Layout { return turnedLayout(rules, layout, rng.IntN(8)) })
		for _, n := range shots[6:] {
			total += n
		}
	}
	mean := float64(total) / 9
	t.Logf("one layout turned and mirrored, from the 7th game on: %.1f shots", mean)
	if mean > 25 {
		t.Errorf("%.1f shots against one layout turned and mirrored", mean)
	}
}

// TestHabitsUnderAllRules plays short series on small, large and dense boards.
func TestHabitsUnderAllRules(t *testing.T) {
	for _, rules := range []match.Rules{
		match.Hasbro(), customRules(t, 5, 2, match.TouchAny), customRules(t, 7, 4, match.TouchNone),
		customRules(t, 8, 7, match.TouchCorners), customRules(t, 14, 10, match.TouchAny), customRules(t, 26, 10, match.TouchNone),
	} {
		rng := rand.New(rand.NewPCG(7, 8))
		layout := rules.RandomLayout(rng)
		shots := playSeries(t, rules, 3, 1, func() match.Layout { return layout })
		if shots[2] > rules.FleetCellCount() {
			t.Errorf("%d×%d, %d ships, %v: the same fleet repeatedly takes %v shots", rules.Size, rules.Size, len(rules.Fleet), rules.Contact, shots)
		}
		if l := placeResist(Config{Rules: rules, Rand: rng, Memory: &infer.Memory{Rules: rules, Games: 1, Shots: make([]int, rules.Size*rules.Size), Turns: make([]int, rules.Size*rules.Size)}}); rules.CheckLayout(l) != nil {
			t.Errorf("%d×%d: %v", rules.Size, rules.Size, rules.CheckLayout(l))
		}
	}
}
