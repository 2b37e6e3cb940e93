package bots

import (
	"cmp"
	"slices"

	"broadside/match"
)

// evadeMover moves ships out of the cells that the opponent is expected to fire at next. It
// compares the shots so far with models of how players and programs search: orders of the
// whole board (rows, patterns, Hilbert curves, branches, sweeps, the previous search, and
// earlier games), diagonal grids, and hunts around hits. The better a model has predicted
// the last shots, the higher its next cells' danger. The danger to a ship is the
// danger to its unhit parts. evade makes the legal move that reduces the danger most.
type evadeMover struct {
	base
	orders []*predictedOrder
	// shotsSeen is the number of the opponent's shots that observe has seen.
	shotsSeen int
	// searched has the cells fired at in the current search of the board.
	searched match.Set
	// searchPath has this search's shots, except hunts.
	searchPath []match.Cell
	// gridShares has, by period, each diagonal's share of the search's last shots.
	gridShares [gridPeriods][]float64
	// huntProbability is the probability that a hit is followed up.
	huntProbability float64
	// last is the last shot that was not part of a hunt.
	last match.Shot
}

// predictedOrder is a possible order in which the opponent searches the board.
type predictedOrder struct {
	cells []match.Cell
	// rank has, by the cell's index, its place in the order.
	rank []int
	// trust is how well the order has predicted the last shots, from 0 to 1.
	trust float64
}

const (
	// gridPeriods allows periods of diagonal grids up to 4.
	gridPeriods = 5
	// decay is the weight of old observations after a new one.
	decay = 0.85
	// maxPredicted is the number of future shots that an order predicts.
	maxPredicted = 12
	// hotShots is the number of shots during which a hit may be followed up.
	hotShots = 16
)

