package infer

import (
	"broadside/match"
)

// field is where the ships that have not been hit may lie: for each cell the
// chance that one of them covers it.
//
// It counts the places for each length, each place weighed by the chance that
// the other ships leave it free. That chance comes from the field as it was
// one shot before, which hardly differs: so the field is refined from shot to
// shot, as in methods of mean fields.
//
// Its tables have a margin on all sides, so that nothing has to look for the
// board's edge.
type field struct {
	size       int
	stride     int
	contact    match.Contact
	weight     fieldTable // the weight of each cell, when it was last open
	openWeight fieldTable // the weight of each open cell; 0 elsewhere
	free       fieldTable // the chance that a ship not hit yet covers a cell, but for scale
	scale      float64
	taken      fieldTable   // the chance that any ship covers it
	places     PerLength    // the number of places for each length, weighed
	open       []CellChance // the open cells
}

// fieldTable has an entry for each cell and for the margin around the board.
type fieldTable []float64

// index returns the entry of a cell in the tables.
func (f *field) index(x, y int8) int { return (int(y)+1)*f.stride + int(x) + 1 }

// crowding is how much a ship in or beside a cell lowers the cell's weight. The
// figures are those with which commodore needs the fewest shots.
var crowding = [...]float64{match.TouchNone: 0.6, match.TouchCorners: 0.2, match.TouchAny: 0.1}

func newField(r match.Rules) field {
	// One cell before each row and column, and as many after as the longest
	// ship can stick out.
	stride := r.Size + MaxShip
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

// weigh gives each open cell its weight.
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
		// Half the step keeps the chances from swinging to and fro.
		f.weight[i] = (f.weight[i] + 1/(1+factor*near)) / 2
		f.openWeight[i] = f.weight[i]
	}
}

// count computes the chances of the free ships from the weights. It is told
// how many of each length to expect.
func (f *field) count(free *PerLength) {
	var each PerLength // the chance of a place of weight 1
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
	// The places were divided by their number of one shot before. Without this
	// correction, a sum too high and one too low would take turns and grow.
	want, got := 0.0, 0.0
	for l := MinShip; l <= MaxShip; l++ {
		want += free[l] * float64(l)
		got += each[l] * f.places[l] * float64(l)
	}
	f.scale = 0
	if got > 0 {
		f.scale = want / got
	}
}

// chance returns the chance that a ship not hit yet covers a cell.
func (f *field) chance(i int) float64 { return min(1, f.scale*f.free[i]) }

// line counts the places along a row or a column.
func (f *field) line(at, step int, each *PerLength) {
	var ends [match.MaxSize + MaxShip]float64 // chances that end before a cell
	sum := 0.0
	for i := range f.size {
		sum -= ends[i]
		weight, next := f.openWeight[at], at
		for l := MinShip; l <= MaxShip; l++ {
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
