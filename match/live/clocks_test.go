package live_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"broadside/match"
	"broadside/match/live"
)

func TestTurnClockFiresRandomShot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, boxes := startBattle(t, match.Classic().WithClock(15*time.Second), person, person)
		m.Seat(match.Second).Fire(match.NewCell(9, 9))
		u := latestUpdate(t, boxes[match.First])
		if left := time.Until(u.Deadline); left != 15*time.Second {
			t.Fatalf("time left %v, want 15s", left)
		}
		time.Sleep(15*time.Second - time.Nanosecond)
		synctest.Wait()
		checkNoUpdate(t, boxes[match.First])
		time.Sleep(time.Nanosecond)
		u = latestUpdate(t, boxes[match.First])
		if n := u.View.Charts[match.First].Fired; n != 1 {
			t.Fatalf("%d shots fired for the player, want 1", n)
		}
		if u.View.Phase != match.Battle || len(u.Events) == 0 || !u.Events[0].Auto {
			t.Errorf("the shot is not told as the clock's: %+v", u.Events)
		}
	})
}

// TestConfirmedClock checks that the clock of a confirming seat waits for the player at
// both ends.
func TestConfirmedClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		beside := person
		beside.Confirms = true
		m, boxes := startBattle(t, match.Classic().WithClock(15*time.Second), beside, beside)
		second := m.Seat(match.Second)
		time.Sleep(time.Hour)
		synctest.Wait()
		checkNoUpdate(t, boxes[match.Second])
		// It is not the first side's turn.
		m.Seat(match.First).ConfirmTurn()
		synctest.Wait()
		checkNoUpdate(t, boxes[match.Second])
		second.ConfirmTurn()
		u := latestUpdate(t, boxes[match.Second])
		if left := time.Until(u.Deadline); left != 15*time.Second {
			t.Fatalf("time left %v, want 15s", left)
		}
		time.Sleep(5 * time.Second)
		// Confirming again does not add time.
		second.ConfirmTurn()
		// It is too early for a random shot.
		second.FireRandomShots()
		time.Sleep(10 * time.Second)
		synctest.Wait()
		checkNoUpdate(t, boxes[match.Second])
		second.Fire(match.NewCell(9, 9))
		if u = latestUpdate(t, boxes[match.Second]); !errors.Is(u.Refused, live.ErrTimeOver) || u.View.Charts[match.Second].Fired != 0 {
			t.Errorf("a late shot: %v, %d fired", u.Refused, u.View.Charts[match.Second].Fired)
		}
		second.ConfirmTurn()
		synctest.Wait()
		checkNoUpdate(t, boxes[match.Second])
		second.FireRandomShots()
		if u = latestUpdate(t, boxes[match.Second]); u.View.Charts[match.Second].Fired != 1 || !u.Events[0].Auto || !u.Deadline.IsZero() {
			t.Errorf("%d shots are fired by %+v, until %v", u.View.Charts[match.Second].Fired, u.Events, u.Deadline)
		}
		m.Seat(match.First).ConfirmTurn()
		m.Seat(match.First).Fire(match.NewCell(9, 9))
		if u = latestUpdate(t, boxes[match.Second]); u.View.Charts[match.First].Fired != 1 || !u.Deadline.IsZero() {
			t.Errorf("%d shots are fired, until %v", u.View.Charts[match.First].Fired, u.Deadline)
		}
	})
}

