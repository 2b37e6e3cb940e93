package puzzle

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/leaks"
	"broadside/internal/test/must"
	"broadside/match"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// cells is a set of cells of a board with at most 128 cells, which are numbered row by row.
type cells [2]uint64

func newCells(r match.Rules, set match.Set) (all cells) {
	for c := range set.Intersect(r.Cells()).All() {
		n := cellNumber(r, c)
		all[n/64] |= 1 << (n % 64)
	}
	return all
}

func (c cells) meets(other cells) bool    { return c[0]&other[0]|c[1]&other[1] != 0 }
func (c cells) with(other cells) cells    { return cells{c[0] | other[0], c[1] | other[1]} }
func (c cells) without(other cells) cells { return cells{c[0] &^ other[0], c[1] &^ other[1]} }

// first returns the first cell of a set, or an empty set if there is none.
func (c cells) first() cells {
	if c[0] != 0 {
		return cells{c[0] & -c[0]}
	}
	return cells{0, c[1] & -c[1]}
}

// place is a possible place of a ship, with the numbers of its cells.
type place struct {
	ship, halo cells
	numbers    []int
}

func cellNumber(r match.Rules, c match.Cell) int { return int(c.Y)*r.Size + int(c.X) }

// bruteForce counts the layouts that agree with a position's shots, cell by cell. It places the ships one by
// one wherever the results for their own cells allow, first those that explain hits. Ships of the same length count
// as different ones, which does not change the odds.
type bruteForce struct {
	hits cells
	// ships has each ship's possible places.
	ships  [][]place
	placed [match.MaxShips]bool
	total  int
	// counts has the numbers of layouts with a ship in each cell.
	counts [128]int
}

func newBruteForce(at *position) *bruteForce {
	b := &bruteForce{}
	for i, c := range at.Cells {
		if at.Results[i] != match.Miss {
			b.hits = b.hits.with(newCells(at.Rules, match.SetOf(c)))
		}
	}
	for _, class := range at.Rules.Fleet {
		var places []place
		for stern := range at.Rules.Cells().All() {
			for _, heading := range match.Axes {
				s := match.Ship{Stern: stern, Heading: heading, Length: class.Length}
				if at.Rules.Contains(s.Bow()) && isPossible(s.Cells(), class.Length, at) {
					p := place{ship: newCells(at.Rules, s.Cells()), halo: newCells(at.Rules, at.Rules.Contact.Halo(s.Cells()))}
					for c := range s.Cells().All() {
						p.numbers = append(p.numbers, cellNumber(at.Rules, c))
					}
					places = append(places, p)
				}
			}
		}
		b.ships = append(b.ships, places)
	}
	b.total = b.count(len(b.ships), cells{}, cells{})
	return b
}

// isPossible reports whether a ship with these cells agrees with the shots at them.
func isPossible(cells match.Set, length int, at *position) bool {
	hit := 0
	for i, c := range at.Cells {
		if !cells.Has(c) {
			continue
		}
		hit++
		want := match.Hit
		if hit == length {
			want = match.Sunk
		}
		if at.Results[i] != want {
			return false
		}
	}
	return true
}

// count places the other ships, left in number, and returns the number of layouts.
func (b *bruteForce) count(left int, occupied, blocked cells) (layouts int) {
	missing := b.hits.without(occupied).first()
	explains := missing != cells{}
	switch {
	case left == 0 && explains:
		return 0
	case left == 0:
		return 1
	}
	for n, places := range b.ships {
		if b.placed[n] {
			continue
		}
		b.placed[n] = true
		for _, p := range places {
			if p.ship.meets(blocked) || explains && !p.ship.meets(missing) {
				continue
			}
			found := b.count(left-1, occupied.with(p.ship), blocked.with(p.halo))
			for _, n := range p.numbers {
				b.counts[n] += found
			}
			layouts += found
		}
		b.placed[n] = false
		if !explains {
			// The order of ships that explain no hit is fixed, so that each layout counts once.
			break
		}
	}
	return layouts
}

// checkPuzzle checks that a stored puzzle's best shot, ratio and odds are those of brute force.
func checkPuzzle(t *testing.T, stored *store.Puzzle) {
	t.Helper()
	p := must.Get(parsePuzzle(stored))
	at := must.Get(parsePosition(stored.Position))
	b := newBruteForce(&at)
	best := must.Get(match.ParseCell(stored.Best))
	second := 0
	for c := range at.Rules.Cells().All() {
		odds := p.WithAnswer(c).Answer.Odds(c)
		if want := float64(b.counts[cellNumber(at.Rules, c)]) / float64(b.total); math.Abs(odds-want) > 1e-4 {
			t.Errorf("%s, %d shots: odds of %v = %v, want %v", at.Rules.Name, len(at.Cells), c, odds, want)
		}
		if c != best && !slices.Contains(at.Cells, c) {
			second = max(second, b.counts[cellNumber(at.Rules, c)])
		}
	}
	ratio := float64(b.counts[cellNumber(at.Rules, best)]) / float64(second)
	if 10*b.counts[cellNumber(at.Rules, best)] < 13*second || math.Abs(ratio-stored.Ratio) > 1e-6 {
		t.Errorf("%s, %d shots: %v is %v times as good as the second best cell, want %v",
			at.Rules.Name, len(at.Cells), best, ratio, stored.Ratio)
	}
	if p.Chart.Shots.Has(best) || !p.WithAnswer(best).Answer.IsRight() || p.WithAnswer(best).Answer.Share() != 1 {
		t.Errorf("%v is not a right answer", best)
	}
}

// TestPuzzlesAreExact checks a hundred puzzles from games of bots by brute force.
func TestPuzzlesAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for made := 0; made < 100; {
		rules, events, err := PlayBots(rng)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range FindPuzzles(t.Context(), rules, events) {
			checkPuzzle(t, &p)
			made++
		}
	}
}

// TestNoPuzzleIfShipsMove checks rules whose odds cannot be exact.
func TestNoPuzzleIfShipsMove(t *testing.T) {
	if found := FindPuzzles(t.Context(), match.Naval(), nil); found != nil {
		t.Errorf("got %d puzzles", len(found))
	}
}
