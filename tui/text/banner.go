package text

import (
	"broadside/tui/term"
	"broadside/tui/term/colour"
)

// product is the name of the game.
const product = "BROADSIDE"

// smallHeight is the height of the small banner.
const smallHeight = 6

// BannerFits reports whether a screen of a size has room for the small banner.
func BannerFits(width, height int, d term.Detail) bool {
	return d > term.Letters && width >= 100 && height >= 30
}

// smallBanner is the key of the small banner without its label in a cache.
type smallBanner struct {
	width  int
	detail term.Detail
}

// Banner returns a banner with the name of the game, a ship and, at the right end of the
// first line, a label. All but the first line are shared in a cache: drawing them takes a
// quarter of the time of a view of the lobby.
func Banner(shared *Cache, width int, label string, d term.Detail) []string {
	picture := shared.get(smallBanner{width, d}, func() []string {
		rows := sky(width)[1:]
		word(rows[:3], 3, pixels(product), colour.Logo0, d)
		destroyer(rows[:3], width-22, d)
		rows[3].waves()
		rows[4].water(0, false, d)
		return lines(rows)
	})
	top := term.Pen{Text: colour.Text, Ground: colour.Sky0}.Render(Spaces(width-3-Width(label)) + label + "   ")
	return append([]string{top}, picture...)
}

// WordBanner returns the same banner with another word, whose gradient begins with a colour:
// Logo0, Win0 or Loss0. Beside the word it has up to three lines of
func WordBanner(width int, large string, from colour.Name, beside []string, d term.Detail) []string {
	rows := sky(width)[:5]
	shape := pixels(large)
	word(rows[1:4], 3, shape, from, d)
	for i, l := range beside[:min(3, len(beside))] {
		color := colour.Text
		if i == 2 {
			color = colour.Muted
		}
		rows[1+i].text(3+len(shape[0])+3, l, color, i == 0)
	}
	return lines(rows)
}

// LargeWidth returns the width of a word in large letters.
func LargeWidth(word string) int { return len(pixels(word)[0]) }

// sky returns rows with the colours of the sky, darkest first.
func sky(width int) []canvas {
	rows := make([]canvas, smallHeight)
	for y := range rows {
		rows[y] = newCanvas(width, colour.Sky0+colour.Name(min(3, y)))
	}
	return rows
}

// word draws a word in three rows.
func word(rows []canvas, x int, shape [6]string, from colour.Name, d term.Detail) {
	for y, row := range rows {
		n := colour.Name(2 * y)
		row.blocks(x, shape[2*y], shape[2*y+1], from+n, from+n+1, d)
	}
}

// destroyer draws the ship in three rows.
func destroyer(rows []canvas, x int, d term.Detail) {
	word(rows, x, ship, colour.Steel0, d)
}

// lines returns rows as lines with styles.
func lines(rows []canvas) []string {
	all := make([]string, len(rows))
	for y, row := range rows {
		all[y] = row.line(0, len(row))
	}
	return all
}

// scene is the size of the first screen and the width of its block.
type scene struct{ width, height, blockWidth int }

// StartScene returns the first screen: the name of the game above the sea, with a line of text below it,
// and a block in front of the sea. Drawing it takes longer than all else that the server does for a new
// session.
func StartScene(width, height int, line string, block []string, d term.Detail) []string {
	s := scene{width, height, Widest(block)}
	drawn := make([]string, height)
	for y, row := range s.rows(line, d) {
		if i := y - s.free(); i >= 0 && i < len(block) {
			drawn[y] = row.line(0, s.left()) + block[i] + row.line(s.left()+s.blockWidth, len(row))
		} else {
			drawn[y] = row.line(0, len(row))
		}
	}
	return drawn
}

// top returns the number of rows above the name.
func (s scene) top() int { return max(0, min(3, (s.height-22)/2)) }

// free returns the first row of the block.
func (s scene) free() int { return s.top() + 7 }

// left returns the first column of the block.
func (s scene) left() int { return (s.width - s.blockWidth) / 2 }

// rows returns the picture without the block.
func (s scene) rows(line string, d term.Detail) []canvas {
	top := s.top()
	rows := make([]canvas, s.height)
	for y := range rows {
		rows[y] = newCanvas(s.width, colour.Sky0+colour.Name(min(3, max(0, y-top+1))))
		if y > top+3 {
			rows[y].water(y, y > top+6, d)
		}
	}
	for i := range top * s.width / 40 { // stars
		y, x := i%max(1, top), (i*37+11)%s.width
		rows[y].text(x, "·", colour.Muted, false)
	}
	shape := pixels(product)
	left := max(0, (s.width-len(shape[0])-2-len(ship[0]))/2)
	word(rows[top:top+3], left, shape, colour.Logo0, d)
	destroyer(rows[top:top+3], left+len(shape[0])+2, d)
	rows[top+3].waves()
	rows[top+5].text((s.width-Width(line))/2, line, colour.Text, true)
	return rows
}