// TestConfirmedMoves checks that, with moving ships, the move is passed when its time ends,
// and the shot waits.
func TestConfirmedMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		beside := person
		beside.Confirms = true
		rules := match.Naval().WithClock(15 * time.Second)
		m := startMatch(t, rules, beside, beside)
		var boxes [2]*live.Mailbox
		for side := range boxes {
			seat := m.Seat(match.Side(side))
			boxes[side] = seat.Attach(nil)
			seat.Place(rules.RandomLayout(rand.New(rand.NewPCG(1, uint64(side)))))
		}
		m.Seat(match.Second).ConfirmTurn()
		m.Seat(match.Second).Fire(match.NewCell(9, 9))
		time.Sleep(time.Hour)
		if u := latestUpdate(t, boxes[match.First]); !u.View.CanMove || !u.Deadline.IsZero() {
			t.Fatalf("before it is confirmed: %t, %v", u.View.CanMove, u.Deadline)
		}
		m.Seat(match.First).ConfirmTurn()
		time.Sleep(time.Hour)
		if u := latestUpdate(t, boxes[match.First]); u.View.CanMove || u.View.Charts[match.First].Fired != 0 || time.Since(u.Deadline) != time.Hour-30*time.Second {
			t.Errorf("after an hour: %t, %d shots, %v", u.View.CanMove, u.View.Charts[match.First].Fired, u.Deadline)
		}
		m.Seat(match.First).FireRandomShots()
		if u := latestUpdate(t, boxes[match.First]); u.View.Charts[match.First].Fired != 1 {
			t.Error("the random shot is not fired")
		}
	})
}

func TestNoClockRunsWhenOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, boxes := startBattle(t, match.Classic(), person, person)
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		checkNoUpdate(t, boxes[match.First])
	})
}

func TestPlacingClockPlacesRandomFleet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := person
		slow.PlaceTimeout = time.Minute
		m := startMatch(t, match.Classic(), slow, program)
		b := m.Seat(match.First).Attach(nil)
		m.Seat(match.Second).Keep()
		if u := latestUpdate(t, b); time.Until(u.Deadline) != time.Minute {
			t.Errorf("time for placing %v, want 1m", time.Until(u.Deadline))
		}
		time.Sleep(time.Minute)
		u := latestUpdate(t, b)
		if u.View.Phase != match.Battle || match.Classic().CheckLayout(u.View.Fleets[match.First]) != nil {
			t.Errorf("phase %v with fleet %v", u.View.Phase, u.View.Fleets[match.First])
		}
	})
}

func TestSilentProgramLoses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := startMatch(t, match.Classic(), person, program)
		m.Seat(match.Second).Keep()
		// The program has nothing to do while its opponent places.
		time.Sleep(time.Hour)
		m.Seat(match.First).Place(fleet)
		synctest.Wait()
		time.Sleep(5*time.Minute - 1)
		select {
		case <-m.Done():
			t.Fatal("lost before its time was up")
		default:
		}
		<-m.Done()
		if rec := m.WaitForRecord(); rec.Winner != match.First || rec.Reason != match.Silent {
			t.Errorf("winner %v for %v", rec.Winner, rec.Reason)
		}
	})
}

func TestLeaveAndComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, boxes := startBattle(t, match.Classic(), person, person)
		first, second := m.Seat(match.First), m.Seat(match.Second)
		first.Detach(boxes[match.First])
		if u := latestUpdate(t, boxes[match.Second]); !u.Away[match.First] || !u.AwayUntil[match.First].IsZero() {
			t.Fatalf("away %v until %v: its clock stands still, for it is the other side's turn", u.Away, u.AwayUntil)
		}
		time.Sleep(time.Hour)
		second.Fire(match.NewCell(9, 9))
		if u := latestUpdate(t, boxes[match.Second]); time.Until(u.AwayUntil[match.First]) != time.Minute {
			t.Fatalf("absence clock shows %v, want 1m", time.Until(u.AwayUntil[match.First]))
		}
		time.Sleep(59 * time.Second)
		back := first.Attach(nil)
		if u := latestUpdate(t, back); !u.Missed || u.View.Fleets[match.First] == nil || u.Away[match.First] {
			t.Fatalf("after returning: %+v", u)
		}
		time.Sleep(time.Hour)
		first.Fire(match.NewCell(9, 9))
		if u := latestUpdate(t, boxes[match.Second]); u.View.Charts[match.First].Fired != 1 {
			t.Error("the shot after coming back did not arrive")
		}
		var u live.Update
		if err := boxes[match.First].Receive(t.Context(), &u); !errors.Is(err, live.ErrReplaced) {
			t.Errorf("the old mailbox ends with %v, want %v", err, live.ErrReplaced)
		}
	})
}

