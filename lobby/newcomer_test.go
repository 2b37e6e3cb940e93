package lobby_test

import (
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
)

// TestNewcomerReturnsWithKey checks that a player with a key but without an account gets the seat
// back in another session, also after a restart, and keeps the match with a new account.
func TestNewcomerReturnsWithKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		cfg := lobby.Config{Seed: 1, BotPace: -1, Store: s}
		l := lobbytest.Open(cfg)
		enter := func() *lobby.Member {
			m := l.Enter(receive(t, l, "ann", "SHA256:ann"))
			m.AddKey("SHA256:ann")
			return m
		}
		v := enter()
		seat, box := against(t, l, v.Player(), "easy")
		volley(t, seat, box, 0, 2)
		if code := seat.State().ResumeCode; code != "" {
			t.Errorf("a player with a key has the resume code %q", code)
		}
		seat.Seat.Detach(box)
		v.Leave()
		time.Sleep(lobby.DefaultGrace - time.Second)

		other := l.Enter(receive(t, l, "bob", "SHA256:bob"))
		if name := other.Player().Name; name != "guest-2" {
			t.Errorf("during guest's match, another newcomer is called %q, want guest-2", name)
		}
		v = enter()
		if name := v.Player().Name; name != "guest" {
			t.Errorf("the newcomer returns as %q, want guest", name)
		}
		if o := l.Matches.Occupancy(v.Player()); o != lobby.FreeSeat {
			t.Fatalf("Occupancy = %v, want %v", o, lobby.FreeSeat)
		}
		box = l.Matches.FindUnfinished(v.Player()).Seat.Attach(nil)
		until(t, box, fired(match.Second, 2))
		other.Leave()
		v.Leave()
		l.Close()

		l = lobbytest.Open(cfg)
		defer l.Close()
		v = enter()
		defer v.Leave()
		if l.Matches.FindUnfinished(v.Player()) == nil {
			t.Fatal("after a restart, the newcomer has no match")
		}
		second := enter()
		defer second.Leave()
		ann := must.Get(register(t, l, v, "Ann", "SHA256:ann", ""))
		if second.Player() != ann {
			t.Errorf("the other session belongs to %+v, want %+v", second.Player(), ann)
		}
		seat = l.Matches.FindUnfinished(ann)
		if seat == nil {
			t.Fatal("with an account, the newcomer has no match")
		}
		box = seat.Seat.Attach(nil)
		seat.Seat.Resign()
		theEnd(t, box)
		list, err := s.Matches.ListByPlayer(t.Context(), ann.Account, store.Cursor{}, 9)
		if err != nil || len(list) != 1 || list[0].Rated || list[0].Seats[match.Second].Name != "Ann" {
			t.Errorf("the account has %+v, %v", list, err)
		}
	})
}

// TestNewcomerRegistersAfterRestart checks that an account finds a match that was started with its key
// before the account existed, and that a restart interrupted.
func TestNewcomerRegistersAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		cfg := lobby.Config{Seed: 1, BotPace: -1, Store: s}
		l := lobbytest.Open(cfg)
		v := l.Enter(receive(t, l, "ann", "SHA256:ann"))
		v.AddKey("SHA256:ann")
		seat, box := against(t, l, v.Player(), "easy")
		volley(t, seat, box, 0, 2)
		ann := must.Get(register(t, l, v, "Ann", "SHA256:ann", ""))
		l.Close()

		l = lobbytest.Open(cfg)
		defer l.Close()
		v = l.Enter(receive(t, l, "ann", "SHA256:ann"))
		defer v.Leave()
		v.AddKey("SHA256:ann")
		if v.Player().ID != ann.ID || l.Matches.FindUnfinished(v.Player()) == nil {
			t.Errorf("%+v has no match", v.Player())
		}
	})
}

// TestGuestInMatchKeepsName checks that no other guest gets a guest's name while the guest has left a
// running match.
func TestGuestInMatchKeepsName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, l := openStored(t)
		name := func() string {
			v := l.Enter(receive(t, l, "guest", ""))
			defer v.Leave()
			return v.Player().Name
		}
		v := l.Enter(receive(t, l, "guest", ""))
		seat, box := against(t, l, v.Player(), "easy")
		volley(t, seat, box, 0, 1)
		seat.Detach(box)
		v.Leave()
		if got := name(); got != "guest-2" {
			t.Errorf("during the match, another guest is called %q, want guest-2", got)
		}
		seat.ForfeitPractice()
		<-seat.Seat.Match().Done()
		synctest.Wait()
		if got := name(); got != "guest" {
			t.Errorf("after the match, another guest is called %q, want guest", got)
		}
	})
}

// TestNewcomerReturnsWithoutTheDisk checks that a player without an account continues a match with a key
// while the database cannot be read, and that a terminal's owner does not get the other seat in a
// hot-seat match.
func TestNewcomerReturnsWithoutTheDisk(t *testing.T) {
	s, l := openStored(t)
	v := enterNew(t, l, "new")
	v.AddKey("SHA256:new")
	against(t, l, v.Player(), "easy")
	ann := newAccount(t, s, "Ann")
	owner := l.Enter(ann)
	defer owner.Leave()
	owner.AddKey("SHA256:Ann")
	must.Get(l.Matches.StartHotSeat(ann, [2]string{"bob", "Ann"}, match.Classic()))
	must.Do(s.Close())
	for key, want := range map[string]account.Player{"SHA256:new": v.Player(), "SHA256:Ann": ann} {
		if p, err := l.Accounts.IdentifyClient(t.Context(), "whoever", key); err != nil || p.ID != want.ID || p.Name != want.Name || p.Account != want.Account {
			t.Errorf("the key %s opens %+v, %v, want %+v", key, p, err, want)
		}
	}
}
