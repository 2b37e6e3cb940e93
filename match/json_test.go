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
	for side := match.First; side <= match.Second; side++ {
		switch n := rng.IntN(4); {
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

// TestEventsTravel encodes and decodes the events of random games.
func TestEventsTravel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		commands := 0
		wander(t, func(g *match.Game, _ match.Command) {
			if commands++; commands%4 > 0 { // encoding takes most of the time
				return
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
		{new(match.Event), `{"event":"fired","side":3,"cell":"A1"}`},
		{new(match.Event), `{"event":"answered","side":0,"cell":"A1","result":5}`},
		{new(match.Event), `{"event":"unheard-of"}`},
	} {
		if err := json.Unmarshal([]byte(bad.text), bad.into); err == nil {
			t.Errorf("%s was decoded as %+v", bad.text, bad.into)
		}
	}
}
