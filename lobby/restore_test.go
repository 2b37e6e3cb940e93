package lobby_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
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
	"broadside/match/audit"
	"broadside/match/live"
)

// until reads a mailbox until an update satisfies ok.
func until(t *testing.T, b *live.Mailbox, ok func(*live.Update) bool) live.Update {
	t.Helper()
	var u live.Update
	for {
		must.Do(b.Receive(t.Context(), &u))
		if ok(&u) {
			return u
		}
	}
}

// fired waits for a side's turn after a number of its shots.
func fired(side match.Side, n int) func(*live.Update) bool {
	return func(u *live.Update) bool {
		return u.View.Phase == match.Battle && u.View.Turn == side && u.View.Charts[side].Fired == n
	}
}

func layout() match.Layout { return match.Classic().RandomLayout(rand.New(rand.NewPCG(7, 7))) }

// against starts a match of a player against a bot, with the given layout.
func against(t *testing.T, l *lobby.Lobby, p account.Player, bot string) (*lobby.Seat, *live.Mailbox) {
	t.Helper()
	seat := must.Get(l.Matches.PlayBot(p, bot, match.Classic(), lobby.Rated))
	box := seat.Seat.Attach(nil)
	seat.Seat.Place(layout())
	return seat, box
}

// volley fires at one cell after another until n shots are fired.
func volley(t *testing.T, s *lobby.Seat, b *live.Mailbox, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		until(t, b, fired(s.Seat.Side(), n))
		s.Seat.Fire(match.NewCell(n%10, n/10))
	}
	until(t, b, fired(s.Seat.Side(), to))
}

// TestMatchContinuesAfterRestart checks that a match against a bot continues after a restart
// with all its events, and is rated at its end.
func TestMatchContinuesAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		ann := newAccount(t, s, "Ann")
		config := lobby.Config{Seed: 1, BotPace: -1, Store: s}
		l := lobbytest.Open(config)
		seat, box := against(t, l, ann, "prolog")
		id := seat.Seat.Match().ID()
		volley(t, seat, box, 0, 5)
		l.Close()
		if o := seat.Outcome(); !o.Continues || o.Stored {
			t.Errorf("outcome %+v", o)
		}

		l = lobbytest.Open(config)
		defer l.Close()
		again := l.Matches.FindUnfinished(ann)
		if again == nil || again.Seat.Match().ID() != id || again.Opponent.Name != "prolog" {
			t.Fatalf("unfinished: %+v", again)
		}
		box = again.Seat.Attach(nil)
		u := until(t, box, fired(match.Second, 5))
		for n := range 5 {
			if !u.View.Charts[match.Second].Shots.Has(match.NewCell(n, 0)) {
				t.Errorf("the shot at %v is forgotten", match.NewCell(n, 0))
			}
		}
		if own := u.View.Fleets[match.Second]; own == nil || own[0] != layout()[0] {
			t.Errorf("the fleet is %v", own)
		}
		again.Seat.Fire(match.NewCell(5, 0))
		// The bot continues, too.
		volley(t, again, box, 6, 8)
		again.Seat.Resign()
		theEnd(t, box)
		m, err := s.Matches.FindByID(t.Context(), id)
		if err != nil || !m.Rated || m.Winner != match.First {
			t.Fatalf("stored as %+v, %v", m.Summary, err)
		}
		if _, err := match.Replay(m.Rules, audit.Flag, m.Events); err != nil {
			t.Error(err)
		}
		if running, err := s.Running.List(t.Context()); err != nil || len(running) != 0 {
			t.Errorf("still running: %v, %v", running, err)
		}
	})
}

// TestReturnAfterRestart restarts the server during a match of ann and bob, to which ann returns at once:
// bob has more time to return, but only once, and loses if he does not return.
func TestReturnAfterRestart(t *testing.T) {
	for _, returns := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s := storetest.Open(t)
			ann, bob := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
			config := lobby.Config{Seed: 1, Store: s}
			l := lobbytest.Open(config)
			first, second := seat(t, l, ann, bob)
			box := second.Seat.Attach(nil)
			first.Seat.Attach(nil)
			count(first, second)
			until(t, box, fired(match.Second, match.CountingShots))
			l.Close()

			l = lobbytest.Open(config)
			defer l.Close()
			back := l.Matches.FindUnfinished(ann)
			if back == nil {
				t.Fatal("ann's match is gone")
			}
			start := time.Now()
			box = back.Seat.Attach(nil)
			u := until(t, box, func(u *live.Update) bool { return true })
			if !u.Away[match.Second] || u.Away[match.First] || u.AwayUntil[match.Second].Sub(start) != lobby.ReturnTime {
				t.Errorf("away %v until %v", u.Away, u.AwayUntil)
			}
			if returns {
				other := l.Matches.FindUnfinished(bob).Seat
				other.Detach(other.Attach(nil))
				u := until(t, box, func(u *live.Update) bool {
					return u.Away[match.Second] && u.AwayUntil[match.Second] != start.Add(lobby.ReturnTime)
				})
				if u.AwayUntil[match.Second].Sub(start) != lobby.DefaultGrace {
					t.Errorf("bob has left again, until %v after %v", u.AwayUntil[match.Second], start)
				}
				return
			}
			until(t, box, func(u *live.Update) bool { return u.Late[match.Second] })
			if passed := time.Since(start); passed != lobby.ReturnTime {
				t.Errorf("bob is late after %v", passed)
			}
			back.Seat.Claim()
			if v := theEnd(t, box); v.Winner != match.First || v.Reason != match.Left {
				t.Errorf("%v won: %v", v.Winner, v.Reason)
			}
		})
	}
}

