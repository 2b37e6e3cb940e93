package arena

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// series is how one player's games are distributed over numbers of shots.
type series struct {
	name   string
	mean   float64
	games  counts
	shares []float64 // of the games, by bin
}

// series are the distributions that the report shows: of each player of a
// solo, or of each player over all its pairings.
func (r *Report) series() []series {
	var all []series
	find := func(name string) *series {
		for i := range all {
			if all[i].name == name {
				return &all[i]
			}
		}
		all = append(all, series{name: name})
		return &all[len(all)-1]
	}
	take := func(name string, games counts) {
		s := find(name)
		for len(s.games) < len(games) {
			s.games = append(s.games, 0)
		}
		for shots, n := range games {
			s.games[shots] += n
		}
	}
	for i := range r.Results {
		take(r.Results[i].Bot, r.Results[i].Histogram)
	}
	for i := range r.Pairings {
		for _, s := range r.Pairings[i].Sides {
			take(s.Bot, s.Histogram)
		}
	}
	for i := range all {
		all[i].mean = all[i].games.spread().Mean
	}
	return all
}

// bins are the columns of a picture: each stands for width numbers of shots,
// from first on.
type bins struct{ first, width, count int }

// binned sets the shares of all series to common bins, at most most of them,
// and returns the highest share. The last bin is always full, so that no line
// drops at its end for want of numbers.
func binned(all []series, most int) (bins, float64) {
	low, high := math.MaxInt, 0
	for _, s := range all {
		for shots, n := range s.games {
			if n > 0 {
				low, high = min(low, shots), max(high, shots)
			}
		}
	}
	if low > high {
		return bins{}, 0
	}
	b := bins{width: (high-low)/most + 1}
	b.count = (high-low)/b.width + 1
	b.first = high + 1 - b.count*b.width
	highest := 0.0
	for i := range all {
		s := &all[i]
		s.shares = make([]float64, b.count)
		total := float64(s.games.total())
		for shots, n := range s.games {
			if n > 0 {
				s.shares[(shots-b.first)/b.width] += float64(n) / total
			}
		}
		for _, share := range s.shares {
			highest = max(highest, share)
		}
	}
	return b, highest
}

// bars are the eighths of a character cell, from below.
var bars = []rune(" ▁▂▃▄▅▆▇█")

