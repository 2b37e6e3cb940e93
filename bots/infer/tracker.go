package infer

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"broadside/match"
)

// Tracker follows the opponent's ships as they move. It keeps several hypotheses about the
// course of the game. Each assumes a habit by which the fleet moves and a ship for each
// hit, and has a distribution of each ship's places. A result changes the likelihood
// of hypotheses. A hit splits a hypothesis into one for each ship that may have been hit.
// The most likely ones are kept. The Tracker also considers, as long as it is possible,
// that no ship has moved at all.
type Tracker struct {
	rules match.Rules
	rng   *rand.Rand
	moves *moveGraph
	// starts has the opponent's layouts in earlier games.
	starts     []match.Layout
	hypotheses []*hypothesis
	// ready reports whether the room of all hypotheses is up to date.
	ready bool
	// recent has the last cells fired at, into which no ship moves.
	recent []uint16
	// barred marks, by length and place, the places that cover a recent cell.
	barred [][]bool
	// scratch has entries by place and damage. All are 0 between uses.
	scratch []float32
	// touched has the indices of nonzero entries of scratch.
	touched []int32
	// buffers have entries by cell, for one hypothesis at a time.
	buffers [][]float32
	// still is nil before the first shot, and once a ship has moved.
	still *stationary
	// moved reports whether a ship has almost certainly moved.
	moved bool
}

const (
	// maxHypotheses limits the time per shot to about a millisecond.
	maxHypotheses = 20
	// minHabitShare is the minimum share of each habit. Opponents change.
	minHabitShare = 0.02
)

// habit is a way of moving a fleet.
type habit struct {
	prior float64
	// moves is the expected number of ships moved per turn.
	moves float32
	// frequencies has the frequency of each kind of move.
	frequencies [match.MoveKinds]float32
	// ordered means that a ship makes its first legal move instead.
	ordered bool
}

// fleetHabits returns the possible habits: the original one, random moves, and almost no
// moves.
func fleetHabits(moving bool) []habit {
	if !moving {
		return []habit{{prior: 1}}
	}
	return []habit{
		{prior: 0.4, moves: 1, ordered: true},
		{prior: 0.3, moves: 0.9, frequencies: [match.MoveKinds]float32{0.35, 0.35, 0.15, 0.15}},
		{prior: 0.3, moves: 0.02, frequencies: [match.MoveKinds]float32{0.35, 0.35, 0.15, 0.15}},
	}
}

// NewTracker returns a Tracker for one game. The opponent's earlier layouts are more likely
// starts; memory may be nil.
func NewTracker(r match.Rules, memory *Memory, rng *rand.Rand) *Tracker {
	t := &Tracker{rules: r, rng: rng, moved: !r.Moving}
	if memory != nil {
		t.starts = memory.Layouts
	}
	if r.IsEquivalent(match.Naval()) {
		t.moves = navalMoveGraph()
	} else {
		t.moves = newMoveGraph(r)
	}
	t.barred = make([][]bool, match.MaxLength+1)
	most := 0
	for length := range t.moves.lengths {
		if t.moves.lengths[length].Places == nil {
			continue
		}
		n := len(t.moves.lengths[length].Cells)
		t.barred[length] = make([]bool, n)
		most = max(most, n<<length)
	}
	t.scratch = make([]float32, most)
	t.resetHypotheses()
	return t
}

// resetHypotheses creates the hypotheses for a new game.
func (t *Tracker) resetHypotheses() {
	t.hypotheses = nil
	for _, h := range fleetHabits(t.rules.Moving) {
		t.hypotheses = append(t.hypotheses, newHypothesis(t.moves, h))
		if len(t.starts) > 0 {
			a := newHypothesis(t.moves, h)
			a.preferStarts(t.moves, t.starts)
			t.hypotheses = append(t.hypotheses, a)
		}
	}
	t.ready = false
}

// Restart forgets everything except certain facts. Otherwise hypotheses that are all wrong
// may keep agreeing with the results and lead to the same few cells repeatedly.
func (t *Tracker) Restart(chart *match.Chart) {
	t.starts = nil
	t.resetHypotheses()
	gone := chart.Sunk.Union(chart.Deduced)
	for _, a := range t.hypotheses {
		for length, s := range a.unhitByLength() {
			s.count = int(chart.Afloat[length])
			for c := range gone.All() {
				for _, p := range t.moves.lengths[length].Through[int(c.Y)*t.rules.Size+int(c.X)] {
					s.odds[p.Place] = 0
				}
			}
			if !s.normalize() {
				s.count = 0
			}
		}
	}
}

