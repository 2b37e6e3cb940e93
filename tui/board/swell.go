package board

import (
	"math"
	"sync"

	"broadside/internal/term/colour"
)

// Size of the swell: the largest board in the largest form, in columns and half rows.
const (
	swellColumns = 26*6 + 1
	swellRows    = 26*3*2 + 1
)

// swell returns the tone of the water, from 0 to 3, at each column and half row of a board.
// It never changes, so terminals receive it only once.
var swell = sync.OnceValue(func() *[swellRows][swellColumns]colour.Name {
	var tones [swellRows][swellColumns]colour.Name
	for row := range tones {
		for column := range tones[row] {
			x, y := float64(column), float64(row)
			u := 0.62*y + 1.25*math.Sin(0.17*x+0.09*y) + 0.6*math.Sin(0.41*x-0.3*y+2)
			tones[row][column] = colour.Name(min(3, 4*(0.5+0.5*math.Sin(u))))
		}
	}
	return &tones
})
