package arena

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"broadside/bots/arena/stats"
)

// series is the distribution of one player's games by number of shots.
type series struct {
	name   string
	mean   float64
	games  stats.Counts
	shares []float64 // of the games, by bin
}

// series returns the distributions in the report: one for each player, over all its
// pairings.
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
	take := func(name string, games stats.Counts) {
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
		all[i].mean = all[i].games.Spread().Mean
	}
	return all
}

// bins are the columns of a chart. Each column covers width numbers of shots, starting at
// first.
type bins struct{ first, width, count int }

// binned sets the shares of all series to common bins, at most most of them, and returns
// the highest share. The last bin always has full width, so that no line drops at its end
// because of a partial bin.
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
		total := float64(s.games.Total())
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

// bars are the eighths of a character cell, from the bottom.
var bars = []rune(" ▁▂▃▄▅▆▇█")

// Histogram draws the distributions of shots for a terminal, one below the other on a
// common axis, using the available height.
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

// SVG draws the distributions of shots as SVG: a line for each player, with its mean.
func (r *Report) SVG() []byte {
	const (
		left, right, top    = 64.0, 24.0, 64.0
		width, height       = 640.0, 300.0
		below, legendHeight = 56.0, 22.0
	)
	all := r.series()
	b, highest := binned(all, 120)
	s := newSVG(left+width+right, top+height+below+legendHeight*float64(len(all))+12)
	s.title(left, "Shots a game", r.Title())
	if b.count == 0 {
		return s.bytes()
	}
	step, ceiling := roundAxis(highest / float64(b.width))
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
		s.line(left, y(share), left+width, y(share), fmt.Sprintf("stroke=%q", colour))
		s.text(left-8, y(share)+4, `text-anchor="end"`, fmt.Sprintf("%.4g%%", 100*share))
	}
	for shots := (b.first + 9) / 10 * 10; shots < b.first+b.count*b.width; shots += 10 * ((b.count*b.width)/120 + 1) {
		s.line(x(float64(shots)), top+height, x(float64(shots)), top+height+5, `stroke="#444"`)
		s.text(x(float64(shots)), top+height+20, `text-anchor="middle"`, fmt.Sprint(shots))
	}
	s.text(left+width, top+height+38, `text-anchor="end" fill="#666"`, "shots")
	middle := func(bin int) float64 { return float64(b.first+bin*b.width) + float64(b.width-1)/2 }
	for i, k := range all {
		colour := palette[i%len(palette)]
		var line strings.Builder
		for j, share := range k.shares {
			fmt.Fprintf(&line, "%.1f,%.1f ", x(middle(j)), y(share/float64(b.width)))
		}
		points := strings.TrimSpace(line.String())
		fmt.Fprintf(&s.b, "<polygon points=\"%.1f,%.1f %s %.1f,%.1f\" fill=\"%s\" fill-opacity=\"0.10\"/>\n",
			x(middle(0)), y(0), points, x(middle(b.count-1)), y(0), colour)
		fmt.Fprintf(&s.b, "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-linejoin=\"round\"%s/>\n", points, colour, dashes(i))
		s.line(x(k.mean), top, x(k.mean), top+height, fmt.Sprintf(`stroke="%s" stroke-width="1.2" stroke-dasharray="3 3"`, colour))
		row := top + height + below + legendHeight*float64(i)
		s.line(left, row, left+28, row, fmt.Sprintf(`stroke="%s" stroke-width="3"%s`, colour, dashes(i)))
		s.text(left+38, row+4, "", fmt.Sprintf("%s: mean %.2f of %d games", k.name, k.mean, k.games.Total()))
	}
	return s.bytes()
}

// dashes returns a dash pattern that distinguishes lines of the same colour.
func dashes(i int) string {
	if i < len(palette) {
		return ""
	}
	return ` stroke-dasharray="7 4"`
}

// roundAxis returns a round step and the upper end of an axis that includes highest.
func roundAxis(highest float64) (step, ceiling float64) {
	magnitude := math.Pow(10, math.Floor(math.Log10(highest)))
	for _, m := range []float64{0.1, 0.2, 0.25, 0.5, 1, 2} {
		if step = m * magnitude; highest/step <= 6 {
			break
		}
	}
	return step, step * math.Ceil(highest/step-1e-9)
}
