package bots

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"broadside/bots/infer"
	"broadside/match"
)

// ignoresDeductions reports whether a bot considers only which cells are untried, not which must be water.
func ignoresDeductions(bot Bot) bool {
	switch bot.(*player).shooter.(type) {
	case *easy, *gunner:
		return true
	}
	return false
}

// countShotsToSink lets a bot sink a fleet and returns the number of shots.
func countShotsToSink(t testing.TB, rules match.Rules, bot Bot, layout match.Layout) int {
	t.Helper()
	chart := match.NewChart(rules)
	fleet := match.NewFleet(layout)
	firesAtWater := ignoresDeductions(bot)
	for {
		cell := bot.Fire(&chart)
		if chart.Shots.Has(cell) || !rules.Contains(cell) {
			t.Fatalf("shot %d at %v is illegal or repeated", chart.Fired+1, cell)
		}
		if !firesAtWater && chart.Deduced.Has(cell) {
			t.Fatalf("shot %d at %v, which must be water", chart.Fired+1, cell)
		}
		r := fleet.Fire(cell)
		chart.Record(cell, r)
		if r == match.LastSunk {
			return chart.Fired
		}
	}
}

// botNames returns every strategy's name, with an argument if it takes one.
func botNames() []string {
	var names []string
	for _, i := range All() {
		if i.NeedsMoving {
			// Such bots are tested with moving ships.
			continue
		}
		switch i.Name {
		case "grid":
			names = append(names, "grid:4,1,1", "grid:2,2,1")
		case "sequence":
			names = append(names, "sequence:any")
		default:
			names = append(names, i.Name)
		}
	}
	return names
}

