package relay

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"broadside/match"
	"broadside/match/audit"
)

// playRandomGame lets two sides play to the end, with or without keeping their fleets, and calls check
// after each command with the resulting events.
func playRandomGame(t *testing.T, rules match.Rules, rng *rand.Rand, kept [2]bool, check func(g *match.Game, events []match.Event)) {
	t.Helper()
	g := match.NewGame(rules, audit.Off)
	var part []match.Event
	apply := func(c match.Command) {
		events, err := g.Apply(c)
		if err != nil {
			t.Fatal(err)
		}
		if part = append(part, events...); g.IncompleteEvents() > 0 {
			// The message is not shown yet.
			return
		}
		check(g, part)
		part = nil
	}
	var fleets [2]*match.Fleet
	var cells [2][]match.Cell
	for side := match.First; side <= match.Second; side++ {
		layout := rules.RandomLayout(rng)
		fleets[side] = match.NewFleet(layout)
		for c := range rules.Cells().All() {
			cells[side] = append(cells[side], c)
		}
		rng.Shuffle(len(cells[side]), func(i, k int) { cells[side][i], cells[side][k] = cells[side][k], cells[side][i] })
		if kept[side] {
			apply(match.KeepCommand(side))
		} else {
			apply(match.PlaceCommand(side, layout))
		}
	}
	for g.Phase() != match.Over {
		turn := g.Turn()
		side, other := turn.Side, turn.Side.Other()
		targets := cells[side][:turn.Shots]
		cells[side] = cells[side][turn.Shots:]
		apply(match.FireCommand(side, targets...))
		for i := 0; kept[other] && i < len(targets) && g.Phase() == match.Battle; i++ {
			apply(match.AnswerCommand(other, targets[i], fleets[other].Fire(targets[i])))
		}
	}
}

func countUnanswered(events []match.Event, side match.Side) (n int) {
	for _, e := range events {
		switch {
		case e.Kind == match.ShotFired && e.Side != side:
			n++
		case e.Kind == match.ShotAnswered && e.Side == side:
			n--
		}
	}
	return n
}

// TestMissedEventsAreCaughtUp checks that a client whose events were dropped gets the lines about them,
// which come from the view.
func TestMissedEventsAreCaughtUp(t *testing.T) {
	for i := range 400 {
		rng := rand.New(rand.NewPCG(uint64(i), 1))
		side, kept := match.Side(i%2), [2]bool{i&2 != 0, i&4 != 0}
		all, some := sentMessages{side: side}, sentMessages{side: side}
		var want, got []byte
		missing := false
		rules := match.Classic()
		if i >= 200 {
			rules = match.Salvo()
		}
		playRandomGame(t, rules, rng, kept, func(g *match.Game, events []match.Event) {
			for k := range events {
				want = all.appendEvent(want, &events[k])
			}
			v := g.View(side)
			// Until the client has to do something, any number of events can be dropped.
			waited := v.Phase == match.Battle && (v.Pending == (v.Turn != side)) && (v.Turn == side || kept[side])
			missing = missing || rng.IntN(3) == 0
			switch {
			case !missing:
				for k := range events {
					got = some.appendEvent(got, &events[k])
				}
				return
			case !waited && v.Phase != match.Over && rng.IntN(2) == 0:
				return
			}
			missing = false
			var ok bool
			if got, ok = some.appendMissed(got, &v, false); !ok {
				t.Fatalf("game %d: appendMissed = false for a client that reads", i)
			}
			// Shots of a salvo after the one that ended the game may be left out.
			if v.Phase == match.Over {
				n := countUnanswered(g.Events(), side)
				all.enemyAttacks -= n
				for ; len(got) < len(want) && n > 0; n-- {
					want = want[:bytes.LastIndexByte(want[:len(want)-1], '\n')+1]
				}
			}
			if some != all {
				t.Fatalf("game %d: the client has received %+v, want %+v", i, some, all)
			}
		})
		if string(got) != string(want) {
			t.Fatalf("game %d: with dropped events side %v is sent\n%s\nwant\n%s", i, side, got, want)
		}
	}
}

// TestTooManyMissedEventsAreNoticed checks that appendMissed returns false for a client that missed two
// results.
func TestTooManyMissedEventsAreNoticed(t *testing.T) {
	unread := false
	playRandomGame(t, match.Classic(), rand.New(rand.NewPCG(1, 1)), [2]bool{}, func(g *match.Game, _ []match.Event) {
		v := g.View(match.Second)
		client := sentMessages{side: match.Second, started: true}
		_, ok := client.appendMissed(nil, &v, false)
		if want := v.Charts[match.Second].Fired < 2 && v.Charts[match.First].Fired < 2; ok != want {
			t.Fatalf("appendMissed after %d and %d missed shots = %v, want %v", v.Charts[0].Fired, v.Charts[1].Fired, ok, want)
		}
		unread = unread || !ok
	})
	if !unread {
		t.Fatal("no game had two shots of one side")
	}
}
