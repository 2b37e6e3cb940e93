package bots

import (
	"cmp"
	"slices"

	"broadside/match"
)

// tracker follows the ships of the opponent as they move. It keeps a number of
// courses that the game may have taken. Each says by which habit the fleet
// moves and which ship took each hit; given that, it has a belief over where
// each ship lies by now. An answer makes courses likelier or less likely, and a
// hit makes several of one, one for each ship that may have taken it. The
// likeliest are kept. Beside them it holds for possible, as long as it is, that
// nothing has moved at all. It shoots where a part not hit is most likely.
type tracker struct {
	base
	roads   *roads
	starts  []match.Layout // of the opponent in earlier games
	courses []*course
	ready   bool           // the courses have room and chances for the next shot
	recent  []uint16       // the last shots, into which no ship moves
	barred  [][]bool       // by length and place: whether it covers one of them
	scratch []float32      // by place and damage, all 0 between uses
	touched []int32        // what is not 0 of it
	memory  [][]float32    // by cell each, for the work on one course at a time
	last    []match.Result // by cell: the last answer
	dry     int            // shots since the last one that hit what was not known to be there
	still   *anchor        // that nothing has moved; nil before the first shot and once that is over
	sailed  bool           // a ship has moved, in all likelihood
}

const (
	// mostCourses bounds the time for a shot to about a millisecond.
	mostCourses = 20
	// patience is for how many shots without news it believes what it does.
	patience = 25
	// pursuit is what a part of a ship that was hit counts for more: who does not
	// go after it loses its track.
	pursuit = 3
	// doubt is the share that the least likely habit keeps: opponents change.
	doubt = 0.02
)

// habit is a way in which a fleet may be moved.
type habit struct {
	prior   float64
	moves   float32                   // how many of its ships move in a turn
	turning [match.Manoeuvres]float32 // how often it makes each manoeuvre
	ordered bool                      // it makes the first that is legal, rather
}

// fleetHabits are what fleets may do: the documented way, anything, and hardly
// anything.
func fleetHabits(moving bool) []habit {
	if !moving {
		return []habit{{prior: 1}}
	}
	return []habit{
		{prior: 0.4, moves: 1, ordered: true},
		{prior: 0.3, moves: 0.9, turning: [match.Manoeuvres]float32{0.35, 0.35, 0.15, 0.15}},
		{prior: 0.3, moves: 0.02, turning: [match.Manoeuvres]float32{0.35, 0.35, 0.15, 0.15}},
	}
}

func newTracker(c Config) *tracker {
	b := &tracker{base: base{c.Rules, c.Rand}, sailed: !c.Rules.Moving}
	if c.Memory != nil {
		b.starts = c.Memory.Layouts
	}
	if c.Rules.Same(match.Naval()) {
		b.roads = navalRoads()
	} else {
		b.roads = newRoads(c.Rules)
	}
	b.barred = make([][]bool, longest+1)
	most := 0
	for length := range b.roads.lanes {
		n := len(b.roads.lanes[length].cells)
		b.barred[length] = make([]bool, n)
		most = max(most, n<<length)
	}
	b.scratch = make([]float32, most)
	b.last = make([]match.Result, c.Rules.Size*c.Rules.Size)
	b.begin()
	return b
}

func (*tracker) afloat() {}

// begin forgets everything.
func (b *tracker) begin() {
	b.courses = nil
	for _, h := range fleetHabits(b.rules.Moving) {
		b.courses = append(b.courses, newCourse(b.roads, h))
		if len(b.starts) > 0 {
			a := newCourse(b.roads, h)
			a.recall(b.roads, b.starts)
			b.courses = append(b.courses, a)
		}
	}
	b.ready = false
}

// startAnew begins anew with what is certain. Courses that are all wrong can go
// on to agree with the answers, and lead to the same few cells again and again.
func (b *tracker) startAnew(chart *match.Chart) {
	b.starts, b.dry = nil, 0
	b.begin()
	gone := chart.Sunk.Union(chart.Deduced)
	for _, a := range b.courses {
		for length := range a.whole {
			s := &a.whole[length]
			if s.n == 0 {
				continue
			}
			s.n = int(chart.Afloat[length])
			for c := range gone.All() {
				for _, t := range b.roads.lanes[length].through[int(c.Y)*b.rules.Size+int(c.X)] {
					s.p[t.place] = 0
				}
			}
			if !s.normalize() {
				s.n = 0
			}
		}
	}
}

// prepare has every course work out what its ships leave to each other.
func (b *tracker) prepare() {
	if b.ready {
		return
	}
	b.ready = true
	for _, a := range b.courses {
		b.makeRoom(a)
	}
}

