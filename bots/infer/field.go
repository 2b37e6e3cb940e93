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
	size       int
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
		size: r.Size, stride: stride, contact: r.Contact,
		weight: table(), openWeight: table(), free: table(), taken: table(),
	}
	for c := range r.Board().All() {
		f.weight[f.index(c.X, c.Y)] = 1
	}
	return f
}

// weigh updates the weight of each open cell.
func (f *field) weigh(open match.Set) {
	clear(f.openWeight)
	f.open = f.open[:0]
	t := f.taken
	factor := crowding[f.contact]
	for c := range open.All() {
		i := f.index(c.X, c.Y)
		f.open = append(f.open, CellChance{Cell: c, at: i})
		near := t[i]
		if f.contact != match.TouchAny {
			near += t[i-1] + t[i+1] + t[i-f.stride] + t[i+f.stride]
		}
		if f.contact == match.TouchNone {
			near += t[i-f.stride-1] + t[i-f.stride+1] + t[i+f.stride-1] + t[i+f.stride+1]
		}
		// Half steps prevent oscillation.
		f.weight[i] = (f.weight[i] + 1/(1+factor*near)) / 2
		f.openWeight[i] = f.weight[i]
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
	clear(f.free)
	f.places = PerLength{}
	for i := range int8(f.size) {
		f.line(f.index(0, i), 1, &each)
		f.line(f.index(i, 0), f.stride, &each)
	}
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

// chance returns the probability that an unhit ship covers a cell.
func (f *field) chance(i int) float64 { return min(1, f.scale*f.free[i]) }

// line counts the places along a row or a column.
func (f *field) line(at, step int, each *PerLength) {
	var ends [match.MaxSize + match.MaxLength]float64 // sums over places that end before a cell
	sum := 0.0
	for i := range f.size {
		sum -= ends[i]
		weight, next := f.openWeight[at], at
		for l := match.MinLength; l <= match.MaxLength; l++ {
			next += step
			weight *= f.openWeight[next]
			if weight == 0 {
				break
			}
			f.places[l] += weight
			chance := weight * each[l]
			ends[i+l] += chance
			sum += chance
		}
		f.free[at] += sum
		at += step
	}
}
