package bots

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"broadside/match"
)

// explains tells whether a theory is the one that a layout is a case of: its
// ships are the layout's ships that were hit.
func (th *theory) explains(l match.Layout, shots match.Set) bool {
	n := 0
	for _, ship := range l {
		cells := ship.Cells()
		if !cells.Overlaps(&shots) {
			continue
		}
		n++
		k := th.at(ship.Stern)
		if k < 0 || int(th.ships[k].length) != ship.Length || th.ships[k].south != (ship.Heading == match.South) ||
			th.ships[k].x != ship.Stern.X || th.ships[k].y != ship.Stern.Y || int(th.ships[k].hits) != cells.Intersect(shots).Len() {
			return false
		}
	}
	return n == int(th.n)
}

// TestTheoriesAgainstAllLayouts fires at random and compares with a list of
// all layouts: of those that give the same answers, each has exactly one
// theory.
func TestTheoriesAgainstAllLayouts(t *testing.T) {
	for _, contact := range []match.Contact{match.TouchNone, match.TouchCorners, match.TouchAny} {
		rules := fleetOf(5, contact, 3, 2, 2)
		for seed := range uint64(4) {
			all := everyLayout(rules)
			rng := rand.New(rand.NewPCG(seed, 1))
			truth := match.NewFleet(all[rng.IntN(len(all))])
			possible := all // of the same array: what is left moves to its front
			fleets := make([]*match.Fleet, len(all))
			for i, l := range all {
				fleets[i] = match.NewFleet(l)
			}
			th := newTheories(rules)
			var shots match.Set
			for r := match.Water; r != match.LastSunk; {
				cell := rules.Board().Minus(shots).Nth(rng.IntN(25 - shots.Len()))
				shots.Add(cell)
				r = truth.Shoot(cell)
				th.learn(cell, r)
				n := 0
				for i, f := range fleets {
					if f.Shoot(cell) == r {
						possible[n], fleets[n] = possible[i], f
						n++
					}
				}
				possible, fleets = possible[:n], fleets[:n]
				for _, l := range possible {
					explained := 0
					for i := range th.all {
						if th.all[i].explains(l, shots) {
							explained++
						}
					}
					if explained != 1 {
						t.Fatalf("%v: %d theories after %d shots are for %v", contact, explained, shots.Len(), l)
					}
				}
			}
		}
	}
}

// TestTheoriesLeftOutAreFoundAgain allows very few theories at a time.
func TestTheoriesLeftOutAreFoundAgain(t *testing.T) {
	rules := match.Hasbro()
	rng := rand.New(rand.NewPCG(1, 1))
	again := 0
	for range 100 {
		b := newCommodore(Config{Rules: rules, Rand: rng})
		b.most = 20
		l := rules.RandomLayout(rng)
		fleet, chart := match.NewFleet(l), match.NewChart(rules)
		for r := match.Water; r != match.LastSunk; {
			thinned := b.thinned
			cell := b.Fire(&chart)
			r = fleet.Shoot(cell)
			chart.Record(cell, r)
			b.Told(cell, r)
			if thinned && !b.thinned {
				again++
			}
			if len(b.answers) != chart.Fired {
				t.Fatal("true answers were taken for lies")
			}
		}
	}
	if again == 0 {
		t.Error("no theory was ever left out: the test shows nothing")
	}
}

// TestFieldCountsPlaces compares the field of a single ship with a count by
// hand.
func TestFieldCountsPlaces(t *testing.T) {
	rules := fleetOf(5, match.TouchAny, 3)
	rng := rand.New(rand.NewPCG(1, 1))
	for length := minShip; length <= maxShip; length++ {
		for range 50 {
			open := rules.Board()
			for range rng.IntN(12) {
				open.Remove(match.At(rng.IntN(5), rng.IntN(5)))
			}
			places, covering := 0, map[match.Cell]int{}
			for stern := range open.All() {
				for _, h := range [...]match.Heading{match.East, match.South} {
					cells := match.Ship{Stern: stern, Heading: h, Length: length}.Cells()
					if cells.Within(&open) && stern.Step(h, length-1) != match.At(-1, -1) && rules.Contains(stern.Step(h, length-1)) {
						places++
						for c := range cells.All() {
							covering[c]++
						}
					}
				}
			}
			f := newField(rules)
			var one perLength
			one[length] = 1
			for range 2 { // the second time with the number of places known
				f.weigh(open)
				f.count(&one)
			}
			if got := f.places[length]; math.Abs(got-float64(places)) > 1e-9 {
				t.Fatalf("%g places of length %d, counted %d", got, length, places)
			}
			for c := range rules.Board().All() {
				want := 0.0
				if places > 0 {
					want = float64(covering[c]) / float64(places)
				}
				if got := f.chance(f.index(c.X, c.Y)); math.Abs(got-want) > 1e-9 {
					t.Fatalf("length %d, %v: chance %g, counted %g", length, c, got, want)
				}
			}
		}
	}
}

