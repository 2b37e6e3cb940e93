package audit_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"broadside/match"
	"broadside/match/audit"
)

// liar gives the first of its preferred results that the audit still considers possible.
type liar struct {
	name  string
	shoot func(*match.Chart, *rand.Rand) match.Cell
	likes func(*rand.Rand) []match.Result
}

func alwaysPrefer(rs ...match.Result) func(*rand.Rand) []match.Result {
	return func(*rand.Rand) []match.Result { return slices.Clone(rs) }
}

// spacedShots fires row by row, spaced so far apart that few hits are of one ship.
func spacedShots(gap int) func(*match.Chart, *rand.Rand) match.Cell {
	return func(chart *match.Chart, rng *rand.Rand) match.Cell {
		var grid match.Set
		for c := range chart.Rules.Cells().Minus(chart.Shots).All() {
			if (int(c.X)+2*int(c.Y))%gap == 0 {
				grid.Add(c)
			}
		}
		if grid.IsEmpty() {
			return randomShot(chart, rng)
		}
		return grid.Nth(rng.IntN(grid.Len()))
	}
}

func liars() []liar {
	const w, h, s, l = match.Miss, match.Hit, match.Sunk, match.LastSunk
	mixed := func(p float64) func(*rand.Rand) []match.Result {
		return func(rng *rand.Rand) []match.Result {
			if rng.Float64() < p {
				return []match.Result{h, s, w, l}
			}
			return []match.Result{w, h, s, l}
		}
	}
	return []liar{
		{"water as long as it can", randomShot, alwaysPrefer(w, h, s, l)},
		{"hits as long as it can", randomShot, alwaysPrefer(h, w, s, l)},
		{"hits, chased", chaseShot, alwaysPrefer(h, s, w, l)},
		{"sinks what it can", chaseShot, alwaysPrefer(s, h, w, l)},
		{"hits far apart", spacedShots(5), alwaysPrefer(h, s, w, l)},
		{"hits apart", spacedShots(3), alwaysPrefer(h, w, s, l)},
		{"water, chased", chaseShot, alwaysPrefer(w, s, h, l)},
		{"some hits", randomShot, mixed(0.15)},
		{"some hits, chased", chaseShot, mixed(0.3)},
		{"few hits on a grid", spacedShots(2), mixed(0.08)},
	}
}

// runLiar plays a game of a liar that changes its result whenever the audit objects. It returns
// how many searches were given up and the time for each result.
func runLiar(rules match.Rules, l liar, seed uint64) (undecided int, times []time.Duration) {
	rng := rand.New(rand.NewPCG(seed, 5))
	chart := match.NewChart(rules)
	a := audit.New(rules)
	var shots []match.Shot
	for chart.Fired < rules.Size*rules.Size {
		cell := l.shoot(&chart, rng)
		answered := match.Result(0)
		for _, r := range l.likes(rng) {
			start := time.Now()
			ok := a.Add(cell, r)
			times = append(times, time.Since(start))
			if a.Undecided() {
				undecided++
			}
			if ok {
				answered = r
				break
			}
			a = audit.New(rules)
			for _, s := range shots {
				a.Add(s.Cell, s.Result)
			}
		}
		if answered == 0 {
			// An earlier search was given up.
			return undecided, times
		}
		chart.Record(cell, answered)
		shots = append(shots, match.Shot{Cell: cell, Result: answered})
		if answered == match.LastSunk {
			break
		}
	}
	return undecided, times
}

// TestLiarsFindNoHardCase checks that, however awkward the results, the verdict is exact for
// the fleet of classic, and nearly always for others.
func TestLiarsFindNoHardCase(t *testing.T) { checkLiars(t, 2) }

// checkLiars plays games of all liars.
func checkLiars(t *testing.T, games uint64) {
	naval, err := match.CustomRules(10, 10, match.TouchNone)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rules match.Rules
		// most is the maximum share of results without a verdict.
		most float64
	}{
		{match.Classic(), 0}, {match.Hasbro(), 0.01}, {naval, 0.03},
	} {
		undecided, answers := 0, 0
		for _, l := range liars() {
			given, slowest := 0, time.Duration(0)
			for seed := range games {
				n, times := runLiar(c.rules, l, seed)
				given, slowest, answers = given+n, max(slowest, slices.Max(times)), answers+len(times)
			}
			t.Logf("%s: %s: %d undecided, %v", c.rules.Name, l.name, given, slowest)
			undecided += given
		}
		t.Logf("%s: %d of %d answers undecided", c.rules.Name, undecided, answers)
		if float64(undecided) > c.most*float64(answers) {
			t.Errorf("%s: got %d of %d answers without a verdict, want at most a share of %v", c.rules.Name, undecided, answers, c.most)
		}
	}
}
