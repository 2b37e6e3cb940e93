package arena

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"broadside/bots/arena/stats"
)

// shotSeries is the distribution of one player's games by number of shots.
type shotSeries struct {
	name  string
	games stats.Counts
}

// shotSeries returns the distributions in the report: one for each player, over all its
// pairings.
func (r *Report) shotSeries() []shotSeries {
	var all []shotSeries
	add := func(s *Shots) {
		if s.Games == 0 {
			return
		}
		i := slices.IndexFunc(all, func(x shotSeries) bool { return x.name == s.Bot })
		if i < 0 {
			i = len(all)
			all = append(all, shotSeries{name: s.Bot})
		}
		for shots, n := range s.Histogram {
			all[i].games.AddMany(shots, n)
		}
	}
	for i := range r.Results {
		add(&r.Results[i].Shots)
	}
	for i := range r.Pairings {
		for side := range r.Pairings[i].Sides {
			add(&r.Pairings[i].Sides[side])
		}
	}
	return all
}

// bins are a chart's columns. Each column covers width numbers of shots, starting at
// first.
type bins struct{ first, width, count int }

// newBins returns at most most bins for all series. There are none without games.
func newBins(all []shotSeries, most int) bins {
	low, high := math.MaxInt, 0
	for _, s := range all {
		for shots, n := range s.games {
			if n > 0 {
				low, high = min(low, shots), max(high, shots)
			}
		}
	}
	if low > high {
		return bins{}
	}
	width := (high-low)/most + 1
	count := (high-low)/width + 1
	// The last bin has full width, so that it does not look too low.
	return bins{first: high + 1 - count*width, width: width, count: count}
}

func (b bins) countGames(games stats.Counts) []int64 {
	filled := make([]int64, b.count)
	for shots, n := range games {
		if n > 0 {
			filled[(shots-b.first)/b.width] += n
		}
	}
	return filled
}

// blockLevels are the eighths of a character cell, from the bottom.
var blockLevels = []rune(" ▁▂▃▄▅▆▇█")

// Histogram draws the distributions of shots for a terminal, one below the other on a
// common axis, using the available height.
func (r *Report) Histogram() string {
	all := r.shotSeries()
	b := newBins(all, 60)
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
		games := b.countGames(s.games)
		highest := float64(slices.Max(games))
		for row := rows - 1; row >= 0; row-- {
			line := margin
			if row == 0 {
				line = fmt.Sprintf("%-*s", widest+2, s.name)
			}
			for _, n := range games {
				level := int(math.Ceil(float64(n)/highest*rows*8-1e-9)) - row*8
				line += string(blockLevels[max(0, min(8, level))])
			}
			out.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	ruler, labels := []rune(strings.Repeat("─", b.count)), []rune(strings.Repeat(" ", b.count+4))
	for i := range b.count {
		first, every := b.first+i*b.width, 10*b.width
		shots := (first + every - 1) / every * every
		if shots < first+b.width {
			ruler[i] = '┴'
			copy(labels[i:], []rune(fmt.Sprint(shots)))
		}
	}
	out.WriteString(margin + string(ruler) + "\n" + strings.TrimRight(margin+string(labels), " ") + "\n")
	return out.String()
}