// updateRoom computes the room in every hypothesis, unless it is up to date.
func (t *Tracker) updateRoom() {
	if t.ready {
		return
	}
	t.ready = true
	for _, a := range t.hypotheses {
		t.computeRoom(a)
	}
}

// startStationary creates the stationary hypothesis before the first shot.
func (t *Tracker) startStationary() {
	if t.still == nil && !t.moved {
		t.still = newStationary(t.rules, t.rng)
	}
}

// StationaryOdds returns the probability that no ship has moved, given all results so far.
func (t *Tracker) StationaryOdds() float64 {
	if t.startStationary(); t.still != nil && !t.still.updateShare() {
		t.still, t.moved = nil, true
	}
	if t.still == nil {
		return 0
	}
	return t.still.probability
}

// CellOdds returns the probability of an unhit part, by cell. Probabilities of wounded ships are
// multiplied by a factor, which is 1 for true probabilities.
func (t *Tracker) CellOdds(wounded float64) []float64 {
	t.updateRoom()
	chance := make([]float64, t.rules.Size*t.rules.Size)
	for _, a := range t.hypotheses {
		a.addChances(t.moves, chance, wounded)
	}
	if t.still != nil {
		for c := range chance {
			chance[c] = (1-t.still.probability)*chance[c] + t.still.probability*t.still.cells[c]
		}
	}
	return chance
}

// successor describes a hypothesis after a result. The hypothesis itself is created only
// if it is one of the most likely.
type successor struct {
	from *hypothesis
	// length is the length of the ship hit, if it was unhit before, or 0.
	length int
	// ship is the ship's index among those hit before, or -1.
	ship   int
	weight float64
}

// Add records a result, after which ships may move.
func (t *Tracker) Add(cell match.Cell, r match.Result) {
	t.updateRoom()
	t.startStationary()
	t.ready = false
	c := uint16(int(cell.Y)*t.rules.Size + int(cell.X))
	var all []successor
	for _, a := range t.hypotheses {
		all = a.appendSuccessors(t.moves, c, r, all)
	}
	if t.still != nil {
		foretold := 0.0
		for _, v := range all {
			foretold += v.weight
		}
		if !t.still.observe(cell, r, foretold) {
			t.still, t.moved = nil, true
		}
	}
	before := t.hypotheses
	t.hypotheses = nil
	for _, v := range keepLikeliest(all) {
		a := v.from.advance(t.moves, c, r, v)
		if a != nil {
			t.hypotheses = append(t.hypotheses, a)
		}
	}
	t.excludePlaces(c)
	if len(t.hypotheses) == 0 {
		// No hypothesis explains the result.
		for _, a := range before {
			t.hypotheses = append(t.hypotheses, a.repair(t.moves, c, r))
		}
	}
	for _, a := range t.hypotheses {
		t.applyMoves(a)
	}
}

// keepLikeliest returns the most likely successors, including the most likely one of each
// habit.
func keepLikeliest(all []successor) []successor {
	slices.SortStableFunc(all, func(x, y successor) int { return cmp.Compare(y.weight, x.weight) })
	var kept []successor
	total := 0.0
	shares := map[habit]float64{}
	for _, v := range all {
		if v.weight > 0 && (len(kept) < maxHypotheses || shares[v.from.habit] == 0) {
			kept = append(kept, v)
			total += v.weight
			shares[v.from.habit] += v.weight
		}
	}
	sum := 0.0
	for i := range kept {
		v := &kept[i]
		share := shares[v.from.habit]
		v.weight *= max(share/total, minHabitShare) / share
		sum += v.weight
	}
	for i := range kept {
		kept[i].weight /= sum
	}
	return kept
}

// excludePlaces marks the places that no ship moves into because of the last shots.
func (t *Tracker) excludePlaces(c uint16) {
	t.recent = append(t.recent, c)
	if len(t.recent) > match.BlockedShots {
		t.recent = t.recent[1:]
	}
	for length, places := range t.barred {
		clear(places)
		if len(places) == 0 {
			continue
		}
		for _, shot := range t.recent {
			for _, p := range t.moves.lengths[length].Through[shot] {
				places[p.Place] = true
			}
		}
	}
}
