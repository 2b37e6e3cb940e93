package view

import (
	"fmt"
	"slices"
	"strings"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/lobby/account"
)

// streaks name streaks by their outcome.
var streaks = [...]i18n.Key{
	store.Lost: "%d loss||%d losses", store.Won: "%d win||%d wins", store.Drawn: "%d draw||%d draws",
}

// Streak describes the current streak. It is empty without matches.
func Streak(l i18n.Language, c *account.Career) string {
	if c.Streak == 0 {
		return ""
	}
	return l.Text(streaks[c.StreakOutcome], c.Streak)
}

// bars are a graph's bars, lowest first.
var bars = []rune("▁▂▃▄▅▆▇█")

// RatingGraph draws ratings as at most width bars between the lowest and the highest one. It leaves out the oldest
// ratings if there is no room for all.
func RatingGraph(ratings []float64, width int) string {
	ratings = ratings[max(0, len(ratings)-width):]
	if len(ratings) == 0 {
		return ""
	}
	low, high := slices.Min(ratings), slices.Max(ratings)
	var graph strings.Builder
	for _, rating := range ratings {
		height := 0.5
		if high > low {
			height = (rating - low) / (high - low)
		}
		graph.WriteRune(bars[int(height*float64(len(bars)-1)+0.5)])
	}
	return graph.String()
}

// RatingRange returns the lowest and the highest rating.
func RatingRange(ratings []float64) string {
	return fmt.Sprintf("%.0f–%.0f", slices.Min(ratings), slices.Max(ratings))
}

// CellRates lists cells with the share of shots that hit, as in "B7 50% (2)".
func CellRates(l i18n.Language, all []store.CellResults) string {
	var texts []string
	for _, c := range all {
		texts = append(texts, fmt.Sprintf("%v %s (%d)", c.Cell, narrate.Percent(l, float64(c.Hits)/float64(c.Shots)), c.Shots))
	}
	return strings.Join(texts, ", ")
}
