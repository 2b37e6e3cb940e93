package live_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"broadside/match"
	"broadside/match/live"
)

// distant is a match in battle whose referee is on a node of its own, with one
// seat on node a and the other on node b.
func distant(t *testing.T, change func(*sea)) (s *sea, owner, a, b *node, boxes [2]*live.Mailbox) {
	t.Helper()
	s = newSea(t, 1, match.Classic())
	if change != nil {
		change(s)
	}
	owner = s.start("owner")
	a, b = s.follow("a"), s.follow("b")
	for side, n := range []*node{a, b} {
		boxes[side] = n.m.Seat(match.Side(side)).Attach()
		n.m.Seat(match.Side(side)).Place(fleet)
	}
	if n := len(s.events()); n != 3 {
		t.Fatalf("%d events have placed the fleets", n)
	}
	for _, box := range boxes {
		latest(t, box)
	}
	return s, owner, a, b, boxes
}

// quiet waits until all that was said has arrived, and nothing is said again.
func quiet() {
	time.Sleep(20 * time.Second)
	synctest.Wait()
}

// ends fails the test unless a mailbox ends with an error.
func ends(t *testing.T, b *live.Mailbox, want error) {
	t.Helper()
	quiet()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for {
		var u live.Update
		if err := b.Recv(ctx, &u); err != nil {
			if !errors.Is(err, want) {
				t.Errorf("the mailbox ends with %v, not with %v", err, want)
			}
			return
		}
	}
}

func TestDistantRefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, a, b, boxes := distant(t, nil)
		s.loss = 0.5 // so that all is said more than once
		for range 20 {
			a.m.Seat(match.First).Fire(match.At(3, 3))
			var u live.Update
			if err := boxes[match.First].Recv(t.Context(), &u); err != nil || !errors.Is(u.Refused, match.ErrNotYourTurn) {
				t.Fatalf("refused %v, %v", u.Refused, err)
			}
			quiet()
			silent(t, boxes[match.First])
		}
		b.m.Seat(match.Second).Claim()
		quiet()
		if u := latest(t, boxes[match.Second]); !errors.Is(u.Refused, live.ErrNoClaim) {
			t.Errorf("a claim is refused with %v", u.Refused)
		}
		a.m.Seat(match.First).Resign()
		for _, box := range boxes {
			ends(t, box, live.ErrEnded)
		}
		if rec := a.m.Record(); rec.Winner != match.Second || rec.Reason != match.Resigned || rec.Names[0] != "ann" {
			t.Errorf("the record from afar is %+v", rec)
		}
		late := b.m.Seat(match.Second).Attach()
		if u := latest(t, late); u.View.Phase != match.Over || u.View.Viewer != match.Second {
			t.Errorf("who comes late sees phase %v of side %v", u.View.Phase, u.View.Viewer)
		}
	})
}

func TestDistantStrictSeatLoses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, owner, a, _, _ := distant(t, func(s *sea) { s.seats[match.First].Strict = true })
		a.m.Seat(match.First).Fire(match.At(3, 3))
		s.events()
		if rec := owner.m.Record(); rec.Winner != match.Second || rec.Reason != match.OutOfTurn {
			t.Errorf("winner %v for %v", rec.Winner, rec.Reason)
		}
	})
}

// TestDistantAbsence lets players leave, and their nodes die and come back.
func TestDistantAbsence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, owner, a, b, boxes := distant(t, nil)
		b.m.Seat(match.Second).Detach(boxes[match.Second])
		ends(t, boxes[match.Second], live.ErrReplaced)
		u := latest(t, boxes[match.First])
		if left := time.Until(u.AwayUntil[match.Second]); !u.Away[match.Second] || left.Round(time.Second) != 40*time.Second {
			t.Fatalf("away %v for %v", u.Away, left)
		}
		boxes[match.Second] = b.m.Seat(match.Second).Attach()
		quiet()
		if u := latest(t, boxes[match.First]); u.Away[match.Second] {
			t.Error("who has come back is away")
		}
		if u := latest(t, boxes[match.Second]); !u.Missed || u.View.Phase != match.Battle {
			t.Errorf("who has come back sees %+v", u)
		}
		owner.m.Gone("b")
		synctest.Wait()
		if u := latest(t, boxes[match.First]); !u.Away[match.Second] {
			t.Error("whose node is dead is not away")
		}
		quiet() // it lives, and looks from time to time whether it has missed something
		if u := latest(t, boxes[match.First]); u.Away[match.Second] {
			t.Error("whose node has come back is away")
		}
		b.m.Seat(match.Second).Fire(match.At(9, 9))
		quiet()
		if u := latest(t, boxes[match.First]); u.View.Charts[match.Second].Fired != 1 {
			t.Error("its shot did not count")
		}
		a.m.Abort()
		for _, box := range boxes {
			ends(t, box, live.ErrEnded)
		}
		if rec := owner.m.Record(); rec.Reason != match.Closed {
			t.Errorf("the match was ended for %v", rec.Reason)
		}
	})
}