// onlyOpen is the answer water at every cell but those named.
func onlyOpen(size int, cells string) told {
	open := map[string]bool{}
	for _, c := range strings.Fields(cells) {
		open[c] = true
	}
	var s strings.Builder
	for y := range size {
		for x := range size {
			if c := match.At(x, y).String(); !open[c] {
				s.WriteString(c + "~ ")
			}
		}
	}
	return told(s.String())
}

func TestCommodoreOnFixedBoards(t *testing.T) {
	for _, c := range []struct {
		about string
		rules match.Rules
		told  told
		want  string
	}{
		{"the only gap", fleetOf(10, match.TouchCorners, 3), onlyOpen(10, "A1 A2 C3 C4 C5 J9"), "C3 C4 C5"},
		{"the gap with room", fleetOf(10, match.TouchCorners, 4), onlyOpen(10, "A1 A2 A3 C1 C2 C3 C4 F5"), "C1 C2 C3 C4"},
		{"where most places are", fleetOf(10, match.TouchAny, 5), onlyOpen(10, "E1 E2 E3 E4 E5 E6 E7 E8 E9"), "E5"},
		{"all ways from a hit", fleetOf(10, match.TouchCorners, 2), "E5x", "D5 E4 E6 F5"},
		{"along the longer way", fleetOf(10, match.TouchCorners, 4), "E5x D5~ G5~", "E4 E6"},
		{"the end that is left", match.Classic(), "E5x E6x E7~", "E4"},
		{"side by side where one is impossible", match.Hasbro(), "E5x E6x E4~ E7~", "D5 D6 F5 F6"},
		{"the other of two, once one has sunk", match.Hasbro(), "E5x E6x E4~ E7~ D6~ D5x C5~ F5#", "F6"},
	} {
		got := choices(t, c.rules, c.told, bot("commodore"))
		for _, cell := range strings.Fields(got) {
			if !strings.Contains(c.want+" ", cell+" ") {
				t.Errorf("%s: shoots at %s, want one of %s", c.about, got, c.want)
			}
		}
	}
}

// TestHuntingGrid wants the grid of the smallest ship that may float, and none
// during a chase.
func TestHuntingGrid(t *testing.T) {
	open := match.Classic().Board()
	open.Remove(match.At(1, 0))
	open.Remove(match.At(0, 4))
	open.Remove(match.At(0, 7))
	var spots []spot
	for c := range open.All() {
		spots = append(spots, spot{Cell: c})
	}
	for _, c := range []struct {
		o             outlook
		period, first int
	}{
		{outlook{free: perLength{2: 1, 5: 1}}, 2, 1},
		{outlook{free: perLength{2: 0.01, 3: 2}}, 3, 1},
		{outlook{free: perLength{5: 1}}, 5, 1},
		{outlook{free: perLength{2: 1}, floating: 0.5}, 0, 0},
		{outlook{}, 0, 0},
	} {
		grid := huntingGrid(spots, c.o)
		for i, on := range grid {
			if want := c.period > 0 && i%c.period == c.first; on != want {
				t.Errorf("%+v: diagonal %d is on the grid: %v", c.o, i, on)
			}
		}
	}
}

// TestCommodoreIsStrongUnderAllRules compares it with hard where boards are
// small, large, empty and full: its field must settle everywhere.
func TestCommodoreIsStrongUnderAllRules(t *testing.T) {
	for _, rules := range []match.Rules{
		customRules(t, 5, 2, match.TouchCorners), customRules(t, 6, 4, match.TouchAny),
		customRules(t, 8, 7, match.TouchCorners), customRules(t, 8, 4, match.TouchNone),
		customRules(t, 10, 7, match.TouchNone), customRules(t, 15, 3, match.TouchCorners),
	} {
		hard, commodore := mean(t, "hard", rules, 200), mean(t, "commodore", rules, 200)
		t.Logf("%d ships on %d×%d, touching %v: hard %.1f, commodore %.1f", len(rules.Fleet), rules.Size, rules.Size, rules.Contact, hard, commodore)
		if commodore > hard*0.97 {
			t.Errorf("%d ships on %d×%d, touching %v: hard %.1f, commodore %.1f", len(rules.Fleet), rules.Size, rules.Size, rules.Contact, hard, commodore)
		}
	}
}