func TestWinIsClaimed(t *testing.T) {
	patient := person
	patient.Claims = true
	for _, c := range []struct {
		name   string
		then   func(first, second *live.Seat, b *live.Mailbox)
		winner match.Side
	}{
		{"claimed", func(_, second *live.Seat, _ *live.Mailbox) { second.Claim() }, match.Second},
		{"left", func(_, second *live.Seat, b *live.Mailbox) { second.Detach(b) }, match.Second},
		{"claimed too late", func(first, second *live.Seat, _ *live.Mailbox) {
			first.Attach(nil)
			second.Claim()
			second.Resign()
		}, match.First},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, boxes := startBattle(t, match.Classic(), patient, patient)
				first, second := m.Seat(match.First), m.Seat(match.Second)
				first.Detach(boxes[match.First])
				second.Fire(match.NewCell(9, 9))
				time.Sleep(time.Minute - 1)
				second.Claim()
				if u := latestUpdate(t, boxes[match.Second]); !errors.Is(u.Refused, live.ErrNoClaim) || u.Late[match.First] {
					t.Fatalf("a claim that comes too early: %v, late %v", u.Refused, u.Late)
				}
				// The other side does not claim the win.
				time.Sleep(time.Hour)
				if u := latestUpdate(t, boxes[match.Second]); !u.Late[match.First] || !u.AwayUntil[match.First].IsZero() {
					t.Fatalf("late %v until %v", u.Late, u.AwayUntil)
				}
				c.then(first, second, boxes[match.Second])
				<-m.Done()
				if rec := m.WaitForRecord(); rec.Winner != c.winner {
					t.Errorf("winner %v for %v", rec.Winner, rec.Reason)
				}
			})
		})
	}
}

func TestAbsenceAddsUpAndLoses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, boxes := startBattle(t, match.Classic().WithClock(25*time.Second), person, person)
		m.Seat(match.First).Detach(boxes[match.First])
		synctest.Wait()
		// Each of the absent side's turns takes 25 s, until the clock fires for it.
		for i := range 2 {
			m.Seat(match.Second).Fire(match.NewCell(9, i))
			synctest.Wait()
			time.Sleep(25 * time.Second)
			synctest.Wait()
		}
		m.Seat(match.Second).Fire(match.NewCell(9, 2))
		synctest.Wait()
		time.Sleep(10*time.Second - 1)
		select {
		case <-m.Done():
			t.Fatal("lost before a minute of its own turns had passed")
		default:
		}
		<-m.Done()
		if rec := m.WaitForRecord(); rec.Winner != match.Second || rec.Reason != match.Left {
			t.Errorf("winner %v for %v", rec.Winner, rec.Reason)
		}
	})
}

func TestLeavingWithoutReturnLoses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		guest := person
		guest.Grace = 0
		m, boxes := startBattle(t, match.Classic(), guest, person)
		m.Seat(match.First).Detach(boxes[match.First])
		<-m.Done()
		if rec := m.WaitForRecord(); rec.Winner != match.Second || rec.Reason != match.Left {
			t.Errorf("winner %v for %v", rec.Winner, rec.Reason)
		}
	})
}

