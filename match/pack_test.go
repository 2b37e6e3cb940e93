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