// TestProgramsMatchContinuesAfterAKill kills the server during a match of a person and a
// registered program. The program has as much time to return as the person.
func TestProgramsMatchContinuesAfterAKill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		ann := newAccount(t, s, "Ann")
		owner := newAccount(t, s, "Owner")
		registered, _, err := s.Programs.Register(t.Context(), owner.Account, "squid", 1)
		must.Do(err)
		squid := account.ProgramPlayer(registered)
		squid.Returns = true
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		first, second := seat(t, l, ann, squid)
		count(first, second)
		synctest.Wait()
		// A killed server ends no matches: only its journal remains.
		l2 := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		person, program := l2.Matches.FindUnfinished(ann), l2.Matches.FindUnfinished(squid)
		if person == nil || program == nil || program.Seat.Match().ID() != first.Seat.Match().ID() {
			t.Fatalf("%v and %v are back", person, program)
		}
		box := person.Seat.Attach(nil)
		u := until(t, box, fired(match.Second, match.CountingShots))
		if away := time.Until(u.AwayUntil[program.Seat.Side()]); away != lobby.ReturnTime {
			t.Errorf("the program may be away for %v", away)
		}
		program.Seat.Attach(nil)
		person.Seat.Resign()
		theEnd(t, box)
		<-person.Seat.Match().Done()
		if m, err := s.Matches.FindByID(t.Context(), first.Seat.Match().ID()); err != nil || m.Winner != second.Seat.Side() {
			t.Errorf("stored as %+v, %v", m.Summary, err)
		}
		l2.Close()
		l.Close()
	})
}

func TestGuestReturnsByCode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, l := openStored(t)
		guest := l.Enter(receive(t, l, "pat", ""))
		seat := must.Get(l.Matches.PlayBot(guest.Player(), "easy", match.Classic(), lobby.Rated))
		box := seat.Seat.Attach(nil)
		seat.Seat.Place(layout())
		volley(t, seat, box, 0, 1)
		code := seat.State().ResumeCode
		seat.Seat.Detach(box)
		guest.Leave()
		time.Sleep(lobby.DefaultGrace - time.Second)

		ann := newAccount(t, s, "Ann")
		if _, err := l.Matches.RequestSeat(ann, "AAAA-AAAA-AAAA"); !errors.Is(err, lobby.ErrNoResume) {
			t.Errorf("a wrong code: %v", err)
		}
		bob := newAccount(t, s, "Bob")
		back := resume(t, l, bob, strings.ToLower(code))
		box = back.Seat.Attach(nil)
		if u := until(t, box, fired(match.Second, 1)); u.Away[match.Second] {
			t.Error("still away")
		}
		back.Seat.Resign()
		theEnd(t, box)
		m, err := s.Matches.FindByID(t.Context(), back.Seat.Match().ID())
		if err != nil || m.Rated || m.Seats[match.Second].Player != bob.Account || m.Seats[match.Second].Name != "pat" {
			t.Errorf("stored as %+v, %v", m.Summary, err)
		}
		<-back.Seat.Match().Done()
		if _, err := l.Matches.RequestSeat(ann, code); !errors.Is(err, lobby.ErrNoResume) {
			t.Errorf("the code of a match that is over: %v", err)
		}
	})
}

// TestBotsRememberPlayers checks that an adaptive bot's memory of a player is stored and
// used.
func TestBotsRememberPlayers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		ann := newAccount(t, s, "Ann")
		for range 3 {
			l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: s})
			for _, bot := range []string{"memory", "easy"} {
				seat, box := against(t, l, ann, bot)
				volley(t, seat, box, 0, 3)
				seat.Seat.Resign()
				theEnd(t, box)
			}
			l.Close()
		}
		easy := must.Get(s.Accounts.FindByName(t.Context(), "easy"))
		if _, err := s.Models.Get(t.Context(), easy.ID, ann.Account, "classic"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("easy remembers: %v", err)
		}
		// The fleet lay at the same place three times, so the bot starts there.
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: s})
		defer l.Close()
		seat, box := against(t, l, ann, "memory")
		volley(t, seat, box, 0, 5)
		seat.Seat.Resign()
		v := theEnd(t, box)
		if hits := v.Charts[match.First].Hits.Union(v.Charts[match.First].Sunk).Len(); hits != 5 {
			t.Errorf("%d hits with 5 shots at a fleet that is where it always was", hits)
		}
	})
}

// TestMatchIsVoidIfAProgramCannotReturn checks that no one waits for a program without a resume code
// after a kill.
func TestMatchIsVoidIfAProgramCannotReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		ann := newAccount(t, s, "Ann")
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		first, second := seat(t, l, ann, account.Player{ID: "squid", Name: "squid", Kind: account.Program})
		time.Sleep(time.Minute)
		count(first, second)
		synctest.Wait()
		l2 := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		if back := l2.Matches.FindUnfinished(ann); back != nil {
			t.Error("the match continues")
		}
		m, err := s.Matches.FindByID(t.Context(), first.Seat.Match().ID())
		want := match.Event{Kind: match.GameEnded, Side: match.Nobody, Reason: match.Closed, At: m.Took}
		if err != nil || m.Winner != match.Nobody || m.Reason != match.Closed || m.Private || m.Took != time.Minute ||
			!reflect.DeepEqual(m.Events[len(m.Events)-1], want) {
			t.Errorf("stored as %+v, %v", m, err)
		}
		l2.Close()
		l.Close()
	})
}
