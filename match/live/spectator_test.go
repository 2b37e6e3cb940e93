package live_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"broadside/match"
	"broadside/match/live"
)

func TestSpectatorComesLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, _ := startBattle(t, match.Classic(), person, person)
		first, second := m.Seat(match.First), m.Seat(match.Second)
		second.Fire(match.NewCell(0, 0))
		early := m.Watch(nil)
		first.Fire(match.NewCell(9, 9))
		u := latestUpdate(t, early)
		if got := shotCells(u); !u.Missed || !slices.Equal(got, []match.Cell{match.NewCell(0, 0), match.NewCell(9, 9)}) {
			t.Errorf("missed %v, shots so far %v", u.Missed, got)
		}
		if c := u.View.Charts[match.Second]; c.Mark(match.NewCell(0, 0)) != match.Struck {
			t.Error("the shot before is not in the view")
		}
		checkNoUpdate(t, early)
		late := m.Watch(nil)
		if u := latestUpdate(t, late); !u.Missed || len(shotCells(u)) != 2 || u.View.Charts[match.First].Fired != 1 {
			t.Errorf("missed %v, events %+v", u.Missed, u.Events)
		}
		// A new spectator causes no update for others.
		checkNoUpdate(t, early)
		second.Fire(match.NewCell(0, 1))
		for _, s := range []*live.Spectator{early, late} {
			if u := latestUpdate(t, s); u.Missed || len(u.Events) != 2 {
				t.Errorf("missed %v, events %+v", u.Missed, u.Events)
			}
		}
	})
}

// shotCells returns the cells of an update's shots with a result.
func shotCells(u live.Update) (cells []match.Cell) {
	for _, e := range u.Events {
		if e.Kind == match.ShotAnswered {
			cells = append(cells, e.Cell)
		}
	}
	return cells
}

// TestSpectatorReadsAtOnce checks that a spectator can read immediately.
func TestSpectatorReadsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, _ := startBattle(t, match.Classic(), person, person)
		latestUpdate(t, m.Watch(nil))
		m.Seat(match.Second).Fire(match.NewCell(5, 5))
		for range 100 {
			s := m.Watch(nil)
			var u live.Update
			if err := s.Receive(t.Context(), &u); err != nil || len(shotCells(u)) != 1 || u.View.Charts[match.Second].Fired != 1 {
				t.Fatalf("events %+v, %d shots, %v", u.Events, u.View.Charts[match.Second].Fired, err)
			}
			s.Leave()
		}
	})
}

func TestSlowSpectatorMissesTheOldest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, _ := startBattle(t, match.Classic(), person, person)
		slow, fast := m.Watch(nil), m.Watch(nil)
		latestUpdate(t, slow)
		latestUpdate(t, fast)
		seen := 0
		var last match.Cell
		for y := range 10 {
			for x := range 5 {
				last = match.NewCell(x+5, y)
				time.Sleep(time.Millisecond)
				m.Seat(match.Second).Fire(last)
				time.Sleep(time.Millisecond)
				m.Seat(match.First).Fire(last)
				u := latestUpdate(t, fast)
				seen += len(u.Events)
				if u.Missed {
					t.Error("a reader that keeps up has missed events")
				}
			}
		}
		u := latestUpdate(t, slow)
		if !u.Missed || len(u.Events) != 64 || u.Events[63].Cell != last || u.View.Charts[match.First].Fired != 50 {
			t.Errorf("missed %v, %d events, the last %+v", u.Missed, len(u.Events), u.Events[len(u.Events)-1])
		}
		at := slices.IndexFunc(u.Events, func(e match.Event) bool { return e.Kind == match.ShotAnswered })
		for i := at + 2; i < len(u.Events); i += 2 {
			if u.Events[i].At < u.Events[i-2].At || u.Events[i].Kind != match.ShotAnswered {
				t.Fatalf("event %d is out of order: %+v", i, u.Events[i])
			}
		}
		if seen != 200 {
			t.Errorf("a reader that keeps up has seen %d events of 200", seen)
		}
		checkNoUpdate(t, slow)
	})
}

func TestSpectatorsLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, _ := startBattle(t, match.Classic(), person, person)
		a, b := m.Watch(nil), m.Watch(nil)
		latestUpdate(t, a)
		told := make(chan error)
		go func() {
			var u live.Update
			told <- a.Receive(t.Context(), &u)
		}()
		synctest.Wait()
		a.Leave()
		a.Leave()
		if err := <-told; !errors.Is(err, live.ErrEnded) {
			t.Errorf("the error of a spectator that leaves while waiting: %v", err)
		}
		latestUpdate(t, b)
		m.Seat(match.Second).Fire(match.NewCell(5, 5))
		if u := latestUpdate(t, b); len(u.Events) != 2 {
			t.Errorf("the remaining spectator sees %+v", u.Events)
		}
		b.Leave()
		// No one watches this shot.
		m.Seat(match.First).Fire(match.NewCell(5, 5))
		c := m.Watch(nil)
		if u := latestUpdate(t, c); !u.Missed || len(shotCells(u)) != 2 || u.View.Charts[match.First].Fired != 1 {
			t.Errorf("a spectator after all others have left sees %+v, %d shots", u.Events, u.View.Charts[match.First].Fired)
		}
		m.Seat(match.First).Resign()
		<-m.Done()
		if u := latestUpdate(t, c); u.View.Phase != match.Over {
			t.Errorf("the last is phase %v", u.View.Phase)
		}
		var u live.Update
		if err := c.Receive(t.Context(), &u); !errors.Is(err, live.ErrEnded) {
			t.Errorf("after the end: %v", err)
		}
		// This is the first spectator after the end, and another one.
		for range 2 {
			late := m.Watch(nil)
			if u := latestUpdate(t, late); u.View.Fleets[match.First] == nil {
				t.Error("a spectator after the end does not see the fleets")
			}
			late.Leave()
		}
	})
}