// TestEarlyEnd checks that, in a match that may be aborted, a side that resigns or leaves
// loses nothing until both have fired three shots.
func TestEarlyEnd(t *testing.T) {
	guest := person
	guest.Grace = 0
	resign := func(m *live.Match, _ *live.Mailbox) { m.Seat(match.First).Resign() }
	leave := func(m *live.Match, b *live.Mailbox) { m.Seat(match.First).Detach(b) }
	for _, c := range []struct {
		name      string
		abortable bool
		// shots counts both sides' shots.
		shots  int
		end    func(*live.Match, *live.Mailbox)
		winner match.Side
		reason match.Reason
	}{
		{"resigned early", true, 5, resign, match.Nobody, match.Aborted},
		{"left early", true, 5, leave, match.Nobody, match.Aborted},
		{"resigned late", true, 6, resign, match.Second, match.Resigned},
		{"left late", true, 6, leave, match.Second, match.Left},
		{"resigned early where nothing is at stake", false, 5, resign, match.Second, match.Resigned},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m, err := live.Start(t.Context(), live.Config{
					Rules: match.Classic(), Seats: [2]live.SeatConfig{guest, person}, Rand: rand.New(rand.NewPCG(1, 2)), Abortable: c.abortable,
				})
				if err != nil {
					t.Fatal(err)
				}
				boxes := [2]*live.Mailbox{m.Seat(match.First).Attach(nil), m.Seat(match.Second).Attach(nil)}
				m.Seat(match.First).Place(fleet)
				m.Seat(match.Second).Place(fleet)
				for i := range c.shots {
					synctest.Wait()
					m.Seat(match.Side(1 - i%2)).Fire(match.NewCell(9, i))
				}
				synctest.Wait()
				c.end(m, boxes[match.First])
				<-m.Done()
				if rec := m.WaitForRecord(); rec.Winner != c.winner || rec.Reason != c.reason {
					t.Errorf("winner %v for %v", rec.Winner, rec.Reason)
				}
				if v := latestUpdate(t, boxes[match.Second]).View; v.Reason == match.Aborted && v.Aborter != match.First {
					t.Errorf("side %v has aborted", v.Aborter)
				}
			})
		})
	}
}

// TestProgramReturns checks that programs may return within Return after an interruption. Otherwise
// they lose when they leave.
func TestProgramReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seat := program
		seat.Return = 10 * time.Second
		m := startMatch(t, match.Classic(), seat, seat)
		m.Seat(match.First).Keep()
		m.Seat(match.Second).Keep()
		m.Abort()
		<-m.Done()
		events := m.WaitForRecord().Events
		again, err := live.Start(t.Context(), live.Config{
			Rules: match.Classic(), Seats: [2]live.SeatConfig{seat, seat}, Rand: rand.New(rand.NewPCG(1, 2)),
			Interrupted: true, History: events[:len(events)-1],
		})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(9 * time.Second)
		box := again.Seat(match.First).Attach(nil)
		if u := latestUpdate(t, box); !u.Away[match.Second] || time.Until(u.AwayUntil[match.Second]) != time.Second {
			t.Errorf("away %v for %v", u.Away, time.Until(u.AwayUntil[match.Second]))
		}
		time.Sleep(time.Second)
		<-again.Done()
		if rec := again.WaitForRecord(); rec.Winner != match.First || rec.Reason != match.Left {
			t.Errorf("winner %v for %v", rec.Winner, rec.Reason)
		}
	})
}

// TestPaceReplacesOtherClocks checks that the players of a correspondence match may leave, and that a
// restored match continues with the time that was left.
func TestPaceReplacesOtherClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const day = 24 * time.Hour
		cfg := live.Config{
			Rules: match.Classic(), Seats: [2]live.SeatConfig{person, program}, Rand: rand.New(rand.NewPCG(1, 2)), Pace: day,
			Interrupted: true, PaceLeft: 2 * time.Hour,
		}
		m, err := live.Start(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		first, second := m.Seat(match.First), m.Seat(match.Second)
		box := first.Attach(nil)
		if left := time.Until(latestUpdate(t, box).Deadline); left != 2*time.Hour {
			t.Errorf("got %v left, want 2h", left)
		}
		first.Place(fleet)
		first.Detach(box)
		second.Place(fleet)
		time.Sleep(day - time.Minute)
		second.Fire(match.NewCell(9, 9))
		u := latestUpdate(t, first.Attach(nil))
		if left := time.Until(u.Deadline); left != day || u.Away != [2]bool{} {
			t.Errorf("got %v left, away %v, want a day and no one away", left, u.Away)
		}
		time.Sleep(day)
		<-m.Done()
		if rec := m.WaitForRecord(); rec.Winner != match.Second || rec.Reason != match.Silent {
			t.Errorf("got winner %v, %v, want %v, %v", rec.Winner, rec.Reason, match.Second, match.Silent)
		}
	})
}
