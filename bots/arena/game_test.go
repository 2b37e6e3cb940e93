package arena

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"broadside/bots"
	pairs "broadside/internal/pairing"
	"broadside/match"
	"broadside/match/audit"
)

func makeBot(t testing.TB, name string, rules match.Rules, seed uint64) bots.Bot {
	t.Helper()
	b, err := bots.New(name, bots.Config{Rules: rules, Rand: rand.New(rand.NewPCG(seed, 1))})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestTableIsTheGame plays random games twice: at a table, and as a match.Game with the
// same bots. All events, both charts and the result must be equal, and match.Replay must
// accept the history.
func TestTableIsTheGame(t *testing.T) {
	var stop atomic.Bool
	sets := []match.Rules{match.Classic(), match.Hasbro(), custom(t, 5, 2, match.TouchAny), custom(t, 8, 4, match.TouchNone), custom(t, 12, 10, match.TouchCorners)}
	names := []string{"easy", "prolog", "hard", "medium"}
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range uint64(300) {
		rules := sets[n%uint64(len(sets))]
		pair := [2]string{names[rng.IntN(len(names))], names[rng.IntN(len(names))]}
		layouts := [2]match.Layout{rules.RandomLayout(rng), rules.RandomLayout(rng)}
		seat := func() [2]bots.Bot {
			return [2]bots.Bot{makeBot(t, pair[0], rules, 2*n), makeBot(t, pair[1], rules, 2*n+1)}
		}
		table := newTable(rules, &stop)
		table.keep = true
		o, ok := table.play(seat(), layouts, n%2 == 0)
		if !ok {
			t.Fatal("the game was stopped")
		}

		g := match.NewGame(rules, audit.Forfeit)
		players := seat()
		for side := range layouts {
			if _, err := g.Apply(match.Place(match.Side(side), layouts[side])); err != nil {
				t.Fatal(err)
			}
		}
		for g.Phase() != match.Over {
			side := g.ToAct()
			chart := g.Chart(side)
			cell := players[side].Fire(&chart)
			_, err := g.Apply(match.Fire(side, cell))
			if err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(o.events, g.Events()) {
			t.Fatalf("game %d, %v: the events differ:\n%v\n%v", n, pair, o.events, g.Events())
		}
		for side := match.First; side <= match.Second; side++ {
			if c := g.Chart(side); !reflect.DeepEqual(table.sides[side].chart, c) {
				t.Fatalf("game %d, %v: the charts of side %d differ:\n%v\n%v", n, pair, side, table.sides[side].chart, c)
			}
			if int(o.shots[side]) != g.Chart(side).Fired {
				t.Errorf("game %d: %d shots, %d in the match", n, o.shots[side], g.Chart(side).Fired)
			}
		}
		if v := g.View(match.Nobody); v.Winner != o.winner || v.Reason != o.reason || o.forfeit() {
			t.Errorf("game %d: won by %v for %v, in the match %v for %v", n, o.winner, o.reason, v.Winner, v.Reason)
		}
		if _, err := match.Replay(rules, audit.Forfeit, o.events); err != nil {
			t.Errorf("game %d: %v", n, err)
		}
	}
}

// oddBot fires at the same given cell again and again.
type oddBot struct {
	cell  match.Cell
	panic bool
}

func (oddBot) Place() match.Layout { return nil }
func (b oddBot) Fire(*match.Chart) match.Cell {
	if b.panic {
		panic("out of ideas")
	}
	return b.cell
}
func (oddBot) Move(match.Helm) match.Move { return match.Stay }

// TestOddBots plays bots that do what no built-in bot does.
func TestOddBots(t *testing.T) {
	rules := match.Classic()
	rng := rand.New(rand.NewPCG(1, 2))
	layouts := [2]match.Layout{rules.RandomLayout(rng), rules.RandomLayout(rng)}
	var stop atomic.Bool
	for _, c := range []struct {
		name   string
		first  bots.Bot
		second bots.Bot
		want   outcome
	}{
		{"off the board", oddBot{cell: match.At(-1, 0)}, oddBot{}, outcome{winner: match.Second, reason: match.BadCell}},
		{"panic", oddBot{}, oddBot{panic: true}, outcome{winner: match.First, reason: match.Resigned}},
		{"for ever", oddBot{}, oddBot{}, outcome{winner: match.Nobody, reason: match.Endless}},
	} {
		table := newTable(rules, &stop)
		table.keep = true
		o, ok := table.play([2]bots.Bot{c.first, c.second}, layouts, false)
		if !ok || o.winner != c.want.winner || o.reason != c.want.reason {
			t.Errorf("%s: won by %v for %v, stopped: %v", c.name, o.winner, o.reason, !ok)
		}
		if o.winner != match.Nobody && (!o.forfeit() || !strings.HasPrefix(o.note, "it f")) {
			t.Errorf("%s: forfeit %v, note %q", c.name, o.forfeit(), o.note)
		}
		g, err := match.Replay(rules, audit.Forfeit, o.events)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil && (g.Phase() != match.Over || g.View(match.Nobody).Winner != c.want.winner) {
			t.Errorf("%s: the match continues", c.name)
		}
	}
}

func TestStopEndsAGame(t *testing.T) {
	var stop atomic.Bool
	stop.Store(true)
	rules := match.Classic()
	layout := rules.RandomLayout(rand.New(rand.NewPCG(1, 2)))
	table := newTable(rules, &stop)
	if _, ok := table.play([2]bots.Bot{oddBot{}, oddBot{}}, [2]match.Layout{layout, layout}, false); ok {
		t.Error("a game was played")
	}
}

// BenchmarkDuel plays duels as a worker does, but without records.
func BenchmarkDuel(b *testing.B) {
	for _, name := range []string{"easy", "prolog", "hard", "commodore"} {
		b.Run(name, func(b *testing.B) {
			cfg, err := Config{Format: Duel, Players: []string{name, name}, Games: 1 << 30}.withDefaults()
			if err != nil {
				b.Fatal(err)
			}
			c := cfg.newPairing(0, 0, pairs.Pair{First: 0, Second: 1})
			var stop atomic.Bool
			w := newWorker(b.Context(), &cfg, &stop, nil, 0)
			games := 0
			for n := 32; b.Loop(); n++ {
				u := unit{number: n, count: 2}
				if _, _, err := w.playUnit(c, &u); err != nil {
					b.Fatal(err)
				}
				games += u.count
			}
			b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
		})
	}
}