// Fire is where a part of a ship that is not hit is most likely.
func (b *tracker) Fire(chart *match.Chart) match.Cell {
	size := b.rules.Size
	if b.dry >= patience {
		b.startAnew(chart)
	}
	lost := 1 + float64(b.dry*b.dry)/50
	if b.stays() {
		lost *= 1 - b.still.share
	}
	chance := b.chances(pursuit)
	best, most := match.Cell{}, -1.0
	for c := range openCells(chart).All() {
		// Chance decides between cells that are alike.
		p := (chance[int(c.Y)*size+int(c.X)] + lost*stray(chart, c)) * (1 + 0.02*b.rng.Float64())
		if p > most {
			best, most = c, p
		}
	}
	return best
}

// watch begins to weigh that nothing moves, before the first shot.
func (b *tracker) watch() {
	if b.still == nil && !b.sailed {
		b.still = newAnchor(b.base)
	}
}

// stays tells whether it may be that no ship has moved.
func (b *tracker) stays() bool {
	if b.watch(); b.still != nil && !b.still.think() {
		b.still, b.sailed = nil, true
	}
	return !b.sailed
}

// chances is, by cell, how likely a part not hit lies there. Ships that were hit
// before count for more by a factor.
func (b *tracker) chances(wounded float64) []float64 {
	b.prepare()
	chance := make([]float64, b.rules.Size*b.rules.Size)
	for _, a := range b.courses {
		a.spread(b.roads, chance, wounded)
	}
	if b.still != nil {
		for c := range chance {
			chance[c] = (1-b.still.share)*chance[c] + b.still.share*b.still.cells[c]
		}
	}
	return chance
}

// stray is the chance that a cell holds what was lost track of, which grows with
// the time since somebody looked.
func stray(chart *match.Chart, c match.Cell) float64 {
	const most = 1e-3
	age := chart.Age(c)
	if age < 0 {
		age = chart.Fired
	}
	return most * float64(age) / float64(chart.Fired+1)
}

// verdict is a course after an answer: what it is made of, and how likely it
// is. It is not made before it is known to be one of the likeliest.
type verdict struct {
	from   *course
	length int // of the ship hit, if it was not hit before; or 0
	ship   int // the number among those hit before; or -1
	weight float64
}

// Told follows an answer, and then lets ships move.
func (b *tracker) Told(cell match.Cell, r match.Result) {
	b.prepare()
	b.watch()
	b.ready = false
	c := uint16(int(cell.Y)*b.rules.Size + int(cell.X))
	if b.dry++; r != match.Water && r != b.last[c] {
		b.dry = 0
	}
	b.last[c] = r
	var all []verdict
	for _, a := range b.courses {
		all = a.judge(b.roads, c, r, all)
	}
	if b.still != nil {
		foretold := 0.0
		for _, v := range all {
			foretold += v.weight
		}
		if !b.still.told(int(c), r, foretold) {
			b.still, b.sailed = nil, true
		}
	}
	before := b.courses
	b.courses = nil
	for _, v := range likeliest(all) {
		if a := v.from.after(b.roads, c, r, v); a != nil {
			b.courses = append(b.courses, a)
		}
	}
	b.bar(c)
	if len(b.courses) == 0 { // nothing that was followed explains it
		for _, a := range before {
			b.courses = append(b.courses, a.amend(b.roads, c, r))
		}
	}
	for _, a := range b.courses {
		b.move(a)
	}
}

// likeliest is the likeliest verdicts, and the likeliest one for each habit.
func likeliest(all []verdict) []verdict {
	slices.SortStableFunc(all, func(x, y verdict) int { return cmp.Compare(y.weight, x.weight) })
	var kept []verdict
	total := 0.0
	shares := map[habit]float64{}
	for _, v := range all {
		if v.weight > 0 && (len(kept) < mostCourses || shares[v.from.habit] == 0) {
			kept = append(kept, v)
			total += v.weight
			shares[v.from.habit] += v.weight
		}
	}
	sum := 0.0
	for i := range kept {
		v := &kept[i]
		share := shares[v.from.habit]
		v.weight *= max(share/total, doubt) / share
		sum += v.weight
	}
	for i := range kept {
		kept[i].weight /= sum
	}
	return kept
}

// bar notes the places into which no ship moves for fear of the last shots.
func (b *tracker) bar(c uint16) {
	if b.recent = append(b.recent, c); len(b.recent) > 3 {
		b.recent = b.recent[1:]
	}
	for length, places := range b.barred {
		clear(places)
		if len(places) == 0 {
			continue
		}
		for _, shot := range b.recent {
			for _, t := range b.roads.lanes[length].through[shot] {
				places[t.place] = true
			}
		}
	}
}
