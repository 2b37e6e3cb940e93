package board

import (
	"sync"

	"broadside/tui/term/colour"
)

// Size of the swell: the largest board in the largest form, in columns and half rows.
const (
	swellColumns = 26*6 + 1
	swellRows    = 26*3*2 + 1
)

// swellTones returns the tones of a board's water.
var swellTones = sync.OnceValue(func() *[swellRows][swellColumns]colour.Name {
	var tones [swellRows][swellColumns]colour.Name
	for row := range tones {
		for column := range tones[row] {
			tones[row][column] = colour.Name(colour.SeaTone(column, row))
		}
	}
	return &tones
})
