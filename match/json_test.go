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

// walkRandomGame plays a random game and calls visit after each command.
func walkRandomGame(t *rapid.T, visit func(*match.Game, match.Command)) {
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
			do(match.KeepCommand(side))
		default:
			do(match.PlaceCommand(side, rules.RandomLayout(rng)))
		}
	}
	for n := 0; g.Phase() == match.Battle && n < 300; n++ {
		side := g.ActingSide()
		v := g.View(side)
		if v.Pending {
			do(match.AnswerCommand(side, nextTarget(g), match.Miss+match.Result(rng.IntN(3))))
			continue
		}
		if v.CanMove && rng.IntN(2) == 0 {
			status := v.FleetStatus(side)
			if moves := status.LegalMoves(); len(moves) > 0 {
				do(match.MoveCommand(side, moves[rng.IntN(len(moves))]))
			}
		}
		board := rules.Cells()
		c := match.FireCommand(side, board.Nth(rng.IntN(board.Len())))
		c.Auto = rng.IntN(5) == 0
		do(c)
	}
	if g.Phase() != match.Over {
		do(match.ForfeitCommand(match.First, match.Resigned))
	}
}

// roundTrip encodes a value and decodes it into another one.
func roundTrip[T any](t interface{ Fatalf(string, ...any) }, x T) (again T, encoded []byte) {
	b, err := json.Marshal(x)
	if err == nil {
		err = json.Unmarshal(b, &again)
	}
	if err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return again, b
}

// TestEventsTravel checks that the events of random games survive encoding and decoding.
func TestEventsTravel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var played *match.Game
		walkRandomGame(t, func(g *match.Game, _ match.Command) { played = g })
		data, err := match.EncodeEvents(played.Rules(), played.Events())
		if err != nil {
			t.Fatal(err)
		}
		rules, events, err := match.DecodeEvents(data)
		if err != nil || !reflect.DeepEqual(rules, played.Rules()) || len(events) != len(played.Events()) {
			t.Fatalf("%s was decoded as %+v %+v, %v", data, rules, events, err)
		}
		for i, want := range played.Events() {
			want.At = want.At.Truncate(time.Millisecond)
			if !reflect.DeepEqual(events[i], want) {
				t.Fatalf("the event %+v arrived as %+v", want, events[i])
			}
		}
	})
}

// TestVersion1 checks that events in format version 1 can be read.
func TestVersion1(t *testing.T) {
	rules, events, err := match.DecodeEvents([]byte(`{"version":1,"rules":{"name":"naval","size":10,"fleet":[{"name":"cruiser","length":4}],
		"contact":"none","moving":true,"clock":1500000000},"events":[
		{"event":"placed","ms":1,"side":0,"layout":["B3E4"]},{"event":"moved","ms":2,"side":1,"move":"1C"},{"event":"moved","ms":3,"side":1,"auto":true,"move":"-"},
		{"event":"answered","ms":4,"side":1,"cell":"A10","result":4},{"event":"ended","ms":5,"reason":"closed"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []match.Event{
		match.NewPlacedEvent(match.First, match.Layout{{Stern: match.NewCell(2, 1), Heading: match.East, Length: 4}}, time.Millisecond),
		{Kind: match.FleetMoved, Side: match.Second, Move: match.NewMove(0, match.Clockwise), At: 2 * time.Millisecond},
		{Kind: match.FleetMoved, Side: match.Second, Auto: true, At: 3 * time.Millisecond},
		{Kind: match.ShotAnswered, Side: match.Second, Cell: match.NewCell(9, 0), Result: match.LastSunk, At: 4 * time.Millisecond},
		{Kind: match.GameEnded, Side: match.Nobody, Reason: match.Closed, At: 5 * time.Millisecond},
	}
	if !reflect.DeepEqual(events, want) || rules.Clock != 1500*time.Millisecond || !rules.Moving || len(rules.Fleet) != 1 {
		t.Errorf("DecodeEvents = %+v, %+v, want %+v", rules, events, want)
	}
}

// TestRulesTravel checks that rules survive encoding and decoding.
func TestRulesTravel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawAnyRules(t)
		if again, b := roundTrip(t, r); !reflect.DeepEqual(r, again) {
			t.Fatalf("the rules %+v arrived as %+v\n%s", r, again, b)
		}
	})
	if again, b := roundTrip(t, match.Rules{}); !reflect.DeepEqual(again, match.Rules{}) {
		t.Errorf("no rules arrived as %s", b)
	}
	liar := match.Classic()
	liar.Size = 11
	if again, b := roundTrip(t, liar); !reflect.DeepEqual(again, liar) {
		t.Errorf("other rules by the name of a preset arrived as %s", b)
	}
}

// TestLargestRules checks that rules at all limits survive encoding and decoding.
func TestLargestRules(t *testing.T) {
	name := strings.Repeat("x", 200)
	r := match.Rules{Name: name, Size: match.MaxSize, Clock: time.Second << 30}
	for range match.MaxShips {
		r.Fleet = append(r.Fleet, match.Class{Name: name, Length: match.MaxLength})
	}
	if again, b := roundTrip(t, r); !reflect.DeepEqual(r, again) {
		t.Errorf("the rules %+v arrived as %s", r, b)
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
		{new(match.Rules), `{"name":"classic","clock_s":-1}`},
		{new(match.Rules), `{"name":"` + strings.Repeat("x", 201) + `"}`},
		{new(match.Rules), `{"size":10,"fleet":[{"length":5,"name":"` + strings.Repeat("x", 201) + `"}]}`},
		{new(match.Rules), `"classic"`},
		{new(match.Cell), `"A27"`},
		{new(match.Cell), `{"X":1}`},
		{new(match.EncodedEvent), `{"event":"answered","result":5}`},
		{new(match.EncodedEvent), `{"event":"answered","result":"splash"}`},
		{new(match.EncodedEvent), `{"event":"ended","reason":"bored"}`},
	} {
		if err := json.Unmarshal([]byte(bad.text), bad.into); err == nil {
			t.Errorf("%s was decoded as %+v", bad.text, bad.into)
		}
	}
}
