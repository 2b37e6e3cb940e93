package match_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"broadside/match"
	"broadside/match/packed"
)

// drawAnyRules draws rules of every kind.
func drawAnyRules(t *rapid.T) match.Rules {
	name := rapid.SampledFrom([]string{"classic", "hasbro", "naval", "custom"}).Draw(t, "rules")
	if name == "custom" {
		return drawRules(t)
	}
	rules, err := match.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return rules.WithClock(time.Duration(rapid.IntRange(0, 1e12).Draw(t, "clock")))
}

// wander plays a random game and calls visit after each command.
func wander(t *rapid.T, visit func(*match.Game, match.Command)) {
	rules := drawAnyRules(t)
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	g := match.NewGame(rules, match.AuditFlag)
	now := time.Duration(0)
	do := func(c match.Command) bool {
		now += time.Duration(rng.Int64N(1e10))
		c.At = now
		_, err := g.Apply(c)
		visit(g, c)
		return err == nil
	}
	own := match.NewFleet(rules.RandomLayout(rng))
	for side := match.First; side <= match.Second; side++ {
		switch n := rng.IntN(4); {
		case n == 0 && !rules.Moving:
			do(match.Commit(side, match.Commitment(match.Opening("salt", own.Layout()))))
		case n < 2:
			do(match.Keep(side))
		default:
			do(match.Place(side, rules.RandomLayout(rng)))
		}
	}
	for n := 0; g.Phase() == match.Battle && n < 300; n++ {
		side := g.ToAct()
		v := g.View(side)
		if v.Pending {
			do(match.Answer(side, v.Target, match.Water+match.Result(rng.IntN(3))))
			continue
		}
		if v.MayMove && rng.IntN(2) == 0 {
			helm := v.Helm(side)
			if moves := helm.Moves(); len(moves) > 0 {
				do(match.Sail(side, moves[rng.IntN(len(moves))]))
			}
		}
		board := rules.Board()
		c := match.Fire(side, board.Nth(rng.IntN(board.Len())))
		c.Auto = rng.IntN(5) == 0
		do(c)
	}
	if g.Phase() != match.Over {
		do(match.Forfeit(match.First, match.Resigned))
	}
	if g.Phase() != match.Over {
		do(match.Reveal(match.Second, "salt", own.Layout()))
	}
}

// TestPackedGames sends all of random games and wants them back as they were.
func TestPackedGames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var read match.View // with what the last one left in it
		var last *match.Game
		wander(t, func(g *match.Game, cmd match.Command) {
			last = g
			v := g.View(viewers[len(g.Events())/3%3])
			b, err := packed.Append(nil, v.Pack)
			if err != nil {
				t.Fatal(err)
			}
			if err := packed.Read(b, read.Pack); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(v, read) {
				t.Fatalf("the view\n%+v arrived as\n%+v", v, read)
			}
			cmd.At = 0
			var again match.Command
			if b, err = packed.Append(nil, cmd.Pack); err != nil {
				t.Fatal(err)
			}
			if err := packed.Read(b, again.Pack); err != nil || !reflect.DeepEqual(cmd, again) {
				t.Fatalf("the command %+v arrived as %+v, %v", cmd, again, err)
			}
		})
		events := last.Events()
		b, err := packed.Append([]byte("before"), func(c *packed.Coder) { match.PackEvents(c, &events) })
		if err != nil {
			t.Fatal(err)
		}
		var again []match.Event
		if err := packed.Read(b[len("before"):], func(c *packed.Coder) { match.PackEvents(c, &again) }); err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(events, again, func(x, y match.Event) bool { return reflect.DeepEqual(x, y) }) {
			t.Fatal("the events arrived as others")
		}
		if _, err := match.Replay(last.Rules(), match.AuditFlag, again); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzPackedView reads any bytes. What is read can be looked at like any view.
func FuzzPackedView(f *testing.F) {
	g := match.NewGame(match.Naval(), match.AuditFlag)
	rng := rand.New(rand.NewPCG(1, 2))
	for side := match.First; side <= match.Second; side++ {
		if _, err := g.Apply(match.Place(side, g.Rules().RandomLayout(rng))); err != nil {
			f.Fatal(err)
		}
	}
	v := g.View(match.First)
	whole, err := packed.Append(nil, v.Pack)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Fuzz(func(t *testing.T, b []byte) {
		var v match.View
		if packed.Read(b, v.Pack) != nil {
			return
		}
		for side := match.First; side <= match.Second; side++ {
			for y := range v.Rules.Size {
				for x := range v.Rules.Size {
					v.Board(side, match.At(x, y))
					v.Charts[side].Age(match.At(x, y))
				}
			}
			v.Charts[side].Open()
			helm := v.Helm(side)
			helm.Moves()
		}
		again, err := packed.Append(nil, v.Pack)
		if err != nil {
			t.Fatal(err)
		}
		var w match.View
		if err := packed.Read(again, w.Pack); err != nil || !reflect.DeepEqual(v, w) {
			t.Fatalf("%+v arrived as %+v, %v", v, w, err)
		}
	})
}

// TestPackedCutShort reads all beginnings of a list of events, and more than
// the whole.
func TestPackedCutShort(t *testing.T) {
	events := []match.Event{{Kind: match.BattleBegun, Side: match.Second}, {Kind: match.GameEnded, Side: match.Nobody, Reason: match.Closed, At: time.Hour}}
	b, err := packed.Append(nil, func(c *packed.Coder) { match.PackEvents(c, &events) })
	if err != nil {
		t.Fatal(err)
	}
	var read []match.Event
	unpack := func(c *packed.Coder) { match.PackEvents(c, &read) }
	for n := range b {
		if err := packed.Read(b[:n], unpack); !errors.Is(err, packed.ErrShort) {
			t.Errorf("%d bytes of %d: %v", n, len(b), err)
		}
	}
	if err := packed.Read(append(b, 0), unpack); !errors.Is(err, packed.ErrLong) {
		t.Errorf("a byte too many: %v", err)
	}
	bad := []match.Event{{Kind: match.GameAborted + 1}}
	if _, err := packed.Append(nil, func(c *packed.Coder) { match.PackEvents(c, &bad) }); !errors.Is(err, packed.ErrRange) {
		t.Errorf("an unknown event: %v", err)
	}
}