// Histogram draws the distributions of shots for a terminal, one below the
// other on a common axis, each as high as there is room.
func (r *Report) Histogram() string {
	all := r.series()
	b, _ := binned(all, 60)
	if b.count == 0 {
		return ""
	}
	const rows = 4
	widest := 0
	for _, s := range all {
		widest = max(widest, len([]rune(s.name)))
	}
	margin := strings.Repeat(" ", widest+2)
	var out strings.Builder
	for _, s := range all {
		highest := slices.Max(s.shares)
		for row := rows - 1; row >= 0; row-- {
			line := margin
			if row == 0 {
				line = fmt.Sprintf("%-*s", widest+2, s.name)
			}
			for _, share := range s.shares {
				level := int(math.Ceil(share/highest*rows*8-1e-9)) - row*8
				line += string(bars[max(0, min(8, level))])
			}
			out.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	ruler, labels := []rune(strings.Repeat("─", b.count)), []rune(strings.Repeat(" ", b.count+4))
	for i := range b.count {
		first, every := b.first+i*b.width, 10*b.width
		if shots := (first + every - 1) / every * every; shots < first+b.width {
			ruler[i] = '┴'
			copy(labels[i:], []rune(fmt.Sprint(shots)))
		}
	}
	out.WriteString(margin + string(ruler) + "\n" + strings.TrimRight(margin+string(labels), " ") + "\n")
	return out.String()
}

// palette holds colours that stay apart for most eyes, on white and on dark
// grounds.
var palette = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#8c6d31", "#666666", "#b03060"}

// SVG draws the distributions of shots as a picture: a line for each player,
// with its mean.
func (r *Report) SVG() []byte {
	const (
		left, right, top    = 64.0, 24.0, 64.0
		width, height       = 640.0, 300.0
		below, legendHeight = 56.0, 22.0
	)
	all := r.series()
	b, highest := binned(all, 120)
	total := top + height + below + legendHeight*float64(len(all)) + 12
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222">`+"\n",
		left+width+right, total, left+width+right, total)
	fmt.Fprintf(&s, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n")
	fmt.Fprintf(&s, "<text x=\"%.0f\" y=\"26\" font-size=\"17\" font-weight=\"bold\">Shots a game</text>\n", left)
	fmt.Fprintf(&s, "<text x=\"%.0f\" y=\"46\" fill=\"#666\">%s</text>\n", left, html.EscapeString(r.Title()))
	if b.count == 0 {
		s.WriteString("</svg>\n")
		return []byte(s.String())
	}
	step, ceiling := shareAxis(highest / float64(b.width))
	x := func(shots float64) float64 {
		return left + width*(shots-float64(b.first)+0.5*float64(b.width))/float64((b.count+1)*b.width)
	}
	y := func(share float64) float64 { return top + height*(1-share/ceiling) }
	for i := 0; float64(i)*step <= ceiling+1e-9; i++ {
		share := float64(i) * step
		colour := "#e4e4e4"
		if i == 0 {
			colour = "#444"
		}
		fmt.Fprintf(&s, "<line x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", left, left+width, y(share), y(share), colour)
		fmt.Fprintf(&s, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%.4g %%</text>\n", left-8, y(share)+4, 100*share)
	}
	for shots := (b.first + 9) / 10 * 10; shots < b.first+b.count*b.width; shots += 10 * ((b.count*b.width)/120 + 1) {
		fmt.Fprintf(&s, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.0f\" y2=\"%.0f\" stroke=\"#444\"/>\n", x(float64(shots)), x(float64(shots)), top+height, top+height+5)
		fmt.Fprintf(&s, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%d</text>\n", x(float64(shots)), top+height+20, shots)
	}
	fmt.Fprintf(&s, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\" fill=\"#666\">shots</text>\n", left+width, top+height+38)
	for i, k := range all {
		colour := palette[i%len(palette)]
		var line strings.Builder
		for j, share := range k.shares {
			middle := float64(b.first+j*b.width) + float64(b.width-1)/2
			fmt.Fprintf(&line, "%.1f,%.1f ", x(middle), y(share/float64(b.width)))
		}
		points := strings.TrimSpace(line.String())
		first, last := float64(b.first)+float64(b.width-1)/2, float64(b.first+(b.count-1)*b.width)+float64(b.width-1)/2
		fmt.Fprintf(&s, "<polygon points=\"%.1f,%.1f %s %.1f,%.1f\" fill=\"%s\" fill-opacity=\"0.10\"/>\n", x(first), y(0), points, x(last), y(0), colour)
		fmt.Fprintf(&s, "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-linejoin=\"round\"%s/>\n", points, colour, dashes(i))
		fmt.Fprintf(&s, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.0f\" y2=\"%.0f\" stroke=\"%s\" stroke-width=\"1.2\" stroke-dasharray=\"3 3\"/>\n", x(k.mean), x(k.mean), top, top+height, colour)
		row := top + height + below + legendHeight*float64(i)
		fmt.Fprintf(&s, "<line x1=\"%.0f\" x2=\"%.0f\" y1=\"%.0f\" y2=\"%.0f\" stroke=\"%s\" stroke-width=\"3\"%s/>\n", left, left+28, row, row, colour, dashes(i))
		fmt.Fprintf(&s, "<text x=\"%.0f\" y=\"%.0f\">%s: mean %.2f of %d games</text>\n", left+38, row+4, html.EscapeString(k.name), k.mean, k.games.total())
	}
	s.WriteString("</svg>\n")
	return []byte(s.String())
}

// dashes tells the lines apart that have the same colour.
func dashes(i int) string {
	if i < len(palette) {
		return ""
	}
	return ` stroke-dasharray="7 4"`
}

// shareAxis is a round step and the end of an axis that reaches up to highest.
func shareAxis(highest float64) (step, ceiling float64) {
	magnitude := math.Pow(10, math.Floor(math.Log10(highest)))
	for _, m := range []float64{0.1, 0.2, 0.25, 0.5, 1, 2} {
		if step = m * magnitude; highest/step <= 6 {
			break
		}
	}
	return step, step * math.Ceil(highest/step-1e-9)
}
