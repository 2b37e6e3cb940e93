package match_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"broadside/match"
	"broadside/match/audit"
)

// playRandomGame returns an encoded match of random shots.
func playRandomGame(t testing.TB, rules match.Rules, seed uint64) (*match.Game, []byte) {
	t.Helper()
	rng := newRand(seed)
	g := match.NewGame(rules, audit.Flag)
	apply := func(c match.Command) {
		c.At = time.Duration(len(g.Events())) * time.Second
		if _, err := g.Apply(c); err != nil {
			t.Fatal(err)
		}
	}
	apply(match.PlaceCommand(match.Second, rules.RandomLayout(rng)))
	apply(match.KeepCommand(match.First))
	truth := match.NewFleet(rules.RandomLayout(rng))
	for g.Phase() != match.Over {
		side := g.ActingSide()
		if g.View(side).Pending {
			target := nextTarget(g)
			apply(match.AnswerCommand(side, target, truth.Fire(target)))
			continue
		}
		chart := g.Chart(side)
		apply(match.FireCommand(side, chaseShots(g, &chart, rng)...))
	}
	data, err := match.EncodeEvents(rules, g.Events())
	if err != nil {
		t.Fatal(err)
	}
	return g, data
}

// nextTarget returns the cell of the next shot to answer.
func nextTarget(g *match.Game) match.Cell {
	turn := g.Turn()
	return turn.Targets[len(turn.Answers)]
}

// chaseShots chooses all shots of a turn.
func chaseShots(g *match.Game, chart *match.Chart, rng *rand.Rand) (cells []match.Cell) {
	turn := g.Turn()
	known := *chart
	for range turn.ShotsLeft() {
		cell := chaseShot(&known, rng)
		if slices.Contains(cells, cell) {
			// The chart is full, which only false results cause.
			free := chart.Rules.Cells().Minus(match.SetOf(cells...))
			cell = free.Nth(0)
		}
		cells = append(cells, cell)
		known.Shots.Add(cell)
	}
	return cells
}

