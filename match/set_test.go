package match

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSetIsASet checks that the same operations change a Set and a map of cells alike.
func TestSetIsASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(5, MaxSize).Draw(t, "size")
		board := Rules{Size: size}.Cells()
		cells := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Cell {
			return NewCell(rapid.IntRange(0, size-1).Draw(t, "x"), rapid.IntRange(0, size-1).Draw(t, "y"))
		}))
		model := map[Cell]bool{}
		var set Set
		for _, c := range cells.Draw(t, "added") {
			set.Add(c)
			model[c] = true
		}
		for _, c := range cells.Draw(t, "removed") {
			set.Remove(c)
			delete(model, c)
		}
		var other Set
		for _, c := range cells.Draw(t, "other") {
			other.Add(c)
		}
		all := slices.Collect(set.All())
		if len(all) != len(model) || set.Len() != len(model) || set.IsEmpty() != (len(model) == 0) {
			t.Fatalf("%d cells, counted %d, listed %d", len(model), set.Len(), len(all))
		}
		for i, c := range all {
			if set.Nth(i) != c {
				t.Fatalf("cell %d is %v or %v", i, c, set.Nth(i))
			}
			if i > 0 && (c.Y < all[i-1].Y || c.Y == all[i-1].Y && c.X <= all[i-1].X) {
				t.Fatalf("%v is listed after %v", c, all[i-1])
			}
		}
		union, minus, common := set.Union(other), set.Minus(other), set.Intersect(other)
		edges, around := set.edgeNeighbours().Intersect(board), set.allNeighbours().Intersect(board)
		for y := range size {
			for x := range size {
				c := NewCell(x, y)
				in, there := model[c], other.Has(c)
				if set.Has(c) != in || union.Has(c) != (in || there) || minus.Has(c) != (in && !there) || common.Has(c) != (in && there) {
					t.Fatalf("%v is in the wrong sets", c)
				}
				edge, near := false, false
				for m := range model {
					dx, dy := max(m.X-c.X, c.X-m.X), max(m.Y-c.Y, c.Y-m.Y)
					edge = edge || dx+dy <= 1
					near = near || dx <= 1 && dy <= 1
				}
				if edges.Has(c) != edge || around.Has(c) != near {
					t.Fatalf("%v: the neighbourhoods of %v are wrong", c, all)
				}
			}
		}
		if set.Overlaps(&other) != !common.IsEmpty() || set.IsSubsetOf(&other) != minus.IsEmpty() {
			t.Fatal("overlaps or within is wrong")
		}
		if board.Len() != size*size || !set.IsSubsetOf(&board) {
			t.Fatalf("the board has %d cells", board.Len())
		}
	})
}

// TestSetIgnoresWhatNoBoardHas checks that sets ignore cells outside every board.
func TestSetIgnoresWhatNoBoardHas(t *testing.T) {
	var set Set
	for _, c := range []Cell{{-1, 0}, {0, -1}, {MaxSize, 0}, {0, MaxSize}, {127, 127}, {-128, -128}} {
		set.Add(c)
		set.Remove(c)
		if !set.IsEmpty() || set.Has(c) {
			t.Errorf("%v is in a set", c)
		}
	}
}

// TestClashIsTheHalo checks that Clashes and Halo agree on which ships are too close together.
func TestClashIsTheHalo(t *testing.T) {
	for _, contact := range []Contact{TouchNone, TouchCorners, TouchAny} {
		r := Rules{Size: 7, Contact: contact}
		for n := range r.placeCount(3) {
			at := r.nthPlace(3, n)
			a := at.ship(3)
			halo := contact.Halo(a.Cells())
			for m := range r.placeCount(2) {
				other := r.nthPlace(2, m)
				b := other.ship(2)
				cells := b.Cells()
				if got := contact.Clashes(&at, &other); got != halo.Overlaps(&cells) || got != contact.Clashes(&other, &at) {
					t.Fatalf("contact %v: %v and %v clash: %v", contact, a, b, got)
				}
			}
		}
	}
}
