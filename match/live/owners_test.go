package live_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"broadside/match"
	"broadside/match/live"
)

// TestFencedTellsNobody has a referee that does not know that it is none any
// more.
func TestFencedTellsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, owner, a, b, boxes := distant(t, nil)
		stand := owner.m.Watch()
		latest(t, stand)
		s.mu.Lock()
		s.owner = "elsewhere"
		s.mu.Unlock()
		b.m.Seat(match.Second).Fire(match.At(0, 0))
		before := s.events()
		for _, r := range []reader{boxes[0], boxes[1], stand} {
			silent(t, r)
		}
		if owner.m.Here() || len(before) != 3 {
			t.Errorf("it runs there: %v, with %d events", owner.m.Here(), len(before))
		}
		s.mu.Lock()
		s.owner = "owner"
		s.mu.Unlock()
		s.takeOver(a)
		events := s.events()
		if len(events) != 5 || events[3].Cell != match.At(0, 0) {
			t.Errorf("what was fired has led to %+v", events[3:])
		}
		for _, r := range []reader{boxes[0], boxes[1], stand} {
			if u := latest(t, r); u.Missed || len(u.Events) != 2 {
				t.Errorf("missed %v, events %+v", u.Missed, u.Events)
			}
		}
	})
}

// TestYield moves a match whose seats are both at its referee, one of them a
// bot's.
func TestYield(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSea(t, 1, match.Classic())
		s.seats[match.First].Bot = true
		s.seats[match.Second].Grace = 0
		owner := s.start("owner")
		boxes := [2]*live.Mailbox{owner.m.Seat(match.First).Attach(), owner.m.Seat(match.Second).Attach()}
		owner.m.Seat(match.First).Place(fleet)
		owner.m.Seat(match.Second).Place(fleet)
		next := s.follow("next")
		s.events()
		for _, box := range boxes {
			latest(t, box)
		}
		owner.m.Yield()
		owner.m.Yield()
		if owner.m.Here() {
			t.Error("what was yielded runs here")
		}
		ends(t, boxes[match.First], live.ErrReplaced)
		owner.m.Seat(match.Second).Fire(match.At(9, 9))
		quiet()
		s.takeOver(next)
		bot := next.m.Seat(match.First).Attach()
		quiet()
		if u := latest(t, bot); u.Away[match.First] || u.Away[match.Second] || u.View.Charts[match.Second].Fired != 1 {
			t.Errorf("after the move: away %v, view %+v", u.Away, u.View)
		}
		if err := next.m.TakeOver(s.config(next), [2]uint64{}); err == nil {
			t.Error("a match was taken over by who has it")
		}
		// The side without grace has time to come when its node dies with the
		// owner, and loses after that.
		next.m.Seat(match.First).Fire(match.At(9, 9))
		quiet()
		s.mu.Lock()
		next.dead, owner.dead = true, true
		s.mu.Unlock()
		last := s.follow("last")
		s.takeOver(last)
		last.m.Seat(match.First).Attach()
		time.Sleep(10*time.Second - 1)
		synctest.Wait()
		select {
		case <-last.m.Done():
			t.Fatal("it lost before its time was up")
		default:
		}
		if events := s.events(); !over(events) || events[len(events)-1].Reason != match.Left {
			t.Error("who does not come does not lose")
		}
		<-last.m.Done()
		if err := last.m.TakeOver(live.Config{Rules: match.Rules{}}, [2]uint64{}); err == nil {
			t.Error("a match that has ended was taken over")
		}
		next.m.Yield()
	})
}

// TestEndIsTakenOver takes a match over whose end was appended, and no more.
func TestEndIsTakenOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, owner, a, b, boxes := distant(t, nil)
		s.trouble = func(by string, n int) (bool, error) {
			owner.dead = true
			return true, errUncertain
		}
		b.m.Seat(match.Second).Resign()
		s.events()
		owner.die()
		s.mu.Lock()
		s.trouble = nil
		s.mu.Unlock()
		s.takeOver(a)
		for _, box := range boxes {
			ends(t, box, live.ErrEnded)
		}
		if rec := a.m.Record(); rec.Winner != match.First || rec.Reason != match.Resigned || len(rec.Events) != 4 {
			t.Errorf("the record is %+v", rec)
		}
	})
}

// TestFollowerEndsWithItsContext ends a handle whose match nobody answers for.
func TestFollowerEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := false
		m := live.Follow(ctx, "m", live.Far{Send: func([]byte) {}, Ended: func() { ended = true }})
		box := m.Seat(match.First).Attach()
		place := m.Watch()
		for range 200 { // more than it keeps
			m.Seat(match.First).Fire(match.At(0, 0))
		}
		time.Sleep(time.Hour)
		cancel()
		<-m.Done()
		ends(t, box, live.ErrEnded)
		var u live.Update
		if err := place.Recv(t.Context(), &u); !errors.Is(err, live.ErrEnded) || !ended {
			t.Errorf("a spectator is told %v", err)
		}
		ends(t, m.Seat(match.First).Attach(), live.ErrEnded)
		if err := m.Watch().Recv(t.Context(), &u); !errors.Is(err, live.ErrEnded) {
			t.Errorf("a late spectator is told %v", err)
		}
		if rec := m.Record(); rec.Winner != match.Nobody || rec.ID != "m" {
			t.Errorf("its record is %+v", rec)
		}
	})
}
