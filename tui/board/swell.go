package board

import (
	"math"
	"sync"

	"broadside/tui/term/colour"
)

// Size of the swell: the largest board in the largest form, in columns and half rows.
const (
	swellColumns = 26*6 + 1
	swellRows    = 26*3*2 + 1
)

// Tone returns the tone of water, from 0 to 3, at a column and a half row. It never changes, so
// terminals receive it only once.
func Tone(column, row int) int {
	x, y := float64(column), float64(row)
	u := 0.62*y + 1.25*math.Sin(0.17*x+0.09*y) + 0.6*math.Sin(0.41*x-0.3*y+2)
	return min(3, int(4*(0.5+0.5*math.Sin(u))))
}

// swell returns the tones of the water of a board.
var swell = sync.OnceValue(func() *[swellRows][swellColumns]colour.Name {
	var tones [swellRows][swellColumns]colour.Name
	for row := range tones {
		for column := range tones[row] {
			tones[row][column] = colour.Name(Tone(column, row))
		}
	}
	return &tones
})
