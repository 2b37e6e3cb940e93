package lobby_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
)

// featured returns the names of the players of the featured match.
func featured(t *testing.T, v *lobby.Member) string {
	t.Helper()
	f := news(t, v).Featured
	if f.ID == "" {
		return ""
	}
	return f.Players[0].Name + "–" + f.Players[1].Name
}

func TestPeopleAreFeaturedFirst(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		var matches []*lobby.Seat
		for _, pair := range [][2]lobby.Player{
			{kraken, {Name: "squid", Kind: lobby.Program}},
			{{Name: "dora"}, kraken},
			{{Name: "emil"}, {Name: "fritz"}},
			{ann, bob},
		} {
			a, b := playNow(t, l, pair[0], match.Classic()), playNow(t, l, pair[1], match.Classic())
			matches = append(matches, seated(t, a))
			seated(t, b)
			time.Sleep(time.Second)
		}
		if _, err := l.Matches.PlayBot(lobby.Player{Name: "gerd"}, "easy", match.Classic(), lobby.Rated); err != nil {
			t.Fatal(err)
		}
		v := l.Enter(carol)
		if f := featured(t, v); f != "" {
			t.Errorf("nobody looks, and %s is featured", f)
		}
		v.ShowFeatured(true)
		w := watch(t, l, matches[3].Seat.Match().ID()) // has more spectators, but the other match is being shown
		for i, want := range []string{"emil–fritz", "ann–bob", "dora–kraken", "easy–gerd", "kraken–squid"} {
			if f := featured(t, v); f != want {
				t.Fatalf("%d. featured is %s, not %s", i, f, want)
			}
			switch want {
			case "emil–fritz":
				matches[2].Seat.Resign()
			case "ann–bob":
				w.Leave()
				matches[3].Seat.Resign()
			case "dora–kraken":
				matches[1].Seat.Resign()
			case "easy–gerd":
				l.Matches.Unfinished(news(t, stir(t, l, v)).Featured.Players[1]).Seat.Resign()
			default:
				return
			}
			if f := featured(t, v); f != want {
				t.Errorf("a moment after its end, %s is gone: %s is featured", want, f)
			}
			time.Sleep(5 * time.Second)
		}
	})
}

// stir causes an update of the lobby: a player comes and leaves.
func stir(t *testing.T, l *lobby.Lobby, v *lobby.Member) *lobby.Member {
	t.Helper()
	l.Enter(lobby.Player{Name: "passer-by"}).Leave()
	return v
}

func TestBotsAreShownAtWatchableSpeed(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		v := l.Enter(carol)
		<-v.Snapshots()
		v.ShowFeatured(true)
		s := <-v.Snapshots() // at once
		f := s.Featured
		if f.Players[0].Kind != lobby.Bot || f.Players[1].Kind != lobby.Bot || f.Players[0].Name == f.Players[1].Name || len(s.Running) != 0 {
			t.Fatalf("featured is %+v, %d matches run", f, len(s.Running))
		}
		w := watch(t, l, f.ID)
		fired := func(u live.Update) int { return u.View.Charts[0].Fired + u.View.Charts[1].Fired }
		for shots, began := 0, time.Now(); ; {
			u := see(t, w)
			if u.View.Phase == match.Over {
				break
			}
			if n := fired(u); n > shots+1 || time.Since(began) < time.Duration(n)*time.Second {
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

func TestBotsMakeWay(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		v := l.Enter(carol)
		v.ShowFeatured(true)
		show := news(t, v).Featured.ID
		w := watch(t, l, show)
		first, _ := begin(t, l)
		if f := news(t, v).Featured.ID; f != show {
			t.Errorf("bots with a spectator make way for %q", f)
		}
		w.Leave()
		if f := featured(t, v); f != "ann–bob" {
			t.Errorf("while people play, %q is featured", f)
		}
		if _, err := l.Matches.Watch(show, true, nil); !errors.Is(err, lobby.ErrNoMatch) {
			t.Errorf("the bots that made way can be watched: %v", err)
		}
		first.Seat.Resign()
		time.Sleep(5 * time.Second)
		if f := news(t, v).Featured; f.Players[0].Kind != lobby.Bot || f.ID == show {
			t.Errorf("without other matches, %q is featured", f.ID)
		}
		second := news(t, stir(t, l, v)).Featured.ID
		begin(t, l)
		if f := featured(t, v); f != "ann–bob" {
			t.Errorf("when people begin a match, %q continues without spectators: %s is featured", second, f)
		}
	})
}

// TestShowIsDeterministic checks that the same seed gives the same matches of bots,
// regardless of other matches.
func TestShowIsDeterministic(t *testing.T) {
	var shows [2][]match.Event
	for i := range shows {
		bubble(t, func(t *testing.T, l *lobby.Lobby) {
			if i == 1 {
				s, err := l.Matches.PlayBot(ann, "easy", match.Classic(), lobby.Rated)
				if err != nil {
					t.Fatal(err)
				}
				playOut(t, s.Seat)
				synctest.Wait()
			}
			v := l.Enter(carol)
			v.ShowFeatured(true)
			w := watch(t, l, news(t, v).Featured.ID)
			for {
				u := see(t, w)
				for _, e := range u.Events {
					e.At = 0
					if e.Kind == match.ShotFired || e.Kind == match.ShotAnswered {
						shows[i] = append(shows[i], e)
					}
				}
				if u.View.Phase == match.Over {
					return
				}
			}
		})
	}
	same := slices.EqualFunc(shows[0], shows[1], func(a, b match.Event) bool { return a.Cell == b.Cell && a.Result == b.Result && a.Side == b.Side })
	if !same || len(shows[0]) < 34 {
		t.Errorf("two shows of one seed differ: %d and %d events", len(shows[0]), len(shows[1]))
	}
}

// TestFeaturedMatchIsIdleWithoutScreens checks that the featured match needs no goroutine and no timer
// while no screen shows it.
func TestFeaturedMatchIsIdleWithoutScreens(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		nothing := func(when string) {
			t.Helper()
			time.Sleep(time.Second) // snapshots with the change are sent
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
		if err := goleak.Find(still); err != nil {
			t.Error(err)
		}
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
		if err := goleak.Find(still); err != nil {
			t.Error(err)
		}
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
