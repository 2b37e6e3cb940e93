package colour

import "math"

// SeaTone returns the tone of water, from 0 to 3, at a column and a half row. It never changes, so
// terminals receive it only once.
func SeaTone(column, row int) int {
	x, y := float64(column), float64(row)
	u := 0.62*y + 1.25*math.Sin(0.17*x+0.09*y) + 0.6*math.Sin(0.41*x-0.3*y+2)
	return min(3, int(4*(0.5+0.5*math.Sin(u))))
}
