package live_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"broadside/match"
	"broadside/match/audit"
	"broadside/match/live"
)

// columnCells returns the first n cells of a column.
func columnCells(x, n int) []match.Cell {
	cells := make([]match.Cell, n)
	for y := range cells {
		cells[y] = match.NewCell(x, y)
	}
	return cells
}

// countKinds counts events by kind.
func countKinds(events []match.Event) map[match.EventKind]int {
	n := map[match.EventKind]int{}
	for _, e := range events {
		n[e.Kind]++
	}
	return n
}

// TestSalvoIsReportedTogether checks that no one sees part of a salvo while two programs fire and
// answer shot by shot.
func TestSalvoIsReportedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := startMatch(t, match.Salvo(), program, program)
		spectator := m.Watch(nil)
		var boxes [2]*live.Mailbox
		for side := match.First; side <= match.Second; side++ {
			boxes[side] = m.Seat(side).Attach(nil)
			m.Seat(side).Keep()
		}
		readers := []reader{boxes[0], boxes[1], spectator}
		for _, b := range readers {
			if u := latestUpdate(t, b); u.View.Shots != 5 {
				t.Fatalf("the first turn has %d shots", u.View.Shots)
			}
		}
		targets := columnCells(0, 5)
		for i, cell := range targets {
			for _, b := range readers {
				checkNoUpdate(t, b)
			}
			m.Seat(match.Second).Fire(cell)
			synctest.Wait()
			if late := latestUpdate(t, m.Watch(nil)); i < 4 && (late.View.Targets != nil || late.View.Pending) {
				t.Fatalf("a spectator sees %v after %d shots", late.View.Targets, i+1)
			}
		}
		for _, b := range readers {
			u := latestUpdate(t, b)
			if !u.View.Pending || !slices.Equal(u.View.Targets, targets) || countKinds(u.Events)[match.ShotFired] != 5 {
				t.Fatalf("all shots fired: %v, events %v", u.View.Targets, u.Events)
			}
		}
		truth := match.NewFleet(fleet)
		for _, cell := range targets {
			for _, b := range readers {
				checkNoUpdate(t, b)
			}
			m.Seat(match.First).Answer(cell, truth.Fire(cell))
			synctest.Wait()
		}
		for _, b := range readers {
			u := latestUpdate(t, b)
			if chart := &u.View.Charts[match.Second]; chart.Fired != 5 || len(u.View.Last[match.Second]) != 5 ||
				countKinds(u.Events)[match.ShotAnswered] != 5 || u.View.Turn != match.First {
				t.Fatalf("all shots answered: %d, events %v", chart.Fired, u.Events)
			}
		}
		// Naming a cell twice breaks the rules. The referee knows the shots that a program
		// has sent of an incomplete salvo, although they are not shown yet.
		seen := m.Seat(match.First).EventsSince(t.Context(), 0)
		m.Seat(match.First).Fire(match.NewCell(9, 9))
		if own, others := m.Seat(match.First).EventsSince(t.Context(), 0), m.Seat(match.Second).EventsSince(t.Context(), 0); len(own) != len(seen)+1 ||
			own[len(seen)].Cell != match.NewCell(9, 9) || len(others) != len(seen) {
			t.Errorf("First knows %d events and Second %d, of %d", len(own), len(others), len(seen)+1)
		}
		m.Seat(match.First).Fire(match.NewCell(9, 9))
		if u := latestUpdate(t, boxes[match.Second]); u.View.Winner != match.Second || u.View.Reason != match.BadCell {
			t.Errorf("winner %v for %v", u.View.Winner, u.View.Reason)
		}
	})
}

// TestClockCompletesSalvo checks that the clock covers a whole salvo and chooses the remaining cells.
func TestClockCompletesSalvo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, boxes := startBattle(t, match.Salvo().WithClock(20*time.Second), person, person)
		time.Sleep(15 * time.Second)
		m.Seat(match.Second).Fire(match.NewCell(9, 9), match.NewCell(9, 8))
		time.Sleep(4 * time.Second)
		checkNoUpdate(t, boxes[match.First])
		time.Sleep(2 * time.Second)
		u := latestUpdate(t, boxes[match.First])
		last := u.View.Last[match.Second]
		if len(last) != 5 || last[0].Cell != match.NewCell(9, 9) || last[1].Cell != match.NewCell(9, 8) {
			t.Fatalf("the clock has made %v of it", last)
		}
		auto := 0
		for _, e := range u.Events {
			if e.Kind == match.ShotFired && e.Auto {
				auto++
			}
		}
		if auto != 3 {
			t.Errorf("the clock has fired %d shots", auto)
		}
	})
}

// TestResumeInSalvo checks that the remaining shots complete a salvo that was interrupted.
func TestResumeInSalvo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := match.NewGame(match.Salvo(), audit.Flag)
		for _, c := range []match.Command{
			match.PlaceCommand(match.First, fleet), match.KeepCommand(match.Second), match.FireCommand(match.Second, columnCells(0, 2)...),
		} {
			if _, err := g.Apply(c); err != nil {
				t.Fatal(err)
			}
		}
		back := program
		back.Return = time.Minute
		m, err := live.Start(t.Context(), live.Config{
			ID: "test", Rules: match.Salvo(), Seats: [2]live.SeatConfig{person, back}, Rand: rand.New(rand.NewPCG(1, 2)),
			Interrupted: true, History: g.Events(),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { m.Abort(); <-m.Done() }()
		box := m.Seat(match.First).Attach(nil)
		if u := latestUpdate(t, box); u.View.Targets != nil || u.View.Turn != match.Second || u.View.Shots != 5 {
			t.Fatalf("after the interruption First sees %+v", u.View.Targets)
		}
		m.Seat(match.Second).Attach(nil)
		latestUpdate(t, box)
		m.Seat(match.Second).Fire(columnCells(1, 3)...)
		u := latestUpdate(t, box)
		if len(u.View.Last[match.Second]) != 5 || u.View.Turn != match.First || countKinds(u.Events)[match.ShotFired] != 5 {
			t.Errorf("the salvo is %v, events %v", u.View.Last[match.Second], u.Events)
		}
	})
}
