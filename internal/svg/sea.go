package svg

import (
	"fmt"
	"strings"
	"sync"

	"broadside/match"
	"broadside/tui/term/colour"
)

// tones is the number of tones of the sea, from trough to crest.
const tones = 4

// The swell has small patches: several per cell in each direction.
const (
	patchesX = 4
	patchesY = 4
)

// seas draws the sea of each size once.
var seas = func() (all [match.MaxSize + 1]func() string) {
	for size := range all {
		all[size] = sync.OnceValue(func() string { return drawSea(size) })
	}
	return all
}()

// sea returns the patches of the sea as one path for each tone but the first, which is the
// ground. Cells are squares of 10 units.
func sea(size int) string { return seas[size]() }

func drawSea(size int) string {
	var paths [tones]strings.Builder
	const width, height = 10.0 / patchesX, 10.0 / patchesY
	for y := range size * patchesY {
		for x := 0; x < size*patchesX; {
			tone, from := colour.SeaTone(x, y), x
			for x < size*patchesX && colour.SeaTone(x, y) == tone {
				x++
			}
			if tone > 0 {
				w := float64(x-from) * width
				fmt.Fprintf(&paths[tone], "M%g %gh%gv%gh-%gz", float64(from)*width, float64(y)*height, w, height, w)
			}
		}
	}
	var s strings.Builder
	for tone := 1; tone < tones; tone++ {
		fmt.Fprintf(&s, `<path class="sea%d" d="%s"/>`, tone, &paths[tone])
	}
	return s.String()
}

// Symbol returns an SVG element with the sea of a board, which a page needs once for all
// boards of a size that [Board.Grid] has drawn on it.
func Symbol(size int) string {
	return fmt.Sprintf(`<svg width="0" height="0" class="symbols" aria-hidden="true"><symbol id="sea-%d" viewBox="0 0 %d %d">%s</symbol></svg>`, size, 10*size, 10*size, sea(size))
}
