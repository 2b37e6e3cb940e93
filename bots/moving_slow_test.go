//go:build slow

package bots

import (
	"math/rand/v2"
	"testing"

	"broadside/bots/infer"
	"broadside/match"
)

// TestTrackerAgainstStationaryFleets checks that, against fleets that never move, the
// tracker needs hardly more shots than a strategy that knows it.
func TestTrackerAgainstStationaryFleets(t *testing.T) {
	const games = 300
	tracker, commodore := shotsNeeded(t, "tracker", "stay", games), shotsNeeded(t, "commodore", "stay", games)
	t.Logf("tracker %.2f shots, commodore %.2f", tracker, commodore)
	if tracker > commodore+1 {
		t.Errorf("the tracker needs %.2f shots, commodore %.2f", tracker, commodore)
	}
}

// TestEvading checks that a fleet that recognizes a search takes far longer to sink than
// one that moves at random. docs/bots.md has the exact figures.
func TestEvading(t *testing.T) {
	for _, name := range []string{"easy", "medium", "branch", "hilbert", "hard", "sweep", "warship"} {
		drifting, evading := shotsNeeded(t, name, "random", 10), shotsNeeded(t, name, "evade", 10)
		t.Logf("%s: %.1f shots against random moves, %.1f against evasion", name, drifting, evading)
		if evading < 1.2*drifting {
			t.Errorf("%s: %.1f shots against random moves, %.1f against evasion", name, drifting, evading)
		}
	}
}

// TestTracking checks that drifting fleets cost the tracker hardly more shots than
// stationary ones. docs/bots.md has the exact figures.
func TestTracking(t *testing.T) {
	for mover, most := range map[string]float64{"stay": 52, "random": 57} {
		got := shotsNeeded(t, "tracker", mover, 16)
		t.Logf("%s: %.1f shots", mover, got)
		if got > most {
			t.Errorf("it needs %.1f shots against fleets that %s", got, mover)
		}
	}
}

// TestSeriesWhereShipsMove checks that, over a series, the tracker learns where its
// opponent starts, and an evading bot learns in which order its opponent fires.
func TestSeriesWhereShipsMove(t *testing.T) {
	rules := match.Naval()
	rng := rand.New(rand.NewPCG(6, 6))
	start := rules.RandomLayout(rng)
	order := RandomSequence(rules, rng)
	steps := make([]Step, len(order))
	for i, c := range order {
		steps[i] = Step{Cell: c, Action: "-"}
	}
	read := func(string) ([]byte, error) { return []byte(FormatSequence(steps, 10)), nil }
	make := func(seed uint64, name, mover string, m *infer.Memory) Bot {
		b, err := New(name, Config{Rules: rules, Rand: rand.New(rand.NewPCG(seed, 7)), Mover: mover, Memory: m, ReadFile: read})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	m := infer.NewMemory(rules)
	for range 3 {
		m.Learn(infer.Game{Fleet: start, Shots: order})
	}
	var found, foundKnowing, evaded, evadedKnowing int
	for seed := range uint64(8) {
		found += sinkMoving(t, rules, make(seed, "tracker", "", nil), always{make(seed, "easy", "random", nil), start})
		foundKnowing += sinkMoving(t, rules, make(seed, "tracker", "", m), always{make(seed, "easy", "random", nil), start})
		evaded += sinkMoving(t, rules, make(seed, "sequence:order", "", nil), make(seed, "easy", "evade", nil))
		evadedKnowing += sinkMoving(t, rules, make(seed, "sequence:order", "", nil), make(seed, "easy", "evade", m))
	}
	t.Logf("8 games: %d shots at a start not known, %d at a known one; %d against who does not know the order, %d against who does", found, foundKnowing, evaded, evadedKnowing)
	if foundKnowing > found-8*8 {
		t.Errorf("knowing the start, the tracker needs %d shots instead of %d", foundKnowing, found)
	}
	if evadedKnowing < evaded*11/10 {
		t.Errorf("knowing the order, who evades holds out %d shots instead of %d", evadedKnowing, evaded)
	}
}

// TestTrackerNoticesWhetherShipsMove checks that the stationary hypothesis becomes likely
// if nothing moves, and is abandoned if something does.
func TestTrackerNoticesWhetherShipsMove(t *testing.T) {
	rules := match.Naval()
	for mover, want := range map[string][2]int{"stay": {6, 8}, "random": {0, 2}} {
		kept := 0
		for seed := range uint64(8) {
			target, err := New("easy", Config{Rules: rules, Rand: rand.New(rand.NewPCG(seed, 4)), Mover: mover})
			if err != nil {
				t.Fatal(err)
			}
			b := newTrackerBot(Config{Rules: rules, Rand: rand.New(rand.NewPCG(seed, 5))})
			sinkMoving(t, rules, &player{shooter: b}, target)
			if b.belief.StationaryOdds() > 0.8 {
				kept++
			}
		}
		if kept < want[0] || kept > want[1] {
			t.Errorf("%s: it believes that %d of 8 fleets never moved, not %d to %d", mover, kept, want[0], want[1])
		}
	}
}

// shotsNeeded returns the mean number of shots of a strategy against a mover.
func shotsNeeded(t testing.TB, name, mover string, games int) float64 {
	rules := match.Naval()
	total := 0
	for seed := range uint64(games) {
		rng := rand.New(rand.NewPCG(seed, 9))
		target, err := New("easy", Config{Rules: rules, Rand: rng, Mover: mover})
		if err != nil {
			t.Fatal(err)
		}
		shooter, err := New(name, Config{Rules: rules, Rand: rng})
		if err != nil {
			t.Fatal(err)
		}
		total += sinkMoving(t, rules, shooter, target)
	}
	return float64(total) / float64(games)
}

// always is a bot that always starts with one layout.
type always struct {
	Bot
	start match.Layout
}

func (a always) Place() match.Layout { return a.start }
