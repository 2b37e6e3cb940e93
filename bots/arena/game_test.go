package arena

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"broadside/bots"
	pairs "broadside/internal/pairing"
	"broadside/match"
	"broadside/match/audit"
)

// oddBot fires repeatedly at the same cell.
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
func (oddBot) Move(match.FleetStatus) match.Move { return match.Stay }

// TestOddBots plays bots that do what no built-in bot does.
func TestOddBots(t *testing.T) {
	rules := match.Classic()
	rng := rand.New(rand.NewPCG(1, 2))
	layouts := [2]match.Layout{rules.RandomLayout(rng), rules.RandomLayout(rng)}
	for _, c := range []struct {
		name   string
		first  bots.Bot
		second bots.Bot
		want   outcome
	}{
		{"off the board", oddBot{cell: match.NewCell(-1, 0)}, oddBot{}, outcome{winner: match.Second, reason: match.BadCell}},
		{"panic", oddBot{}, oddBot{panic: true}, outcome{winner: match.First, reason: match.Resigned}},
		{"for ever", oddBot{}, oddBot{}, outcome{winner: match.Nobody, reason: match.Endless}},
	} {
		players := [2]player{&botPlayer{bot: c.first, layout: layouts[0]}, &botPlayer{bot: c.second, layout: layouts[1]}}
		o, err := playGame(t.Context(), match.NewGame(rules, audit.Forfeit), players, false, nil)
		if err != nil || o.winner != c.want.winner || o.reason != c.want.reason {
			t.Errorf("%s: %v won for %v, %v", c.name, o.winner, o.reason, err)
		}
		if o.winner != match.Nobody && (!o.isForfeit() || o.note == "") {
			t.Errorf("%s: forfeit %v, note %q", c.name, o.isForfeit(), o.note)
		}
		g, err := match.Replay(rules, audit.Forfeit, o.events)
		if err != nil {
			t.Errorf("playGame with %s = %v", c.name, err)
		}
		if err == nil && (g.Phase() != match.Over || g.View(match.Nobody).Winner != c.want.winner) {
			t.Errorf("%s: the match continues", c.name)
		}
	}
}

func TestStopEndsGame(t *testing.T) {
	rules := match.Classic()
	layout := rules.RandomLayout(rand.New(rand.NewPCG(1, 2)))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := &botPlayer{bot: oddBot{}, layout: layout}
	if o, err := playGame(ctx, match.NewGame(rules, audit.Forfeit), [2]player{p, p}, false, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of its context, a game was played to %v, %v", o.reason, err)
	}
}

// BenchmarkDuel plays duels as a worker does, but without records.
func BenchmarkDuel(b *testing.B) {
	for _, name := range []string{"easy", "prolog", "hard", "commodore"} {
		b.Run(name, func(b *testing.B) {
			cfg := Config{Format: Duel, Players: []string{name, name}, Games: 1 << 30}.withDefaults()
			p := cfg.newPairing(0, 0, pairs.Pair{First: 0, Second: 1})
			w := newWorker(b.Context(), &cfg, nil)
			games := 0
			for n := 32; b.Loop(); n++ {
				u := unit{number: n, gameCount: 2}
				if _, err := w.playUnit(p, &u); err != nil {
					b.Fatal(err)
				}
				games += u.gameCount
			}
			b.ReportMetric(float64(games)/b.Elapsed().Seconds(), "games/s")
		})
	}
}