// TestDistantTakenForGone has a node be taken for gone that has noticed nothing:
// its readers see all that happens from when it speaks up next.
func TestDistantTakenForGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, owner, a, b, boxes := distant(t, nil)
		place := b.m.Watch()
		for n := range 5 {
			b.m.Seat(match.Second).Fire(match.At(n, 9))
			time.Sleep(time.Millisecond)
			a.m.Seat(match.First).Fire(match.At(n, 9))
			time.Sleep(time.Millisecond)
		}
		quiet()
		latest(t, boxes[match.Second])
		latest(t, place)
		owner.m.Gone("b")
		quiet()
		for n := range 3 {
			b.m.Seat(match.Second).Fire(match.At(n, 7))
			time.Sleep(time.Millisecond)
			a.m.Seat(match.First).Fire(match.At(n, 7))
			time.Sleep(time.Millisecond)
			for _, r := range []reader{boxes[match.Second], place} {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				var u live.Update
				if err := r.Recv(ctx, &u); err != nil || u.View.Charts[match.First].Fired != 6+n || u.Missed {
					t.Errorf("after %d shots it sees %d, missed %v: %v", 6+n, u.View.Charts[match.First].Fired, u.Missed, err)
				}
				cancel()
			}
		}
	})
}

// TestDistantLateReferee has a player come to a referee that is none any more and
// does not know it yet, and so has told them a later moment than the true one
// has. When it has the match again, they stay.
func TestDistantLateReferee(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSea(t, 1, match.Classic())
		owner := s.start("owner")
		a := s.follow("a")
		// What a says arrives late at the owner, and nothing comes back.
		s.mu.Lock()
		s.lines[[2]string{"a", "owner"}] = time.Now().Add(10 * time.Second)
		s.mu.Unlock()
		box := a.m.Seat(match.First).Attach()
		time.Sleep(time.Second)
		next := s.follow("next")
		s.mu.Lock()
		s.owner, s.nodes["a"].owner = "next", "next"
		s.mu.Unlock()
		s.mu.Lock()
		cfg := s.config(next)
		s.mu.Unlock()
		if err := next.m.TakeOver(cfg, [2]uint64{}); err != nil {
			t.Fatal(err)
		}
		a.m.Relink()
		time.Sleep(15 * time.Second)
		owner.m.Relink() // it hears of it at last
		synctest.Wait()
		if u := latest(t, box); u.Away[match.First] {
			t.Error("who has come is away")
		}
		s.takeOver(owner)
		quiet()
		if u := latest(t, box); u.Away[match.First] || !a.m.Seat(match.First).Held() {
			t.Errorf("away %v, held %v", u.Away[match.First], a.m.Seat(match.First).Held())
		}
	})
}

// TestDistantSecondSession has a player come from another node. Who has been
// replaced stays so when the match changes its owner.
func TestDistantSecondSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, owner, a, b, boxes := distant(t, nil)
		s.mu.Lock()
		s.lines[[2]string{"owner", "b"}] = time.Now().Add(time.Hour) // b is not told that it was replaced
		s.mu.Unlock()
		second := a.m.Seat(match.Second).Attach()
		synctest.Wait()
		if !a.m.Seat(match.Second).Held() || !b.m.Seat(match.Second).Held() {
			t.Error("a seat is not held by who has come")
		}
		s.takeOver(a)
		ends(t, boxes[match.Second], live.ErrReplaced)
		if b.m.Seat(match.Second).Held() {
			t.Error("who was replaced holds the seat")
		}
		if u := latest(t, second); u.Away[match.Second] {
			t.Error("who has come is away")
		}
		// A third session here, of the seat that is the referee's own.
		third := owner.m.Seat(match.First).Attach()
		ends(t, boxes[match.First], live.ErrReplaced)
		if u := latest(t, third); u.View.Viewer != match.First || a.m.Seat(match.First).Held() {
			t.Error("a session from afar does not replace one at the referee")
		}
	})
}