func TestReplayRefusesOtherHistories(t *testing.T) {
	rules := match.Classic()
	g, _ := playRandomGame(t, rules, 1)
	events := g.Events()
	tampered := func(f func([]match.Event) []match.Event) []match.Event {
		return f(append([]match.Event(nil), events...))
	}
	last := len(events) - 1
	for name, h := range map[string][]match.Event{
		"another winner":    tampered(func(e []match.Event) []match.Event { e[last].Side = e[last].Side.Other(); return e }),
		"another reason":    tampered(func(e []match.Event) []match.Event { e[last].Reason = match.Resigned; return e }),
		"an event too many": tampered(func(e []match.Event) []match.Event { return append(e, e[last]) }),
		"an event twice":    tampered(func(e []match.Event) []match.Event { return append(e[:6:6], e[5:]...) }),
		"the battle first":  tampered(func(e []match.Event) []match.Event { return e[2:] }),
		"another answer":    tampered(func(e []match.Event) []match.Event { e[6].Result ^= 3; return e }),
		"an illegal layout": tampered(func(e []match.Event) []match.Event {
			e[0] = match.NewPlacedEvent(e[0].Side, e[0].Layout()[1:], e[0].At)
			return e
		}),
		"an unknown kind":        tampered(func(e []match.Event) []match.Event { e[3].Kind = 99; return e }),
		"a field of other kinds": tampered(func(e []match.Event) []match.Event { e[1].Cell = match.NewCell(1, 1); return e }),
	} {
		if _, err := match.Replay(rules, audit.Flag, h); !errors.Is(err, match.ErrHistory) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := match.Replay(match.Rules{Size: 3}, audit.Flag, nil); !errors.Is(err, match.ErrHistory) {
		t.Errorf("rules that cannot be: %v", err)
	}
	// A match interrupted after any event can be rebuilt up to that event, unless another
	// event must follow immediately.
	for n := range events {
		again, err := match.Replay(rules, audit.Flag, events[:n])
		torn := n == 2 || n > 0 && events[n-1].Kind == match.ShotFired && events[n-1].Side == match.First ||
			n > 0 && n == last && events[last].Kind == match.GameEnded
		switch {
		case torn && !errors.Is(err, match.ErrHistory):
			t.Fatalf("the first %d events were taken for a whole history: %v", n, err)
		case !torn && (err != nil || len(again.Events()) != n):
			t.Fatalf("the first %d events: %v", n, err)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	_, data := playRandomGame(t, match.Classic(), 2)
	text := string(data)
	replace := func(old, by string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("the encoding has no %s", old)
		}
		return strings.Replace(text, old, by, 1)
	}
	for name, bad := range map[string]string{
		"empty":                "",
		"cut off":              text[:len(text)/2],
		"followed by more":     text + "{}",
		"no version":           replace(`"version":2,`, ""),
		"version 3":            replace(`"version":2`, `"version":3`),
		"unknown event":        replace(`"fired"`, `"burnt"`),
		"no event":             replace(`"fired"`, `""`),
		"unknown reason":       replace(`"reason":"sunk"`, `"reason":"bored"`),
		"a third player":       replace(`"player":1`, `"player":2`),
		"a cell that is none":  replace(`"cell":"`, `"cell":"?`),
		"before the beginning": replace(`"ms":1000`, `"ms":-1000`),
		"years later":          replace(`"ms":1000`, `"ms":9000000000000000`),
		"a ship that is none":  replace(`"layout":["`, `"layout":["X`),
		"a missing ship":       replace(`"layout":[`, `"layout":[null,`),
		"an unknown contact":   replace(`"contact":"corners"`, `"contact":"tender"`),
		"too long":             text + strings.Repeat(" ", 5<<20),
	} {
		if _, _, err := match.DecodeEvents([]byte(bad)); err == nil {
			t.Errorf("%s: read without an error", name)
		}
	}
}

func TestEncodeErrors(t *testing.T) {
	for _, bad := range []match.Event{{Kind: 99}, {Kind: match.GameEnded, Reason: 99}} {
		if _, err := match.EncodeEvents(match.Classic(), []match.Event{bad}); err == nil {
			t.Errorf("EncodeEvents(%+v) = nil, want an error", bad)
		}
	}
}

// TestLongestMatch checks that a match ends in which all results are misses, and that its record
// can be read.
func TestLongestMatch(t *testing.T) {
	rules, err := match.CustomRules(26, 10, match.TouchNone)
	if err != nil {
		t.Fatal(err)
	}
	g := match.NewGame(rules, audit.Flag)
	apply := func(c match.Command) {
		c.At = 999 * time.Hour
		if _, err := g.Apply(c); err != nil {
			t.Fatal(err)
		}
	}
	apply(match.KeepCommand(match.First))
	apply(match.KeepCommand(match.Second))
	for i := 0; g.Phase() != match.Over; i++ {
		cell := match.NewCell(25, i/2%26)
		side := match.Side(1 - i%2)
		apply(match.FireCommand(side, cell))
		if g.Phase() != match.Over {
			apply(match.AnswerCommand(side.Other(), cell, match.Miss))
		}
	}
	if v := g.View(match.Nobody); v.Winner != match.Nobody || v.Reason != match.Endless {
		t.Errorf("won by %v: %v", v.Winner, v.Reason)
	}
	if n := g.Chart(match.Second).Fired; n != 6760 {
		t.Errorf("the end came after %d shots", n)
	}
	data, err := match.EncodeEvents(rules, g.Events())
	if err != nil {
		t.Fatal(err)
	}
	back, events, err := match.DecodeEvents(data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := match.Replay(back, audit.Flag, events)
	if err != nil {
		t.Fatal(err)
	}
	checkSameGame(t, g, again)
}

// FuzzDecodeEvents checks that events that can be decoded and replayed stay equal when they are
// encoded and decoded again.
func FuzzDecodeEvents(f *testing.F) {
	for seed := range uint64(3) {
		rules := fleetOf(5, match.Contact(seed), 3, 2)
		rules.Salvo = seed > 0
		_, data := playRandomGame(f, rules, seed)
		f.Add(data)
	}
	f.Add([]byte(`{"version":1,"rules":{"name":"","size":5,"fleet":[{"name":"a","length":2}],"contact":"any","moving":false,"clock":0},"events":[{"event":"placed","ms":0,"side":0,"layout":["A1E2"]}]}`))
	f.Add([]byte(`{"version":1,"rules":{},"events":[{"event":"ended","ms":5,"reason":"closed"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		rules, events, err := match.DecodeEvents(data)
		if err != nil {
			return
		}
		once, err := match.EncodeEvents(rules, events)
		if err != nil {
			t.Fatalf("what was decoded cannot be encoded: %v", err)
		}
		rules2, events2, err := match.DecodeEvents(once)
		if err != nil {
			t.Fatalf("%s cannot be decoded: %v", once, err)
		}
		twice, err := match.EncodeEvents(rules2, events2)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%s became %s, %v", once, twice, err)
		}
		// The tries to place a fleet are limited, but still slow for some unusual rules. The tests
		// of rules cover those.
		if rules.FleetCellCount() > 12 || len(rules.Fleet) > 3 {
			return
		}
		for _, mode := range []audit.Mode{audit.Flag, audit.Forfeit} {
			g, err := match.Replay(rules2, mode, events2)
			if err != nil {
				if !errors.Is(err, match.ErrHistory) {
					t.Fatal(err)
				}
				continue
			}
			if len(g.Events()) != len(events2) {
				t.Fatalf("%d events became %d", len(events2), len(g.Events()))
			}
			// The view must not panic.
			g.View(match.Nobody)
		}
	})
}
