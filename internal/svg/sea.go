package svg

import (
	"fmt"
	"strings"

	"broadside/tui/term/colour"
)

// seaTones is the number of the sea's tones, from trough to crest.
const seaTones = 4

// patchesPerCell is the number of the swell's patches in a cell, in each direction.
const patchesPerCell = 4

// SeaSymbol returns an SVG element with a board's sea. A page needs it once for all boards of a size. The
// sea has a path for each tone but the first, which is the ground. Cells are squares of 10 units.
func SeaSymbol(size int) string {
	var paths [seaTones]strings.Builder
	const edge = 10.0 / patchesPerCell
	for y := range size * patchesPerCell {
		for x := 0; x < size*patchesPerCell; {
			tone, from := colour.SeaTone(x, y), x
			for x < size*patchesPerCell && colour.SeaTone(x, y) == tone {
				x++
			}
			w := float64(x-from) * edge
			fmt.Fprintf(&paths[tone], "M%g %gh%gv%gh-%gz", float64(from)*edge, float64(y)*edge, w, edge, w)
		}
	}
	var sea strings.Builder
	for tone := 1; tone < seaTones; tone++ {
		fmt.Fprintf(&sea, `<path class="sea%d" d="%s"/>`, tone, &paths[tone])
	}
	const symbol = `<svg width="0" height="0" class="symbols" aria-hidden="true">` +
		`<symbol id="sea-%d" viewBox="0 0 %d %d">%s</symbol></svg>`
	return fmt.Sprintf(symbol, size, 10*size, 10*size, &sea)
}
