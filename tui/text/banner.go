package text

import (
	"broadside/tui/term"
	"broadside/tui/term/colour"
)

const productName = "BROADSIDE"

const bannerHeight = 6

// BannerFits reports whether a screen of this size has room for the banner.
func BannerFits(width, height int, d term.Detail) bool {
	return d > term.Letters && width >= 100 && height >= 30
}

// Banner returns a banner with the game's name, a ship and, at the right end of the
// first line, a label.
func Banner(width int, label string, d term.Detail) []string {
	rows := newSky(width)
	rows[0].writeText(width-3-Width(label), label, colour.Text, false)
	drawWord(rows[1:4], 3, wordPixels(productName), colour.Logo0, d)
	drawWord(rows[1:4], width-22, ship, colour.Steel0, d)
	rows[4].drawWaves()
	rows[5].drawWater(0, false, d)
	return renderRows(rows)
}

// WordBanner returns a banner with another word and, beside it, up to three lines of text. The word's
// gradient starts with the colour from: Logo0, Win0 or Loss0.
func WordBanner(width int, large string, from colour.Name, beside []string, d term.Detail) []string {
	rows := newSky(width)[:5]
	shape := wordPixels(large)
	drawWord(rows[1:4], 3, shape, from, d)
	for i, l := range beside[:min(3, len(beside))] {
		color := colour.Text
		if i == 2 {
			color = colour.Muted
		}
		rows[1+i].writeText(3+len(shape[0])+3, l, color, i == 0)
	}
	return renderRows(rows)
}

// LargeWordWidth returns the width of a word in large letters, in cells.
func LargeWordWidth(word string) int { return len(wordPixels(word)[0]) }

// newSky returns the banner's rows with the sky's colours, darkest first.
func newSky(width int) []canvas {
	rows := make([]canvas, bannerHeight)
	for y := range rows {
		rows[y] = newCanvas(width, colour.Sky0+colour.Name(min(3, y)))
	}
	return rows
}

// drawWord draws six rows of pixels in three rows, in six colours from from.
func drawWord(rows []canvas, x int, shape [6]string, from colour.Name, d term.Detail) {
	for y, row := range rows {
		n := colour.Name(2 * y)
		row.drawPixels(x, shape[2*y], shape[2*y+1], from+n, from+n+1, d)
	}
}

func renderRows(rows []canvas) []string {
	all := make([]string, len(rows))
	for y, row := range rows {
		all[y] = row.renderColumns(0, len(row))
	}
	return all
}

// StartScene returns the first screen: the game's name above the sea, a line of text below it,
// and a block in front of the sea. Drawing it takes longer than anything else that the server does for a new
// session.
func StartScene(width, height int, line string, block []string, d term.Detail) []string {
	top := max(0, min(3, (height-22)/2)) // the number of rows above the name
	rows := make([]canvas, height)
	for y := range rows {
		rows[y] = newCanvas(width, colour.Sky0+colour.Name(min(3, max(0, y-top+1))))
		if y > top+3 {
			rows[y].drawWater(y, y > top+6, d)
		}
	}
	for i := range top * width / 40 {
		const star = "·"
		rows[i%max(1, top)].writeText((i*37+11)%width, star, colour.Muted, false)
	}
	shape := wordPixels(productName)
	left := max(0, (width-len(shape[0])-2-len(ship[0]))/2)
	drawWord(rows[top:top+3], left, shape, colour.Logo0, d)
	drawWord(rows[top:top+3], left+len(shape[0])+2, ship, colour.Steel0, d)
	rows[top+3].drawWaves()
	rows[top+5].writeText((width-Width(line))/2, line, colour.Text, true)
	drawn, across := renderRows(rows), MaxWidth(block)
	left = (width - across) / 2
	for i, l := range block {
		y := top + 7 + i
		if y < height {
			drawn[y] = rows[y].renderColumns(0, left) + l + rows[y].renderColumns(left+across, width)
		}
	}
	return drawn
}
