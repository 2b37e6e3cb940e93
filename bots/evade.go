package bots

import (
	"cmp"
	"slices"

	"broadside/match"
)

// evade moves ships out of the cells that the opponent is expected to shoot at next. It
// compares the shots so far with models of how people and programs search: orders of the
// whole board (rows, patterns, Hilbert curves, branches, sweeps, the previous search, and
// earlier games), diagonal grids, and hunts around hits. The better a model has predicted
// the last shots, the higher the danger of its next cells. The danger to a ship is the
// danger to its unhit parts. evade makes the legal move that reduces the danger most.
type evade struct {
	base
	orders []*foretold
	seen   int                    // number of the opponent's shots
	pass   match.Set              // cells shot at in the current search of the board
	path   []match.Cell           // of that search, without hunts
	grid   [gridPeriods][]float64 // by period, the share of each class in the last shots of the search
	hunts  float64                // probability that a hit is followed up, 0 to 1
	last   match.Shot             // the last shot that was not part of a hunt
}

// foretold is a possible order in which the opponent searches the board.
type foretold struct {
	cells []match.Cell
	rank  []int   // of each cell, by number
	trust float64 // how well it has predicted the last shots, 0 to 1
}

const (
	gridPeriods = 5    // diagonal grids have periods up to 4
	forget      = 0.85 // weight of old observations after a new one
	farthest    = 12   // number of future shots that an order predicts
	hotShots    = 16   // number of shots during which a hit may be followed up
)

func newEvade(c Config) *evade {
	b := &evade{base: base{rules: c.Rules, rng: c.Rand}, hunts: 0.7}
	size := c.Rules.Size
	add := func(order []match.Cell) {
		if len(order) == size*size {
			b.orders = append(b.orders, newForetold(size, order))
		}
	}
	add(learnedOrder(c))
	for mirror := range 8 {
		var rows, hilbert []match.Cell
		for _, cell := range OrderedSequence(c.Rules) {
			rows = append(rows, mirrored(size, int(cell.X), int(cell.Y), mirror))
		}
		add(rows)
		for _, cell := range hilbertOrder(size) {
			hilbert = append(hilbert, mirrored(size, int(cell.X), int(cell.Y), mirror))
		}
		add(hilbert)
		add(branchOrder(size, mirror))
	}
	for distance := 2; distance <= 12 && distance < size*size; distance++ {
		order, err := PatternSequence(c.Rules, []int{distance})
		if err == nil {
			add(order)
		}
	}
	for start := range 4 {
		var order []match.Cell
		var taken match.Set
		for _, period := range [...]int{4, 2, 1} {
			for _, cell := range OrderedSequence(c.Rules) {
				if !taken.Has(cell) && (int(cell.X)-int(cell.Y)-start)%period == 0 {
					taken.Add(cell)
					order = append(order, cell)
				}
			}
		}
		add(order)
	}
	for m := 2; m < gridPeriods; m++ {
		b.grid[m] = make([]float64, m)
	}
	return b
}

func newForetold(size int, order []match.Cell) *foretold {
	f := &foretold{cells: order, rank: make([]int, size*size)}
	for i, cell := range order {
		f.rank[int(cell.Y)*size+int(cell.X)] = i
	}
	return f
}

// learnedOrder returns the opponent's order of shots in earlier games, or nil if it is
// unknown.
func learnedOrder(c Config) []match.Cell {
	m := c.Memory
	if m == nil || m.Games == 0 {
		return nil
	}
	order := OrderedSequence(c.Rules)
	turn := func(cell match.Cell) float64 {
		i := m.Index(cell)
		if m.Shots[i] == 0 {
			return 1e9
		}
		return float64(m.Turns[i]) / float64(m.Shots[i])
	}
	slices.SortStableFunc(order, func(x, y match.Cell) int { return cmp.Compare(turn(x), turn(y)) })
	return order
}

// Move implements [Bot]. It returns the move that reduces the danger most.
func (b *evade) Move(status match.FleetStatus) match.Move {
	b.follow(status.EnemyShots)
	danger := b.danger(status.EnemyShots)
	best, least := match.Stay, -0.01
	for i, ship := range status.Layout {
		if status.Damage.IsSunk(i, ship.Length) {
			continue
		}
		now := b.risk(danger, &status, i, ship)
		for m := range match.MoveKind(match.MoveKinds) {
			to := m.Apply(ship)
			if !b.rules.Contains(to.Stern) || !b.rules.Contains(to.Bow()) {
				continue
			}
			change := b.risk(danger, &status, i, to) - now
			if change < least && status.CheckMove(match.NewMove(i, m)) == nil {
				best, least = match.NewMove(i, m), change
			}
		}
	}
	return best
}

// risk returns the danger to the unhit parts of a ship.
func (b *evade) risk(danger []float64, status *match.FleetStatus, i int, ship match.Ship) float64 {
	sum := 0.0
	for n := range ship.Length {
		if !status.Damage.IsHit(i, n) {
			sum += danger[b.number(ship.Stern.Step(ship.Heading, n))]
		}
	}
	return sum
}