// newBot returns a bot by name. A sequence goes row by row.
func newBot(t testing.TB, name string, rules match.Rules, rng *rand.Rand) Bot {
	t.Helper()
	b, err := New(name, Config{Rules: rules, Rand: rng, ReadFile: func(string) ([]byte, error) {
		return rowByRow(rules.Size), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// meanShots returns the mean number of shots against uniform fleets.
func meanShots(t testing.TB, name string, rules match.Rules, games int) float64 {
	rng := rand.New(rand.NewPCG(7, 7))
	total := 0
	for range games {
		bot := newBot(t, name, rules, rng)
		total += countShotsToSink(t, rules, bot, rules.RandomLayout(rng))
	}
	return float64(total) / float64(games)
}

// more multiplies the games of tests that play many: 1, or 5 with the tag slow.
var more = 1

// TestStrength checks that no bot is far from its usual strength. The tag slow measures it:
// see TestStrengthExactly and TestAdmiralExactly.
func TestStrength(t *testing.T) {
	for _, c := range []struct {
		bot, rules string
		want       float64
	}{
		{"easy", "classic", 95.37}, {"easy", "hasbro", 95.34},
		{"gunner", "classic", 66.4},
		{"prolog", "classic", 53.9}, {"prolog", "hasbro", 62.1},
		{"medium", "classic", 53.6}, {"medium", "hasbro", 61.9},
		{"hard", "classic", 45.6}, {"hard", "hasbro", 52.7},
		{"commodore", "classic", 40.1}, {"commodore", "hasbro", 44.5},
		{"admiral", "classic", 40},
	} {
		rules, err := match.Preset(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		games, tolerance := 800, 1.
		if c.bot == "admiral" || c.bot == "commodore" {
			// One of their games takes as long as hundreds of others.
			games, tolerance = 60, 2.5
		}
		got := meanShots(t, c.bot, rules, games)
		if math.Abs(got-c.want) > tolerance {
			t.Errorf("%s needs %.2f shots under %s, want %.2f ± %v", c.bot, got, c.rules, c.want, tolerance)
		}
	}
}

// originalGame is a complete game of the original Prolog player.
type originalGame struct {
	Fleet [][]struct{ X, Y int }
	Shots []struct {
		X, Y   int
		Source string
		Answer match.Result
	}
	EnemyField []struct {
		After      int
		EnemyField []string
	}
}

func TestPrologPlaysTheDocumentedGame(t *testing.T) {
	data, err := os.ReadFile("testdata/openlist-game.json")
	if err != nil {
		t.Fatal(err)
	}
	var game originalGame
	if err := json.Unmarshal(data, &game); err != nil {
		t.Fatal(err)
	}
	var layout match.Layout
	for _, cells := range game.Fleet {
		ship := match.Ship{Stern: match.NewCell(cells[0].X, cells[0].Y), Heading: match.South, Length: len(cells)}
		if cells[1].X != cells[0].X {
			ship.Heading = match.East
		}
		layout = append(layout, ship)
	}
	fleet := match.NewFleet(layout)
	bot := newProlog(Config{Rules: match.Classic(), Rand: rand.New(rand.NewPCG(1, 1))})
	chart := match.NewChart(match.Classic())
	compared := 0
	for i, shot := range game.Shots {
		want := match.NewCell(shot.X, shot.Y)
		if cell, listed := bot.nextListed(&chart); listed && cell != want || listed == (shot.Source == "random") {
			t.Fatalf("shot %d at %v (listed: %v), want %v (%s)", i+1, cell, listed, want, shot.Source)
		}
		r := fleet.Fire(want)
		if r != shot.Answer {
			t.Fatalf("shot %d: result %v, want %v", i+1, r, shot.Answer)
		}
		chart.Record(want, r)
		for _, field := range game.EnemyField {
			if field.After != i+1 {
				continue
			}
			compared++
			for y, row := range field.EnemyField {
				if got := chartRow(&chart, y); got != row {
					t.Errorf("after shot %d row %d is %s, want %s", i+1, y, got, row)
				}
			}
		}
	}
	if len(game.Shots) != 38 || compared != len(game.EnemyField) || compared == 0 {
		t.Errorf("%d shots and %d charts compared", len(game.Shots), compared)
	}
}

// chartRow formats a row of the chart as the original system's recorded game does: _ is unknown, W water and X a
// hit.
func chartRow(c *match.Chart, y int) string {
	row := make([]byte, 10)
	for x := range row {
		switch c.Mark(match.NewCell(x, y)) {
		case match.Unknown:
			row[x] = '_'
		case match.Missed, match.Deduced:
			row[x] = 'W'
		default:
			row[x] = 'X'
		}
	}
	return string(row)
}

// TestLayouts runs the placement test of the original system: 200 fleets, all legal and all
// different.
func TestLayouts(t *testing.T) {
	for _, name := range botNames() {
		rules := match.Classic()
		rng := rand.New(rand.NewPCG(3, 4))
		seen := map[match.Set]bool{}
		for range 200 {
			bot := newBot(t, name, rules, rng)
			layout := bot.Place()
			if err := rules.CheckLayout(layout); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if cells := layout.Cells(); seen[cells] {
				t.Errorf("%s placed the same cells twice", name)
			} else {
				seen[cells] = true
			}
		}
	}
}

// shotsAt lets a bot sink a fleet, and returns its shots.
func shotsAt(b Bot, rules match.Rules, l match.Layout) (shots []match.Cell) {
	fleet, chart := match.NewFleet(l), match.NewChart(rules)
	for r := match.Miss; r != match.LastSunk; {
		cell := b.Fire(&chart)
		r = fleet.Fire(cell)
		chart.Record(cell, r)
		shots = append(shots, cell)
	}
	return shots
}

func TestSameSeedSameGame(t *testing.T) {
	for _, name := range botNames() {
		var games [2][]match.Cell
		for i := range games {
			bot := newBot(t, name, match.Hasbro(), rand.New(rand.NewPCG(5, 6)))
			games[i] = shotsAt(bot, match.Hasbro(), bot.Place())
		}
		if !slices.Equal(games[0], games[1]) {
			t.Errorf("%s plays differently with the same seed", name)
		}
	}
}

// TestShotsOfTheClock lets the clock fire every third shot. The bot must not repeat such a
// shot, and its search must continue correctly.
func TestShotsOfTheClock(t *testing.T) {
	for _, name := range botNames() {
		rules := match.Classic()
		rng := rand.New(rand.NewPCG(8, 9))
		for range 20 * more {
			bot := newBot(t, name, rules, rng)
			fleet := match.NewFleet(rules.RandomLayout(rng))
			chart := match.NewChart(rules)
			for r := match.Miss; r != match.LastSunk; {
				open := chart.OpenCells()
				cell := open.Nth(rng.IntN(open.Len()))
				if chart.Fired%3 > 0 {
					cell = bot.Fire(&chart)
				}
				if chart.Shots.Has(cell) {
					t.Fatalf("%s repeats a shot", name)
				}
				r = fleet.Fire(cell)
				chart.Record(cell, r)
			}
		}
	}
}

// TestAgainstLiars gives results that no fleet can give. A bot must still fire, at new
// cells while there are any.
func TestAgainstLiars(t *testing.T) {
	for _, contact := range []match.Contact{match.TouchNone, match.TouchCorners, match.TouchAny} {
		rules := match.Classic()
		rules.Contact = contact
		board := rules.Cells()
		for _, name := range botNames() {
			for seed := range uint64(6 * more) {
				rng := rand.New(rand.NewPCG(seed, 1))
				bot := newBot(t, name, rules, rng)
				chart := match.NewChart(rules)
				for range 150 {
					cell := bot.Fire(&chart)
					if !rules.Contains(cell) || chart.Shots.Has(cell) && !board.IsSubsetOf(&chart.Shots) {
						t.Fatalf("%s fires at %v", name, cell)
					}
					r := match.Result(1 + rng.IntN(1+int(seed%3)))
					chart.Record(cell, r)
				}
			}
		}
	}
}

func TestWhatNewRefuses(t *testing.T) {
	classic := Config{Rules: match.Classic()}
	for _, c := range []struct {
		name   string
		config Config
		want   string
	}{
		{"kraken", classic, "choose one of easy"},
		{"", classic, "choose one of easy"},
		{"easy:", classic, "write easy"},
		{"easy:3", classic, "write easy"},
		{"easy", Config{Rules: match.Classic(), Placement: "nowhere"}, "choose one of uniform"},
		{"easy", Config{Rules: match.Classic(), Memory: infer.NewMemory(match.Hasbro())}, "other rules"},
	} {
		bot, err := New(c.name, c.config)
		if err == nil || bot != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New(%q): %v, want an error with %q", c.name, err, c.want)
		}
	}
}

// BenchmarkMove plays whole games and counts the moves. The times include the game itself.
func BenchmarkMove(b *testing.B) {
	for _, rules := range []match.Rules{match.Classic(), match.Hasbro()} {
		for _, name := range botNames() {
			b.Run(rules.Name+"/"+name, func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 1))
				var fleets []match.Layout
				for range 200 {
					fleets = append(fleets, rules.RandomLayout(rng))
				}
				moves := 0
				for b.Loop() {
					moves += countShotsToSink(b, rules, newBot(b, name, rules, rng), fleets[rng.IntN(len(fleets))])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(moves), "ns/move")
			})
		}
	}
}

// fleetOf returns rules with ships of the given lengths, longest first.
func fleetOf(size int, contact match.Contact, lengths ...int) match.Rules {
	r := match.Rules{Name: "custom", Size: size, Contact: contact}
	for _, n := range lengths {
		r.Fleet = append(r.Fleet, match.Class{Name: "ship", Length: n})
	}
	return r
}
