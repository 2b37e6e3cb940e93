package infer

import (
	"broadside/match"
)

// field holds, for each cell, the probability that an unhit ship covers it.
//
// It counts the places for each length, weighting each place by the probability that the
// other ships leave it free. That probability comes from the field before the last shot,
// which hardly differs: the field is refined from shot to shot, like a mean-field method.
//
// The tables have a margin on all sides, so that no code has to check for the edge of the
// board.
type field struct {
	stride     int
	contact    match.Contact
	weight     fieldTable // weight of each cell when it was last open
	openWeight fieldTable // weight of each open cell; 0 for other cells
	free       fieldTable // unscaled probability that an unhit ship covers a cell
	scale      float64
	taken      fieldTable   // probability that any ship covers a cell
	places     PerLength    // weighted number of places for each length
	open       []CellChance // the open cells
}

// fieldTable has an entry for each cell of the board and of its margin.
type fieldTable []float64

// index returns the index of a cell in the tables.
func (f *field) index(x, y int8) int { return (int(y)+1)*f.stride + int(x) + 1 }

// crowding is the amount by which a ship in or beside a cell reduces the cell's weight.
// With these values, commodore needs the fewest shots.
var crowding = [...]float64{match.TouchNone: 0.6, match.TouchCorners: 0.2, match.TouchAny: 0.1}

func newField(r match.Rules) field {
	// The margin is one cell before each row and column, and after it as many as the
	// longest ship can extend beyond the board.
	stride := r.Size + match.MaxLength
	table := func() fieldTable { return make(fieldTable, stride*stride) }
	f := field{
		stride: stride, contact: r.Contact,
		weight: table(), openWeight: table(), free: table(), taken: table(),
	}
	f.reset()
	return f
}

// reset resets the field to its state before the first shot.
func (f *field) reset() {
	for i := range f.weight {
		f.weight[i] = 1
	}
	clear(f.taken)
	f.places = PerLength{}
}

// copyFrom copies the state that carries over from one shot to the next.
func (f *field) copyFrom(o *field) {
	copy(f.weight, o.weight)
	copy(f.taken, o.taken)
	f.places = o.places
}

// weigh updates the weight of each open cell.
func (f *field) weigh(open match.Set) {
	clear(f.openWeight)
	cells := f.open[:0]
	for c := range open.All() {
		cells = append(cells, CellChance{Cell: c, at: f.index(c.X, c.Y)})
	}
	f.open = cells
	weight, openWeight, t, stride := f.weight, f.openWeight, f.taken, f.stride
	factor := crowding[f.contact]
	for _, c := range cells {
		i := c.at
		near := t[i]
		if f.contact != match.TouchAny {
			near += t[i-1] + t[i+1] + t[i-stride] + t[i+stride]
		}
		if f.contact == match.TouchNone {
			near += t[i-stride-1] + t[i-stride+1] + t[i+stride-1] + t[i+stride+1]
		}
		// Half steps prevent oscillation.
		w := (weight[i] + 1/(1+factor*near)) / 2
		weight[i], openWeight[i] = w, w
	}
}

// count computes the probabilities of the unhit ships from the weights, given the expected
// number of ships of each length.
func (f *field) count(free *PerLength) {
	var each PerLength // probability of a place of weight 1
	for l, n := range free {
		if f.places[l] > 0 {
			each[l] = n / f.places[l]
		}
	}
	f.countPlaces(&each)
	// The places were divided by their number before the last shot. Without this
	// correction, the sum would alternate between too high and too low with growing
	// amplitude.
	want, got := 0.0, 0.0
	for l := match.MinLength; l <= match.MaxLength; l++ {
		want += free[l] * float64(l)
		got += each[l] * f.places[l] * float64(l)
	}
	f.scale = 0
	if got > 0 {
		f.scale = want / got
	}
}

// cover sets the chance of each open cell and enters it in taken, which has only the hit
// ships so far.
func (f *field) cover() {
	free, taken, scale := f.free, f.taken, f.scale
	for i := range f.open {
		c := &f.open[i]
		struck := taken[c.at]
		c.Chance = struck + (1-struck)*min(1, scale*free[c.at])
		taken[c.at] = c.Chance
	}
}

// countPlaces sums the weights of the places of each length, from [match.MinLength] to
// [match.MaxLength], and adds the chance of each place to its cells.
func (f *field) countPlaces(each *PerLength) {
	clear(f.free)
	weights := f.openWeight
	free := f.free[:len(weights)] // one check of an index is then enough for both
	longest := match.MaxLength    // length of the longest ship that may be unhit
	for longest > match.MinLength && each[longest] == 0 {
		longest--
	}
	var sum2, sum3, sum4, sum5 float64
	for i := range f.open {
		at := f.open[i].at
		for _, step := range [...]int{1, f.stride} {
			place2 := weights[at] * weights[at+step]
			place3 := place2 * weights[at+2*step]
			place4 := place3 * weights[at+3*step]
			place5 := place4 * weights[at+4*step]
			sum2 += place2
			sum3 += place3
			sum4 += place4
			sum5 += place5
			chance := place5 * each[5] // of the places that extend this far
			if longest > 4 {
				free[at+4*step] += chance
			}
			chance += place4 * each[4]
			if longest > 3 {
				free[at+3*step] += chance
			}
			chance += place3 * each[3]
			if longest > 2 {
				free[at+2*step] += chance
			}
			chance += place2 * each[2]
			free[at+step] += chance
			free[at] += chance
		}
	}
	f.places = PerLength{2: sum2, 3: sum3, 4: sum4, 5: sum5}
}