// follow updates the models with new shots.
func (b *evade) follow(fire []match.Shot) {
	for ; b.seen < len(fire); b.seen++ {
		shot := fire[b.seen]
		hot := b.hunted(fire[:b.seen])
		if !hot.IsEmpty() {
			hit := 0.0
			if hot.Has(shot.Cell) {
				hit = 1
			}
			b.hunts = forget*b.hunts + (1-forget)*hit
			if hot.Has(shot.Cell) {
				b.pass.Add(shot.Cell)
				continue
			}
		}
		if b.pass.Has(shot.Cell) { // a new search begins
			if len(b.path) > b.rules.Size {
				b.recall()
			}
			b.pass, b.path = match.Set{}, nil
		}
		for _, o := range b.orders {
			right := 0.0
			if b.last.Number > 0 {
				right = b.foretells(o, shot.Cell)
			}
			o.trust = forget*o.trust + (1-forget)*right
		}
		for m := 2; m < gridPeriods; m++ {
			for k := range b.grid[m] {
				b.grid[m][k] *= forget
			}
			b.grid[m][(int(shot.Cell.X)+int(shot.Cell.Y))%m] += 1 - forget
		}
		b.pass.Add(shot.Cell)
		b.path = append(b.path, shot.Cell)
		b.last = shot
	}
}

// recall adds the order of the search that has ended, followed by the remaining cells.
func (b *evade) recall() {
	order := slices.Clone(b.path)
	rest := b.rules.Cells()
	for _, c := range order {
		rest.Remove(c)
	}
	for c := range rest.All() {
		order = append(order, c)
	}
	b.orders = append(b.orders, newForetold(b.rules.Size, order))
}

// foretells returns how well an order predicts a cell: 1 if the cell is next, less if cells
// are skipped.
func (b *evade) foretells(o *foretold, cell match.Cell) float64 {
	gap := 0
	for c := range b.ahead(o) {
		if c == cell {
			return 1 / float64(1+gap)
		}
		if gap++; gap > 3 {
			break
		}
	}
	return 0
}

// ahead yields the cells of an order after the last shot of the search, except cells
// already shot at in it.
func (b *evade) ahead(o *foretold) func(func(match.Cell) bool) {
	return func(yield func(match.Cell) bool) {
		from := -1
		if b.last.Number > 0 {
			from = o.rank[b.number(b.last.Cell)]
		}
		for n := 1; n <= len(o.cells); n++ {
			c := o.cells[(from+n)%len(o.cells)]
			if !b.pass.Has(c) && !yield(c) {
				return
			}
		}
	}
}

// hunted returns the cells that may be shot at next in a hunt: those that continue from
// recent hits along four arms each.
func (b *evade) hunted(fire []match.Shot) match.Set {
	var hot match.Set
	b.arms(fire, func(c match.Cell, _ int) { hot.Add(c) })
	return hot
}

// arms calls add for the cells on the arms around recent hits, with their distance, from 1,
// from the last cell shot at. An arm ends at a recent miss.
func (b *evade) arms(fire []match.Shot, add func(c match.Cell, far int)) {
	recent := fire[max(0, len(fire)-hotShots):]
	at := func(c match.Cell) match.Result {
		for i := len(recent) - 1; i >= 0; i-- {
			if recent[i].Cell == c {
				return recent[i].Result
			}
		}
		return 0
	}
	over := slices.IndexFunc(recent, func(s match.Shot) bool { return s.Result == match.Sunk })
	if over >= 0 {
		recent = recent[over+1:]
	}
	for _, shot := range recent {
		if shot.Result != match.Hit || at(shot.Cell) != match.Hit {
			continue
		}
		for h := match.North; h <= match.West; h++ {
			far := 0
			for n := 1; n <= armLength; n++ {
				c := shot.Cell.Step(h, n)
				if !b.rules.Contains(c) || at(c) == match.Miss || at(c) == match.Sunk {
					break
				}
				if at(c) == match.Hit {
					continue
				}
				far++
				add(c, far)
			}
		}
	}
}

// danger returns, for each cell by number, the approximate number of expected shots at it.
// Earlier shots count more.
func (b *evade) danger(fire []match.Shot) []float64 {
	danger := make([]float64, b.rules.Size*b.rules.Size)
	search := b.addHunt(danger, fire)
	trust := b.addOrder(danger, search)
	b.addRest(danger, search*(1-trust))
	return danger
}

// addHunt adds the danger of a hunt around recent hits. It returns the probability that the
// next shot belongs to the search.
func (b *evade) addHunt(danger []float64, fire []match.Shot) (search float64) {
	hunt := make([]float64, len(danger))
	total := 0.0
	b.arms(fire, func(c match.Cell, far int) {
		w := 1 / float64(far*far)
		hunt[b.number(c)] += w
		total += w
	})
	if total == 0 {
		return 1
	}
	for i, w := range hunt {
		danger[i] += 3 * b.hunts * w / total
	}
	return 1 - b.hunts
}

// addOrder adds the danger of the next cells of the most trusted order, and returns the trust
// in it.
func (b *evade) addOrder(danger []float64, search float64) (trust float64) {
	var best *foretold
	for _, o := range b.orders {
		if best == nil || o.trust > best.trust {
			best = o
		}
	}
	trust = best.trust
	if trust < 0.25 {
		trust = 0
	}
	near := 1.0
	n := 0
	for c := range b.ahead(best) {
		danger[b.number(c)] += search * trust * near
		near *= 0.9
		if n++; n == farthest {
			break
		}
	}
	return trust
}

// addRest spreads the remaining probability over the cells not yet searched, favouring the
// opponent's grid.
func (b *evade) addRest(danger []float64, rest float64) {
	left := b.rules.Cells().Minus(b.pass)
	factor := func(c match.Cell) float64 {
		f := 1.0
		for m := 2; m < gridPeriods; m++ {
			share := b.grid[m][(int(c.X)+int(c.Y))%m]
			if slices.Max(b.grid[m]) > 0.8 {
				f *= max(0.1, share) * float64(m)
			}
		}
		return f
	}
	all := 0.0
	for c := range left.All() {
		all += factor(c)
	}
	for c := range left.All() {
		danger[b.number(c)] += rest * 8 * factor(c) / all
	}
}
