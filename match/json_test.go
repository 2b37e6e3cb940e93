package match_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"broadside/match"
	"broadside/match/audit"
)

// drawAnyRules returns random rules of any kind.
func drawAnyRules(t *rapid.T) match.Rules {
	name := rapid.SampledFrom([]string{"classic", "hasbro", "naval", "salvo", "custom"}).Draw(t, "rules")
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
	g := match.NewGame(rules, audit.Flag)
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
			do(match.Answer(side, nextTarget(g), match.Water+match.Result(rng.IntN(3))))
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

// carry encodes a value and decodes it into another one.
func carry[T any](t interface{ Fatalf(string, ...any) }, x T) (again T, encoded []byte) {
	b, err := json.Marshal(x)
	if err == nil {
		err = json.Unmarshal(b, &again)
	}
	if err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return again, b
}

// TestGamesTravel encodes and decodes all views and events of random games.
func TestGamesTravel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		commands := 0
		wander(t, func(g *match.Game, _ match.Command) {
			if commands++; commands%4 > 0 { // encoding takes most of the time
				return
			}
			v := g.View(viewers[commands/4%3])
			if again, b := carry(t, v); !reflect.DeepEqual(v, again) {
				t.Fatalf("the view\n%+v arrived as\n%+v\n%s", v, again, b)
			}
			if again, b := carry(t, v.Charts[0]); !reflect.DeepEqual(v.Charts[0], again) {
				t.Fatalf("the chart\n%+v arrived as\n%+v\n%s", v.Charts[0], again, b)
			}
			e := g.Events()[max(0, len(g.Events())-8):]
			for i := range e {
				want := e[i]
				want.At = want.At.Truncate(time.Millisecond)
				if again, b := carry(t, e[i]); !reflect.DeepEqual(again, want) {
					t.Fatalf("the event %+v arrived as %+v\n%s", want, again, b)
				}
			}
		})
	})
}

// TestRulesTravel compares rules before and after encoding, and their two forms.
func TestRulesTravel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawAnyRules(t)
		if again, b := carry(t, r); !reflect.DeepEqual(r, again) {
			t.Fatalf("the rules %+v arrived as %+v\n%s", r, again, b)
		}
		full, b := carry(t, match.FullRules(r))
		if !reflect.DeepEqual(match.FullRules(r), full) {
			t.Fatalf("the rules %+v were stored as %+v\n%s", r, full, b)
		}
		var again match.Rules
		if err := json.Unmarshal(b, &again); err != nil || !reflect.DeepEqual(r, again) {
			t.Fatalf("the stored rules %s were read as %+v, %v", b, again, err)
		}
	})
	if again, b := carry(t, match.Rules{}); !reflect.DeepEqual(again, match.Rules{}) {
		t.Errorf("no rules arrived as %s", b)
	}
	liar := match.Classic()
	liar.Size = 11
	if again, b := carry(t, liar); !reflect.DeepEqual(again, liar) {
		t.Errorf("other rules by the name of a preset arrived as %s", b)
	}
}

// TestBadJSON checks that invalid values are refused.
func TestBadJSON(t *testing.T) {
	for _, bad := range []struct {
		into any
		text string
	}{
		{new(match.Rules), `{"name":"x","size":27}`},
		{new(match.Rules), `{"name":"x","size":-1}`},
		{new(match.Rules), `{"size":10,"fleet":[{"length":6}]}`},
		{new(match.Rules), `{"size":10,"fleet":[` + strings.Repeat(`{"length":2},`, 10) + `{"length":2}]}`},
		{new(match.Rules), `{"name":"classic","clock":-1}`},
		{new(match.Rules), `{"name":"` + strings.Repeat("x", 201) + `"}`},
		{new(match.Rules), `"classic"`},
		{new(match.Cell), `"A27"`},
		{new(match.Cell), `{"X":1}`},
		{new(match.Chart), `{"Cells":"1"}`},
		{new(match.Chart), `{"Rules":null,"Cells":"1"}`},
		{new(match.Chart), `{"Rules":{"name":"classic"},"Cells":"g"}`},
		{new(match.Chart), `{"Rules":{"name":"classic"},"Cells":"` + strings.Repeat("1", 101) + `"}`},
		{new(match.Chart), `{"Rules":{"name":"naval"},"Log":"Aa"}`},
		{new(match.Chart), `{"Rules":{"name":"naval"},"Log":"Ka1"}`},
		{new(match.Chart), `{"Rules":{"name":"naval"},"Log":"Aa5"}`},
		{new(match.Chart), `{"Rules":{"name":"naval"},"Fired":-1}`},
		{new(match.Chart), `{"Rules":{"name":"naval"},"Afloat":[256]}`},
		{new(match.View), `{"Viewer":3}`},
		{new(match.View), `{"Phase":4}`},
		{new(match.View), `{"Reason":200}`},
		{new(match.View), `{"Aborter":2}`},
		{new(match.View), `{"Last":[{"Result":5}]}`},
		{new(match.View), `{"Rules":{"name":"classic"},"Fleets":[["A1E5"]]}`},
		{new(match.View), `{"Rules":{"name":"classic"},"Fleets":[["A7E5","C1E4","E1E3","G1E3","I1E2"]]}`},
		{new(match.View), `{"Rules":{"name":"classic"},"Fleets":[["A1E5","C1E4","E1E3","G1E3",null]]}`},
		{new(match.Event), `{"event":"fired","side":3,"cell":"A1"}`},
		{new(match.Event), `{"event":"answered","side":0,"cell":"A1","result":5}`},
		{new(match.Event), `{"event":"unheard-of"}`},
	} {
		if err := json.Unmarshal([]byte(bad.text), bad.into); err == nil {
			t.Errorf("%s was decoded as %+v", bad.text, bad.into)
		}
	}
}

// FuzzViewJSON decodes any input. All methods of a decoded view work.
func FuzzViewJSON(f *testing.F) {
	for _, r := range []match.Rules{match.Naval(), match.Classic()} {
		g := match.NewGame(r, audit.Flag)
		rng := rand.New(rand.NewPCG(1, 2))
		for side := match.First; side <= match.Second; side++ {
			if _, err := g.Apply(match.Place(side, r.RandomLayout(rng))); err != nil {
				f.Fatal(err)
			}
		}
		for n := range 20 {
			if _, err := g.Apply(match.Fire(g.ToAct(), r.Board().Nth(5*n))); err != nil {
				f.Fatal(err)
			}
		}
		_, b := carry(f, g.View(match.First))
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var v match.View
		if json.Unmarshal(b, &v) != nil {
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
			v.Charts[side].Blocked()
			helm := v.Helm(side)
			helm.Moves()
		}
		if again, _ := carry(t, v); !reflect.DeepEqual(v, again) {
			t.Fatalf("%+v arrived as %+v", v, again)
		}
	})
}
