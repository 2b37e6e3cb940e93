package bots

import (
	"math/rand/v2"
	"slices"
	"testing"

	"broadside/match"
)

// series plays games of admiral against an opponent who places its fleets in
// one way, and returns the shots of each. The admiral sees each layout when
// its game is over.
func series(t testing.TB, rules match.Rules, games int, seed uint64, place func() match.Layout) []int {
	t.Helper()
	var shots []int
	m := NewMemory(rules)
	for g := range games {
		layout := place()
		bot, err := New("admiral", Config{Rules: rules, Rand: rand.New(rand.NewPCG(seed, uint64(g))), Memory: m})
		if err != nil {
			t.Fatal(err)
		}
		shots = append(shots, solo(t, rules, bot, layout))
		m.Learn(Game{Fleet: layout})
	}
	return shots
}

// placing is an opponent who places its fleets in one of the ways there are.
func placing(t testing.TB, name string, rules match.Rules, rng *rand.Rand) func() match.Layout {
	t.Helper()
	place, err := findPlacement(Config{Placement: name, Rules: match.Classic()})
	if err != nil {
		t.Fatal(err)
	}
	return func() match.Layout { return place(Config{Rules: rules, Rand: rng}) }
}

func TestAdmiralRemembersALayout(t *testing.T) {
	rules := match.Classic()
	for seed := range uint64(4) {
		layout := rules.RandomLayout(rand.New(rand.NewPCG(seed, 0)))
		shots := series(t, rules, 3, seed, func() match.Layout { return layout })
		for _, n := range shots[1:] {
			if n != rules.FleetCells() {
				t.Errorf("opponent %d, the same fleet again and again: %v shots", seed, shots)
				break
			}
		}
	}
}

// turnedLayout is a layout turned by quarters of a circle and mirrored from 4 on.
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
		ship.Stern, ship.Heading = match.At(int(min(a.X, b.X)), int(min(a.Y, b.Y))), match.East
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
		shots := series(t, rules, 9, seed, func() match.Layout { return turnedLayout(rules, layout, rng.IntN(8)) })
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

// TestImages checks the images of layouts against layouts turned ship by ship.
func TestImages(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, rules := range []match.Rules{match.Classic(), customRules(t, 13, 10, match.TouchNone)} {
		w := newWaters(rules)
		l := &learner{posterior: newPosterior(w, rng)}
		for range 20 {
			layout := rules.RandomLayout(rng)
			for turn := range 8 {
				got := l.image(numbers(w, layout), turn)
				if want := numbers(w, turnedLayout(rules, layout, turn)); !slices.Equal(got, want) {
					t.Fatalf("turned by %d: %v, want %v", turn, got, want)
				}
			}
		}
	}
}

// numbers is the stations of a layout, sorted.
func numbers(w *waters, l match.Layout) []int {
	var out []int
	for _, ship := range l {
		out = append(out, w.find(ship))
	}
	slices.Sort(out)
	return out
}

// TestWhatHabitsAreBelieved looks at what is expected after some games.
func TestWhatHabitsAreBelieved(t *testing.T) {
	rules := match.Classic()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		way        string
		games      int
		uniform    bool    // whether fresh layouts are taken to be uniform
		againBelow float64 // how likely a repeat may be
	}{{"uniform", 40, true, 0.1}, {"uniform", 12, true, 0.1}, {"edges", 8, false, 0.1}} {
		place := placing(t, c.way, rules, rng)
		m := NewMemory(rules)
		for range c.games {
			m.Learn(Game{Fleet: place()})
		}
		p := newPosterior(newWaters(rules), rng)
		h := newHabits(p, m)
		uniform, fresh, again := 0.0, 0.0, 0.0
		for _, a := range h.fresh {
			p.weight = a.weight
			p.read(newAnswers(rules))
			p.sample(2000)
			fresh += a.prior * p.total
			if a.weight == nil {
				uniform += a.prior * p.total
			}
		}
		for _, r := range h.again {
			again += r.prior
		}
		t.Logf("%s, %d games: fresh %.3f, of this uniform %.3f; again %.3f", c.way, c.games, fresh, uniform, again)
		if sum := fresh + again; sum < 0.9 || sum > 1.1 {
			t.Errorf("%s: the probabilities add up to %v", c.way, sum)
		}
		if again > c.againBelow {
			t.Errorf("%s: a repeat has the probability %v", c.way, again)
		}
		if (uniform > 0.5) != c.uniform {
			t.Errorf("%s, %d games: a uniform layout has the probability %v", c.way, c.games, uniform)
		}
	}
}

// TestGlimpses lets the admiral know only the struck cells of an opponent who
// always places the same.
func TestGlimpses(t *testing.T) {
	rules := match.Classic()
	plain, glimpsed := 0, 0
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 9))
		layout := rules.RandomLayout(rng)
		m := NewMemory(rules)
		for range 5 {
			m.Learn(Game{Struck: layout.Cells()})
		}
		for _, memory := range []*Memory{nil, m} {
			bot, err := New("admiral", Config{Rules: rules, Rand: rng, Memory: memory})
			if err != nil {
				t.Fatal(err)
			}
			n := solo(t, rules, bot, layout)
			if memory == nil {
				plain += n
			} else {
				glimpsed += n
			}
		}
	}
	t.Logf("%.1f shots, after glimpses %.1f", float64(plain)/10, float64(glimpsed)/10)
	if glimpsed > plain-10*5 {
		t.Errorf("%d shots after glimpses, %d without", glimpsed, plain)
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
		shots := series(t, rules, 3, 1, func() match.Layout { return layout })
		if shots[2] > rules.FleetCells() {
			t.Errorf("%d×%d, %d ships, %v: the same fleet again and again takes %v shots", rules.Size, rules.Size, len(rules.Fleet), rules.Contact, shots)
		}
		if l := placeResist(Config{Rules: rules, Rand: rng, Memory: &Memory{Rules: rules, Games: 1, Shots: make([]int, rules.Size*rules.Size), Turns: make([]int, rules.Size*rules.Size)}}); rules.Check(l) != nil {
			t.Errorf("%d×%d: %v", rules.Size, rules.Size, rules.Check(l))
		}
	}
}

// TestHabitsWhereNothingCanBeDrawn has a fleet that fills its board, so that
// hardly any draw comes to a layout.
func TestHabitsWhereNothingCanBeDrawn(t *testing.T) {
	rules := fleetOf(5, match.TouchAny, 5, 5, 5, 5, 5)
	m := NewMemory(rules)
	m.Learn(Game{Struck: rules.Board()})
	p := newPosterior(newWaters(rules), rand.New(rand.NewPCG(1, 2)))
	for range 20 {
		h := newHabits(p, m)
		for _, a := range h.fresh {
			if !(a.prior > 0) {
				t.Fatalf("an account with the prior %v", a.prior)
			}
		}
		if len(h.fresh) == 0 {
			t.Fatal("no account of fresh layouts")
		}
	}
}
