package lobby_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/live"
)

var carol = account.Player{ID: "key-carol", Name: "carol"}

// fleet is a legal classic layout with all ships facing east in column 1.
var fleet = match.Layout{
	{Stern: match.NewCell(0, 0), Heading: match.East, Length: 5},
	{Stern: match.NewCell(0, 2), Heading: match.East, Length: 4},
	{Stern: match.NewCell(0, 4), Heading: match.East, Length: 3},
	{Stern: match.NewCell(0, 6), Heading: match.East, Length: 3},
	{Stern: match.NewCell(0, 8), Heading: match.East, Length: 2},
}

// bubble runs a test with a lobby and a clock that advances only while all goroutines wait.
// The test closes the lobby.
func bubble(t *testing.T, test func(t *testing.T, l *lobby.Lobby)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1})
		defer l.Close()
		test(t, l)
	})
}

// news returns the newest snapshot after all pending changes.
func news(t *testing.T, v *lobby.Member) *lobby.Snapshot {
	t.Helper()
	time.Sleep(time.Second)
	synctest.Wait()
	select {
	case s := <-v.Snapshots():
		return s
	default:
		t.Fatal("no news")
		return nil
	}
}

// start starts a battle of ann and bob, in which bob shoots first.
func begin(t *testing.T, l *lobby.Lobby) (first, second *lobby.Seat) {
	t.Helper()
	first, second = paired(t, l)
	first.Seat.Place(fleet)
	second.Seat.Place(fleet)
	return first, second
}

func watch(t *testing.T, l *lobby.Lobby, id string) *lobby.Spectator {
	t.Helper()
	return must.Get(l.Matches.Watch(id, true, nil))
}

// see returns the newest update of a spectator.
func see(t *testing.T, w *lobby.Spectator) live.Update {
	t.Helper()
	synctest.Wait()
	var u live.Update
	if err := w.Receive(t.Context(), &u); err != nil {
		t.Fatalf("nothing to see: %v", err)
	}
	return u
}

func TestSpectatorSeesShotsAndNoFleet(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		first, second := begin(t, l)
		w := watch(t, l, first.Seat.Match().ID())
		if w.MatchID() != first.Seat.Match().ID() || w.MatchInfo().Players[match.First].Name != "ann" || w.MatchInfo().Players[match.Second].Name != "bob" {
			t.Errorf("watching %s with %v", w.MatchID(), w.MatchInfo().Players)
		}
		see(t, w)
		second.Seat.Fire(match.NewCell(0, 0))
		u := see(t, w)
		if u.View.Charts[match.Second].Mark(match.NewCell(0, 0)) != match.Struck || len(u.Events) != 2 || u.Names != [2]string{"ann", "bob"} {
			t.Errorf("after a hit the spectator sees %+v", u.Events)
		}
		if u.View.Fleets[match.First] != nil || u.View.Fleets[match.Second] != nil {
			t.Error("a spectator sees a fleet")
		}
		first.Seat.Resign()
		if u = see(t, w); u.View.Phase != match.Over || u.View.Fleets[match.First] == nil || u.View.Fleets[match.Second] == nil {
			t.Errorf("after the end the fleets are %v", u.View.Fleets)
		}
		if err := w.Receive(t.Context(), &u); !errors.Is(err, live.ErrEnded) {
			t.Errorf("after the end: %v", err)
		}
		w.Leave()
		if _, err := l.Matches.Watch(w.MatchID(), true, nil); !errors.Is(err, lobby.ErrNoMatch) {
			t.Errorf("a match that is over can be watched: %v", err)
		}
	})
}

func TestSpectatorsAreCounted(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		first, _ := begin(t, l)
		id := first.Seat.Match().ID()
		v := l.Enter(carol)
		if s := news(t, v); s.Running[0].Watching != 0 {
			t.Errorf("%d watch from the start", s.Running[0].Watching)
		}
		w, other := watch(t, l, id), watch(t, l, id)
		if s := news(t, v); s.Running[0].Watching != 2 {
			t.Errorf("%d of 2 watch", s.Running[0].Watching)
		}
		glance, err := l.Matches.Watch(id, false, nil)
		must.Do(err)
		defer glance.Leave()
		w.Leave()
		w.Leave()
		if s := news(t, v); s.Running[0].Watching != 1 {
			t.Errorf("%d watch after one of two has left twice, and one glances", s.Running[0].Watching)
		}
		var u live.Update
		for err = nil; err == nil; err = w.Receive(t.Context(), &u) {
		}
		if !errors.Is(err, live.ErrEnded) {
			t.Errorf("a spectator that has left receives %v", err)
		}
		other.Leave()
	})
}

// TestFindAndWatch finds matches without a snapshot: by ID, by player, or the featured one.
func TestFindAndWatch(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		if _, err := l.Matches.FindAndWatch("ann", nil); !errors.Is(err, lobby.ErrNoMatch) {
			t.Errorf("no matches: %v", err)
		}
		// Two bots play to the end for one spectator.
		w := must.Get(l.Matches.FindAndWatch("", nil))
		all := l.Matches.List()
		if len(all) != 1 || all[0].ID != w.MatchID() || all[0].Watching != 1 {
			t.Fatalf("two bots play, and the matches are %v", all)
		}
		for _, text := range []string{w.MatchID(), strings.ToUpper(all[0].Players[0].Name), all[0].Players[1].Name} {
			again, err := l.Matches.FindAndWatch(text, nil)
			if err != nil || again.MatchID() != w.MatchID() {
				t.Fatalf("FindAndWatch(%q) = %v, %v, want a spectator of %s", text, again, err, w.MatchID())
			}
			again.Leave()
		}
		first, second := begin(t, l)
		id := first.Seat.Match().ID()
		for {
			var u live.Update
			must.Do(w.Receive(t.Context(), &u))
			if u.View.Phase == match.Over {
				if u.View.Reason != match.FleetSunk {
					t.Errorf("the match between bots has ended: %v", u.View.Reason)
				}
				break
			}
		}
		w.Leave()
		// The shot features the match.
		second.Seat.Fire(match.NewCell(9, 9))
		for _, text := range []string{id, strings.ToUpper(id), "ann", "BOB", "", "featured"} {
			w, err := l.Matches.FindAndWatch(text, nil)
			if err != nil {
				t.Errorf("%q: %v", text, err)
				continue
			}
			if w.MatchID() != id || w.MatchInfo().Watching != 1 {
				t.Errorf("%q: %+v", text, w.MatchInfo())
			}
			w.Leave()
		}
		for _, text := range []string{"carol", "featured ", id[:1]} {
			if _, err := l.Matches.FindAndWatch(text, nil); !errors.Is(err, lobby.ErrNoMatch) {
				t.Errorf("%q: %v", text, err)
			}
		}
		must.Get(l.Matches.StartHotSeat(carol, [2]string{"dora", "emil"}, match.Classic()))
		if _, err := l.Matches.FindAndWatch("dora", nil); !errors.Is(err, lobby.ErrNoMatch) {
			t.Errorf("a hot seat: %v", err)
		}
		if all := l.Matches.List(); len(all) != 1 || all[0].ID != id {
			t.Errorf("matches: %v", all)
		}
	})
}
