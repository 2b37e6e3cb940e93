package lobby_test

import (
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/live"
)

// featured returns the names of the featured match's players.
func featured(t *testing.T, v *lobby.Member) string {
	t.Helper()
	f := news(t, v).Featured
	if f.ID == "" {
		return ""
	}
	return f.Players[0].Name + "–" + f.Players[1].Name
}

// TestLatestShotIsFeatured checks that matches which people play are featured while they fire, and
// that a match of two bots fills every gap.
func TestLatestShotIsFeatured(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		v := l.Enter(carol)
		if f := featured(t, v); f != "" {
			t.Errorf("nobody looks, and %s is featured", f)
		}
		v.ShowFeatured(true)
		bots := featured(t, v)
		shows := func(want string) {
			t.Helper()
			time.Sleep(time.Second)
			if f := featured(t, stir(t, l, v)); f != want {
				t.Errorf("featured is %s, not %s", f, want)
			}
		}
		first, second := begin(t, l)
		shows(bots)
		second.Seat.Fire(match.NewCell(9, 9))
		shows("ann–bob")
		other := must.Get(l.Matches.PlayBot(account.Player{Name: "gerd"}, "easy", match.Classic(), lobby.Casual))
		other.Seat.Place(fleet)
		other.Seat.Fire(match.NewCell(0, 0))
		shows("ann–bob")
		time.Sleep(4 * time.Second)
		other.Seat.Fire(match.NewCell(9, 9))
		time.Sleep(4 * time.Second)
		shows("easy–gerd")
		time.Sleep(10 * time.Second)
		shows(bots)
		first.Seat.Fire(match.NewCell(9, 9))
		shows("ann–bob")
		first.Seat.Resign()
		shows("ann–bob")
		time.Sleep(4 * time.Second)
		shows(bots)
	})
}

// stir causes an update of the lobby: a player comes and leaves.
func stir(t *testing.T, l *lobby.Lobby, v *lobby.Member) *lobby.Member {
	t.Helper()
	l.Enter(account.Player{Name: "passer-by"}).Leave()
	return v
}

func TestBotsAreShownAtWatchableSpeed(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		v := l.Enter(carol)
		<-v.Snapshots()
		v.ShowFeatured(true)
		// The first snapshot arrives immediately.
		s := <-v.Snapshots()
		f := s.Featured
		if f.Players[0].Kind != account.Bot || f.Players[1].Kind != account.Bot || f.Players[0].Name == f.Players[1].Name || len(s.Running) != 0 {
			t.Fatalf("featured is %+v, %d matches run", f, len(s.Running))
		}
		w := watch(t, l, f.ID)
		fired := func(u live.Update) int { return u.View.Charts[0].Fired + u.View.Charts[1].Fired }
		opening := fired(see(t, w))
		if opening < 20 {
			t.Errorf("%d shots before anyone watched", opening)
		}
		time.Sleep(time.Second)
		for shots, began := opening, time.Now(); ; {
			u := see(t, w)
			if u.View.Phase == match.Over {
				if u.View.Reason != match.FleetSunk {
					t.Errorf("the bots' match has ended: %v", u.View.Reason)
				}
				break
			}
			if n := fired(u); n > shots+1 || time.Since(began) < time.Duration(n-opening-1)*time.Second {
				t.Fatalf("%d shots after %d, in %v", n, shots, time.Since(began))
			} else {
				shots = n
			}
			if u.View.Fleets[0] != nil || u.View.Fleets[1] != nil {
				t.Fatal("a bot's fleet is shown")
			}
			time.Sleep(time.Second)
		}
		if again := news(t, v).Featured.ID; again != f.ID {
			t.Errorf("a moment after the end %q is featured", again)
		}
		time.Sleep(5 * time.Second)
		if next := news(t, v).Featured; next.ID == "" || next.ID == f.ID {
			t.Errorf("after the result, %q is featured", next.ID)
		}
		w.Leave()
	})
}

// TestBotsPause checks that the bots' match pauses, instead of ending, while other matches are shown and
// while no one looks.
func TestBotsPause(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		v := l.Enter(carol)
		v.ShowFeatured(true)
		show := news(t, v).Featured.ID
		_, second := begin(t, l)
		second.Seat.Fire(match.NewCell(9, 9))
		time.Sleep(time.Second)
		if f := featured(t, v); f != "ann–bob" {
			t.Errorf("while people play, %q is featured", f)
		}
		w := watch(t, l, show)
		see(t, w)
		time.Sleep(time.Second)
		before := see(t, w).View.Charts
		w.Leave()
		v.ShowFeatured(false)
		time.Sleep(time.Hour)
		v.ShowFeatured(true)
		w = watch(t, l, news(t, stir(t, l, v)).Featured.ID)
		u := see(t, w)
		if w.MatchID() != show || u.View.Phase != match.Battle || u.View.Charts[0].Fired+u.View.Charts[1].Fired > before[0].Fired+before[1].Fired+2 {
			t.Errorf("got match %s in phase %v after %d and %d shots, want %s", w.MatchID(), u.View.Phase, u.View.Charts[0].Fired, u.View.Charts[1].Fired, show)
		}
		w.Leave()
	})
}

// TestFeaturedMatchIsIdleWithoutScreens checks that the featured match needs no goroutine and no timer
// while no screen shows it.
func TestFeaturedMatchIsIdleWithoutScreens(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		nothing := func(when string) {
			t.Helper()
			// Snapshots with the change are sent meanwhile.
			time.Sleep(time.Second)
			synctest.Wait()
			before := time.Now()
			l.Rest()
			if d := time.Since(before); d != 0 {
				t.Errorf("%s, something ran for %v", when, d)
			}
		}
		v, other := l.Enter(carol), l.Enter(ann)
		still := goleak.IgnoreCurrent()
		nothing("before anybody looked")
		v.ShowFeatured(true)
		other.ShowFeatured(true)
		time.Sleep(10 * time.Second)
		v.ShowFeatured(false)
		v.ShowFeatured(false)
		if news(t, v).Featured.ID == "" {
			t.Fatal("one of two looks, and nothing is shown")
		}
		other.Leave()
		nothing("when the last one had left")
		must.Do(goleak.Find(still))
		if f := news(t, stir(t, l, v)).Featured.ID; f != "" {
			t.Errorf("nobody looks, and %s is featured", f)
		}

		// The same while a result is shown.
		first, _ := begin(t, l)
		v.ShowFeatured(true)
		first.Seat.Resign()
		time.Sleep(time.Second)
		v.ShowFeatured(false)
		nothing("after looking at a result")

		// A match of bots continues while it has a spectator.
		v.ShowFeatured(true)
		w := watch(t, l, news(t, v).Featured.ID)
		v.ShowFeatured(false)
		time.Sleep(5 * time.Second)
		if u := see(t, w); u.View.Phase != match.Battle {
			t.Errorf("with a spectator, it is in phase %v", u.View.Phase)
		}
		w.Leave()
		nothing("when its spectator had left")
		must.Do(goleak.Find(still))
	})
}

func TestDrainingDoesNotWaitForTheShow(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		v := l.Enter(carol)
		v.ShowFeatured(true)
		news(t, v)
		began := time.Now()
		if err := l.Drain(t.Context()); err != nil || time.Since(began) != 0 {
			t.Errorf("draining took %v: %v", time.Since(began), err)
		}
		if f := featured(t, v); f != "" {
			t.Errorf("the lobby closes, and %s is featured", f)
		}
	})
}
