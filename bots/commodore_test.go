package bots

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"broadside/match"
)

// theoryRules has so few layouts that all can be listed.
func theoryRules(contact match.Contact) match.Rules {
	return match.Rules{Name: "custom", Size: 5, Contact: contact, Fleet: []match.Class{
		{Name: "cruiser", Length: 3}, {Name: "destroyer", Length: 2}, {Name: "destroyer", Length: 2},
	}}
}

// allLayouts lists every legal layout; ships of equal length are told apart.
func allLayouts(r match.Rules) []match.Layout {
	var all []match.Layout
	l := make(match.Layout, len(r.Fleet))
	var place func(i int)
	place = func(i int) {
		if i == len(l) {
			all = append(all, append(match.Layout{}, l...))
			return
		}
		for stern := range r.Board().All() {
			for _, h := range [...]match.Heading{match.East, match.South} {
				l[i] = match.Ship{Stern: stern, Heading: h, Length: r.Fleet[i].Length}
				if r.CheckShip(l, i) == nil {
					place(i + 1)
				}
			}
		}
		l[i] = match.Ship{}
	}
	place(0)
	return all
}

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
		rules := theoryRules(contact)
		all := allLayouts(rules)
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(seed, 1))
			truth := match.NewFleet(all[rng.IntN(len(all))])
			possible := all
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
			all = allLayouts(rules)
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
	rules := theoryRules(match.TouchAny)
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
			f := field{size: 5, contact: match.TouchAny}
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
				if got := f.chance(fieldIndex(c.X, c.Y)); math.Abs(got-want) > 1e-9 {
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
	oneShip := func(length int, contact match.Contact) match.Rules {
		return match.Rules{Name: "custom", Size: 10, Contact: contact, Fleet: []match.Class{{Name: "ship", Length: length}}}
	}
	for _, c := range []struct {
		about string
		rules match.Rules
		told  told
		want  string
	}{
		{"the only gap", oneShip(3, match.TouchCorners), onlyOpen(10, "A1 A2 C3 C4 C5 J9"), "C3 C4 C5"},
		{"the gap with room", oneShip(4, match.TouchCorners), onlyOpen(10, "A1 A2 A3 C1 C2 C3 C4 F5"), "C1 C2 C3 C4"},
		{"where most places are", oneShip(5, match.TouchAny), onlyOpen(10, "E1 E2 E3 E4 E5 E6 E7 E8 E9"), "E5"},
		{"all ways from a hit", oneShip(2, match.TouchCorners), "E5x", "D5 E4 E6 F5"},
		{"along the longer way", oneShip(4, match.TouchCorners), "E5x D5~ G5~", "E4 E6"},
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
	for _, c := range []struct {
		o    outlook
		want diagonals
	}{
		{outlook{free: perLength{2: 1, 5: 1}}, diagonals{2, 1}},
		{outlook{free: perLength{2: 0.01, 3: 2}}, diagonals{3, 1}},
		{outlook{free: perLength{5: 1}}, diagonals{5, 1}},
		{outlook{free: perLength{2: 1}, floating: 0.5}, diagonals{}},
		{outlook{}, diagonals{}},
	} {
		if got := huntingGrid(open, c.o); got != c.want {
			// Two grids may have as few open cells: any of them is right.
			n := [2]int{}
			for i, d := range []diagonals{got, c.want} {
				for cell := range open.All() {
					if d.has(cell) {
						n[i]++
					}
				}
			}
			if got.period != c.want.period || n[0] != n[1] {
				t.Errorf("%+v: %+v, want %+v", c.o, got, c.want)
			}
		}
	}
}
