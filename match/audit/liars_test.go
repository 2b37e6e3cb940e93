package audit_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"broadside/match"
	"broadside/match/audit"
)

// liar gives the first of its preferred answers that the audit still considers possible.
type liar struct {
	name  string
	shoot func(*match.Chart, *rand.Rand) match.Cell
	likes func(*rand.Rand) []match.Result
}

func always(rs ...match.Result) func(*rand.Rand) []match.Result {
	return func(*rand.Rand) []match.Result { return slices.Clone(rs) }
}

// inRows shoots row by row, spaced so far apart that few hits are of one ship.
func spaced(gap int) func(*match.Chart, *rand.Rand) match.Cell {
	return func(chart *match.Chart, rng *rand.Rand) match.Cell {
		var grid match.Set
		for c := range chart.Rules.Board().Minus(chart.Shots).All() {
			if (int(c.X)+2*int(c.Y))%gap == 0 {
				grid.Add(c)
			}
		}
		if grid.Empty() {
			return randomShot(chart, rng)
		}
		return grid.Nth(rng.IntN(grid.Len()))
	}
}

func liars() []liar {
	const w, h, s, l = match.Water, match.Hit, match.Sunk, match.LastSunk
	mixed := func(p float64) func(*rand.Rand) []match.Result {
		return func(rng *rand.Rand) []match.Result {
			if rng.Float64() < p {
				return []match.Result{h, s, w, l}
			}
			return []match.Result{w, h, s, l}
		}
	}
	return []liar{
		{"water as long as it can", randomShot, always(w, h, s, l)},
		{"hits as long as it can", randomShot, always(h, w, s, l)},
		{"hits, chased", chaseShot, always(h, s, w, l)},
		{"sinks what it can", chaseShot, always(s, h, w, l)},
		{"hits far apart", spaced(5), always(h, s, w, l)},
		{"hits apart", spaced(3), always(h, w, s, l)},
		{"water, chased", chaseShot, always(w, s, h, l)},
		{"some hits", randomShot, mixed(0.15)},
		{"some hits, chased", chaseShot, mixed(0.3)},
		{"few hits on a grid", spaced(2), mixed(0.08)},
	}
}

// lie plays a game of a liar that changes its answer whenever the audit objects. It returns
// the work of the hardest search and the time of each answer.
func lie(rules match.Rules, l liar, seed uint64) (steps int, times []time.Duration) {
	rng := rand.New(rand.NewPCG(seed, 5))
	chart := match.NewChart(rules)
	audit := audit.New(rules)
	for chart.Fired < rules.Size*rules.Size {
		cell := l.shoot(&chart, rng)
		answered := match.Result(0)
		for _, r := range l.likes(rng) {
			trial := audit.Clone()
			start := time.Now()
			ok := trial.Add(cell, r)
			times = append(times, time.Since(start))
			steps = max(steps, trial.Steps())
			if ok {
				audit, answered = trial, r
				break
			}
		}
		if answered == 0 {
			return steps, times // an earlier search was given up
		}
		chart.Record(cell, answered)
		if answered == match.LastSunk {
			break
		}
	}
	return steps, times
}

// TestLiarsFindNoHardCase checks that, however awkward the answers, a search stays below its
// limit, so that the verdict is exact. With few ships it stays far below.
func TestLiarsFindNoHardCase(t *testing.T) {
	naval, err := match.Custom(10, 10, match.TouchNone)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rules match.Rules
		limit int
	}{
		{match.Classic(), audit.AuditBudget / 10},
		{match.Hasbro(), audit.AuditBudget / 10},
		{naval, audit.AuditBudget},
	} {
		most := 0
		for _, l := range liars() {
			hardest, slowest := 0, time.Duration(0)
			for seed := range uint64(8) {
				steps, times := lie(c.rules, l, seed)
				hardest, slowest = max(hardest, steps), max(slowest, slices.Max(times))
			}
			t.Logf("%s: %s: %d steps at most, %v", c.rules.Name, l.name, hardest, slowest)
			most = max(most, hardest)
		}
		if most == 0 || most > c.limit {
			t.Errorf("%s: a search took %d steps, want 1 to %d", c.rules.Name, most, c.limit)
		}
	}
}
