package live_test

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"broadside/match"
	"broadside/match/live"
)

// startMovingBattle returns a match with moving ships after the second side's first shot, with all
// updates received.
func startMovingBattle(t *testing.T, first, second live.SeatConfig) (m *live.Match, boxes [2]*live.Mailbox, watching *live.Spectator) {
	t.Helper()
	rules := match.Naval().WithClock(15 * time.Second)
	m = startMatch(t, rules, first, second)
	rng := rand.New(rand.NewPCG(3, 4))
	for side := match.First; side <= match.Second; side++ {
		boxes[side] = m.Seat(side).Attach(nil)
		m.Seat(side).Place(rules.RandomLayout(rng))
	}
	watching = m.Watch(nil)
	m.Seat(match.Second).Fire(match.NewCell(0, 0))
	for _, b := range []reader{boxes[0], boxes[1], watching} {
		latestUpdate(t, b)
	}
	return m, boxes, watching
}

// firstMove returns a legal move of the first side.
func firstMove(t *testing.T, v *match.View) match.Move {
	t.Helper()
	status := v.FleetStatus(match.First)
	legal := status.LegalMoves()
	if len(legal) == 0 {
		t.Fatal("no ship can move")
	}
	return legal[0]
}

func TestMovesAreHiddenUntilTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, boxes, watching := startMovingBattle(t, person, person)
		first := m.Seat(match.First)
		u := latestUpdate(t, first.Attach(nil))
		if !u.View.CanMove {
			t.Fatal("the side that was shot at may not move")
		}
		boxes[match.First] = first.Attach(nil)
		latestUpdate(t, boxes[match.First])
		// Both readers have seen that the player returned.
		latestUpdate(t, boxes[match.Second])
		latestUpdate(t, watching)
		move := firstMove(t, &u.View)
		first.Move(move)
		own := latestUpdate(t, boxes[match.First])
		if own.View.CanMove || len(own.Events) != 1 || own.Events[0].Move != move {
			t.Fatalf("the moving side receives %+v", own.Events)
		}
		if reflect.DeepEqual(own.View.Fleets, u.View.Fleets) {
			t.Error("no ship has moved")
		}
		checkNoUpdate(t, boxes[match.Second])
		checkNoUpdate(t, watching)
		first.Move(firstMove(t, &own.View))
		if u := latestUpdate(t, boxes[match.First]); u.Refused == nil {
			t.Error("a second move was not refused")
		}
		checkNoUpdate(t, boxes[match.Second])
		first.Fire(match.NewCell(0, 0))
		for _, b := range []reader{boxes[match.Second], watching} {
			if u := latestUpdate(t, b); u.Missed || len(u.Events) != 2 || u.Events[0].Kind != match.ShotFired {
				t.Errorf("the others receive %+v", u.Events)
			}
		}
		m.Seat(match.Second).Resign()
		<-m.Done()
		found := false
		for _, e := range m.WaitForRecord().Events {
			found = found || e.Kind == match.FleetMoved && e.Move == move && e.Side == match.First
		}
		if !found {
			t.Error("the record has no move")
		}
		if u := latestUpdate(t, boxes[match.Second]); !reflect.DeepEqual(u.View.Fleets[match.First], own.View.Fleets[match.First]) {
			t.Error("the end does not show where the fleet lies")
		}
	})
}

// TestTurnClockWithMoves checks that the other side sees one deadline whether the clock runs out
// during a move or during a shot.
func TestTurnClockWithMoves(t *testing.T) {
	for _, decide := range []string{"nothing", "that move", "to stay"} {
		synctest.Test(t, func(t *testing.T) {
			m, boxes, watching := startMovingBattle(t, person, person)
			began := time.Now()
			deadline := func(side match.Side) time.Duration {
				b := m.Seat(side).Attach(nil)
				u := latestUpdate(t, b)
				for s := range boxes {
					if s != int(side) {
						latestUpdate(t, boxes[s])
					}
				}
				latestUpdate(t, watching)
				boxes[side] = b
				return u.Deadline.Sub(began)
			}
			if own, other := deadline(match.First), deadline(match.Second); own != 15*time.Second || other != 30*time.Second {
				t.Fatalf("the clocks show %v and %v", own, other)
			}
			time.Sleep(5 * time.Second)
			b := m.Seat(match.First).Attach(nil)
			u := latestUpdate(t, b)
			latestUpdate(t, boxes[match.Second])
			latestUpdate(t, watching)
			boxes[match.First] = b
			switch decide {
			case "that move":
				m.Seat(match.First).Move(firstMove(t, &u.View))
			case "to stay":
				m.Seat(match.First).Move(match.Stay)
			}
			time.Sleep(15 * time.Second)
			synctest.Wait()
			checkNoUpdate(t, boxes[match.Second])
			checkNoUpdate(t, watching)
			if u := latestUpdate(t, boxes[match.First]); u.View.CanMove || u.Deadline.Sub(began) != 30*time.Second {
				t.Fatalf("after %s the clock shows %v", decide, u.Deadline.Sub(began))
			}
			time.Sleep(10*time.Second - 1)
			synctest.Wait()
			checkNoUpdate(t, boxes[match.Second])
			time.Sleep(time.Nanosecond)
			if u := latestUpdate(t, boxes[match.Second]); u.View.Charts[match.First].Fired != 1 || !u.Events[0].Auto {
				t.Errorf("the clock has not fired: %+v", u.Events)
			}
			// The move has ended, too, and it is the other side's turn.
			if u := latestUpdate(t, boxes[match.First]); u.View.CanMove || u.View.Turn != match.Second {
				t.Error("the first side may still move")
			}
		})
	}
}

// TestResumeWithMoves checks that a match with moving ships can be resumed.
func TestResumeWithMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, boxes, _ := startMovingBattle(t, person, person)
		v := m.Seat(match.First).Attach(nil)
		u := latestUpdate(t, v)
		m.Seat(match.First).Move(firstMove(t, &u.View))
		moved := latestUpdate(t, v)
		m.Abort()
		<-m.Done()
		_ = boxes
		events := m.WaitForRecord().Events
		again, err := live.Start(t.Context(), live.Config{
			Rules: m.WaitForRecord().Rules, Seats: [2]live.SeatConfig{person, person}, Rand: rand.New(rand.NewPCG(1, 2)),
			Interrupted: true, History: events[:len(events)-1],
		})
		if err != nil {
			t.Fatal(err)
		}
		u = latestUpdate(t, again.Seat(match.First).Attach(nil))
		if u.View.CanMove || !reflect.DeepEqual(u.View.Fleets[match.First], moved.View.Fleets[match.First]) {
			t.Errorf("the fleet lies at %v, not at %v", u.View.Fleets[match.First], moved.View.Fleets[match.First])
		}
		again.Abort()
		<-again.Done()
	})
}
