package match

import "slices"

// The limits of rules include both ends. They are for the cells along a side of the board, the
// ships in a fleet and the cells in a ship. A board of MaxSize has one row for each letter.
const (
	MinSize, MaxSize     = 5, 26
	MinShips, MaxShips   = 1, 10
	MinLength, MaxLength = 2, 5
)

// smallestSize[n-1] is the size of the smallest board for the first n ships of the standard
// list. It saves [Rules.Validate] a long search.
var smallestSize = [...][MaxShips]int{
	TouchNone:    {5, 5, 5, 6, 7, 7, 8, 8, 10, 10},
	TouchCorners: {5, 5, 5, 6, 6, 7, 7, 8, 9, 10},
	TouchAny:     {5, 5, 5, 5, 5, 5, 5, 6, 6, 6},
}

// standardShips returns the first n ships of the standard list, longest first.
func standardShips(n int) []Class {
	fleet := slices.Clone(standardFleet[:n])
	slices.SortStableFunc(fleet, func(a, b Class) int { return b.Length - a.Length })
	return fleet
}

// checkBoardSize returns an error if the board is too small for a fleet of the standard list.
func (r Rules) checkBoardSize() error {
	n := len(r.Fleet)
	size := smallestSize[r.Contact][n-1]
	if r.Size < size {
		return NewProblem("%d ships do not fit on %d×%d: choose a size from %d or fewer ships", n, r.Size, r.Size, size)
	}
	return nil
}