func newEvadeMover(c Config) *evadeMover {
	b := &evadeMover{base: base{rules: c.Rules, rng: c.Rand}, huntProbability: 0.7}
	size := c.Rules.Size
	add := func(order []match.Cell) {
		if len(order) == size*size {
			b.orders = append(b.orders, newPredictedOrder(size, order))
		}
	}
	add(learnedOrder(c))
	for mirror := range 8 {
		var rows, hilbert []match.Cell
		for _, cell := range OrderedSequence(c.Rules) {
			rows = append(rows, mirrorCell(size, int(cell.X), int(cell.Y), mirror))
		}
		add(rows)
		for _, cell := range hilbertOrder(size) {
			hilbert = append(hilbert, mirrorCell(size, int(cell.X), int(cell.Y), mirror))
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
		b.gridShares[m] = make([]float64, m)
	}
	return b
}

func newPredictedOrder(size int, order []match.Cell) *predictedOrder {
	f := &predictedOrder{cells: order, rank: make([]int, size*size)}
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
func (b *evadeMover) Move(status match.FleetStatus) match.Move {
	b.observe(status.EnemyShots)
	danger := b.cellDangers(status.EnemyShots)
	best, least := match.Stay, -0.01
	for i, ship := range status.Layout {
		if status.Damage.IsSunk(i, ship.Length) {
			continue
		}
		now := b.shipDanger(danger, &status, i, ship)
		for m := range match.MoveKind(match.MoveKinds) {
			to := m.Apply(ship)
			if !b.rules.Contains(to.Stern) || !b.rules.Contains(to.Bow()) {
				continue
			}
			change := b.shipDanger(danger, &status, i, to) - now
			if change < least && status.CheckMove(match.NewMove(i, m)) == nil {
				best, least = match.NewMove(i, m), change
			}
		}
	}
	return best
}

// shipDanger returns the danger to a ship's unhit parts.
func (b *evadeMover) shipDanger(danger []float64, status *match.FleetStatus, i int, ship match.Ship) float64 {
	sum := 0.0
	for n := range ship.Length {
		if !status.Damage.IsHit(i, n) {
			sum += danger[b.cellIndex(ship.Stern.Step(ship.Heading, n))]
		}
	}
	return sum
}

// observe updates the models with new shots.
func (b *evadeMover) observe(fire []match.Shot) {
	for ; b.shotsSeen < len(fire); b.shotsSeen++ {
		shot := fire[b.shotsSeen]
		hot := b.huntCells(fire[:b.shotsSeen])
		if !hot.IsEmpty() {
			hit := 0.0
			if hot.Has(shot.Cell) {
				hit = 1
			}
			b.huntProbability = decay*b.huntProbability + (1-decay)*hit
			if hot.Has(shot.Cell) {
				b.searched.Add(shot.Cell)
				continue
			}
		}
		if b.searched.Has(shot.Cell) {
			// A new search starts.
			if len(b.searchPath) > b.rules.Size {
				b.addPastSearch()
			}
			b.searched, b.searchPath = match.Set{}, nil
		}
		for _, o := range b.orders {
			right := 0.0
			if b.last.Number > 0 {
				right = b.predictionScore(o, shot.Cell)
			}
			o.trust = decay*o.trust + (1-decay)*right
		}
		for m := 2; m < gridPeriods; m++ {
			for k := range b.gridShares[m] {
				b.gridShares[m][k] *= decay
			}
			b.gridShares[m][(int(shot.Cell.X)+int(shot.Cell.Y))%m] += 1 - decay
		}
		b.searched.Add(shot.Cell)
		b.searchPath = append(b.searchPath, shot.Cell)
		b.last = shot
	}
}

// addPastSearch adds the order of the finished search, followed by the remaining cells.
func (b *evadeMover) addPastSearch() {
	order := slices.Clone(b.searchPath)
	rest := b.rules.Cells()
	for _, c := range order {
		rest.Remove(c)
	}
	for c := range rest.All() {
		order = append(order, c)
	}
	b.orders = append(b.orders, newPredictedOrder(b.rules.Size, order))
}

// predictionScore returns how well an order predicts a cell: 1 if the cell is next, less if cells
// are skipped.
func (b *evadeMover) predictionScore(o *predictedOrder, cell match.Cell) float64 {
	gap := 0
	for c := range b.upcomingCells(o) {
		if c == cell {
			return 1 / float64(1+gap)
		}
		if gap++; gap > 3 {
			break
		}
	}
	return 0
}

// upcomingCells yields an order's cells after the last shot of the search, except cells
// already fired at in it.
func (b *evadeMover) upcomingCells(o *predictedOrder) func(func(match.Cell) bool) {
	return func(yield func(match.Cell) bool) {
		from := -1
		if b.last.Number > 0 {
			from = o.rank[b.cellIndex(b.last.Cell)]
		}
		for n := 1; n <= len(o.cells); n++ {
			c := o.cells[(from+n)%len(o.cells)]
			if !b.searched.Has(c) && !yield(c) {
				return
			}
		}
	}
}

// huntCells returns the cells that may be fired at next in a hunt: those that continue from
// recent hits along four arms each.
func (b *evadeMover) huntCells(fire []match.Shot) match.Set {
	var hot match.Set
	b.eachArmCell(fire, func(c match.Cell, _ int) { hot.Add(c) })
	return hot
}

// eachArmCell calls add for the cells on the arms around recent hits, with their distance, from 1,
// from the last cell fired at. An arm ends at a recent miss.
func (b *evadeMover) eachArmCell(fire []match.Shot, add func(c match.Cell, far int)) {
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

// cellDangers returns, for each cell by number, the approximate number of expected shots at it.
// Earlier shots count more.
func (b *evadeMover) cellDangers(fire []match.Shot) []float64 {
	danger := make([]float64, b.rules.Size*b.rules.Size)
	search := b.addHuntDanger(danger, fire)
	trust := b.addOrderDanger(danger, search)
	b.addOtherDanger(danger, search*(1-trust))
	return danger
}

// addHuntDanger adds the danger of a hunt around recent hits. It returns the probability that the
// next shot belongs to the search.
func (b *evadeMover) addHuntDanger(danger []float64, fire []match.Shot) (search float64) {
	hunt := make([]float64, len(danger))
	total := 0.0
	b.eachArmCell(fire, func(c match.Cell, far int) {
		w := 1 / float64(far*far)
		hunt[b.cellIndex(c)] += w
		total += w
	})
	if total == 0 {
		return 1
	}
	for i, w := range hunt {
		danger[i] += 3 * b.huntProbability * w / total
	}
	return 1 - b.huntProbability
}

// addOrderDanger adds the danger of the next cells of the most trusted order, and returns the trust
// in it.
func (b *evadeMover) addOrderDanger(danger []float64, search float64) (trust float64) {
	var best *predictedOrder
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
	for c := range b.upcomingCells(best) {
		danger[b.cellIndex(c)] += search * trust * near
		near *= 0.9
		if n++; n == maxPredicted {
			break
		}
	}
	return trust
}

// addOtherDanger spreads the remaining probability over the cells not yet searched, favouring the
// opponent's grid.
func (b *evadeMover) addOtherDanger(danger []float64, rest float64) {
	left := b.rules.Cells().Minus(b.searched)
	factor := func(c match.Cell) float64 {
		f := 1.0
		for m := 2; m < gridPeriods; m++ {
			share := b.gridShares[m][(int(c.X)+int(c.Y))%m]
			if slices.Max(b.gridShares[m]) > 0.8 {
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
		danger[b.cellIndex(c)] += rest * 8 * factor(c) / all
	}
}