// TestDistantSpectators come and go at another node.
func TestDistantSpectators(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, owner, _, b, _ := distant(t, nil)
		early := b.m.Watch()
		quiet()
		if u := latest(t, early); !u.Missed || len(u.Events) != 0 || u.View.Viewer != match.Nobody || u.View.Fleets[0] != nil {
			t.Errorf("who comes sees %+v", u)
		}
		b.m.Seat(match.Second).Fire(match.At(9, 9))
		quiet()
		late := b.m.Watch()
		for i, r := range []*live.Spectator{early, late} {
			if u := latest(t, r); len(u.Events) != 2*(1-i) || u.View.Charts[match.Second].Fired != 1 {
				t.Errorf("spectator %d sees events %+v", i, u.Events)
			}
		}
		early.Leave()
		// So much gets lost that it cannot be told any more.
		s.mu.Lock()
		s.loss = 1
		s.mu.Unlock()
		for y := range 5 {
			for x := range 10 {
				owner.m.Seat(match.First).Fire(match.At(x, 2*y+1))
				owner.m.Seat(match.Second).Fire(match.At(x, 2*y+1))
			}
		}
		synctest.Wait()
		silent(t, late)
		s.mu.Lock()
		s.loss = 0
		s.mu.Unlock()
		quiet()
		if u := latest(t, late); u.View.Charts[match.First].Fired != 50 || !u.Missed || len(u.Events) != 0 {
			t.Errorf("after 50 shots it sees %d, missed %v", u.View.Charts[match.First].Fired, u.Missed)
		}
		late.Leave()
		quiet()
		b.m.Watch().Leave()
		again := b.m.Watch()
		quiet()
		if u := latest(t, again); !u.Missed || len(u.Events) != 0 {
			t.Errorf("who comes again sees events %+v", u.Events)
		}
	})
}

// TestDistantUpdate compares what is seen from afar with what is seen where the
// match runs.
func TestDistantUpdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, owner, _, b, boxes := distant(t, func(s *sea) {
			s.rules = match.Classic().WithClock(time.Hour)
			s.seats[match.First].Salt, s.seats[match.Second].Name = "salt", "bob"
			s.seats[match.First].Claims = true
		})
		near, far := owner.m.Watch(), b.m.Watch()
		b.m.Seat(match.Second).Detach(boxes[match.Second])
		for range 4 { // away, then late
			quiet()
			here, there := latest(t, near), latest(t, far)
			for _, pair := range [][2]*time.Time{
				{&here.Deadline, &there.Deadline}, {&here.AwayUntil[0], &there.AwayUntil[0]}, {&here.AwayUntil[1], &there.AwayUntil[1]},
			} {
				if d := pair[0].Sub(*pair[1]); d.Abs() > time.Microsecond || pair[0].IsZero() != pair[1].IsZero() {
					t.Errorf("a clock differs by %v", d)
				}
				*pair[0], *pair[1] = time.Time{}, time.Time{}
			}
			if !reflect.DeepEqual(here, there) {
				t.Errorf("from afar it is\n%+v\nnot\n%+v", there, here)
			}
			if here.Seals[match.First] == "" || !here.Away[match.Second] {
				t.Errorf("seals %q, away %v", here.Seals, here.Away)
			}
			if here.Late[match.Second] {
				s.nodes["a"].m.Seat(match.First).Claim()
				for _, r := range []reader{near, far} {
					if u := latest(t, r); u.View.Winner != match.First {
						t.Errorf("the win was not claimed: %+v", u.View)
					}
				}
				return
			}
			time.Sleep(time.Minute)
		}
		t.Error("it is not late")
	})
}

// FuzzParcels gives handles any bytes for parcels.
func FuzzParcels(f *testing.F) {
	f.Add([]byte{0}, true)
	f.Add([]byte{0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 3, 0, 5, 5, 0, 0, 0, 0, 0}, true)
	f.Add([]byte{0, 2, 0, 1, 0}, false)
	f.Fuzz(func(t *testing.T, data []byte, toReferee bool) {
		ctx, cancel := context.WithCancel(context.Background())
		var said [][]byte
		follower := live.Follow(ctx, "m", live.Far{Send: func(b []byte) { said = append(said, b) }})
		referee, err := live.Start(ctx, live.Config{Rules: match.Classic(), Far: live.Far{Send: func([]byte) {}}})
		if err != nil {
			t.Fatal(err)
		}
		follower.Seat(match.First).Attach()
		follower.Watch()
		if toReferee {
			referee.Serve("node", data, func(back []byte) { follower.Deliver(back) })
		} else {
			follower.Deliver(data)
		}
		follower.Relink()
		referee.Gone("node")
		cancel()
		<-follower.Done()
		<-referee.Done()
	})
}
