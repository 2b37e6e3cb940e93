package ladder

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/match"
)

// TestReportIsShared checks that the report is made once for many callers at the same time, and
// anew after reportTime.
func TestReportIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		must.Get(storetest.StoreLadderMatch(t.Context(), s))
		var asked atomic.Int32
		release := make(chan struct{})
		l := New(s, func(string) bool {
			asked.Add(1)
			<-release
			return true
		})
		report := func() {
			if r, err := l.Report(t.Context(), "classic"); err != nil || len(r.Players) != 2 {
				t.Errorf("%+v, %v", r, err)
			}
		}
		var callers sync.WaitGroup
		for range 5 {
			callers.Go(report)
		}
		time.Sleep(time.Second)
		close(release)
		callers.Wait()
		if n := asked.Load(); n != 2 {
			t.Errorf("asked %d times who is online, want once for each program", n)
		}
		time.Sleep(reportTime)
		report()
		if n := asked.Load(); n != 4 {
			t.Errorf("asked %d times who is online, want twice for each program", n)
		}
	})
}

// TestReportAndPage stores matches of programs and bots: only rated ladder matches under the
// same rules count, a program with a few wins over a beginner is listed below every established
// player, and a player's page has its results, newest match first.
func TestReportAndPage(t *testing.T) {
	s := storetest.Open(t)
	ann := must.Get(s.Accounts.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"}))
	squid, _, err := s.Programs.Register(t.Context(), ann.ID, "squid", 2)
	must.Do(err)
	whale, _, err := s.Programs.Register(t.Context(), ann.ID, "whale", 2)
	must.Do(err)
	easy := must.Get(s.Accounts.EnsureBot(t.Context(), "easy"))
	minutes := 0
	finish := func(first, second store.Player, reason match.Reason, change func(*store.Match)) {
		t.Helper()
		minutes++
		m := store.Match{
			Summary: store.Summary{
				ID: fmt.Sprint("m", minutes), Started: time.Unix(1e9, 0).Add(time.Duration(minutes) * time.Minute), Winner: match.First, Reason: reason, Rated: true, Ladder: true,
				Seats: [2]store.Seat{{Player: first.ID, Name: first.Name, Kind: first.Kind}, {Player: second.ID, Name: second.Name, Kind: second.Kind}},
			},
			Rules: match.Classic(),
		}
		if change != nil {
			change(&m)
		}
		must.Get(s.Matches.Finish(t.Context(), m))
	}
	for range 4 {
		finish(squid, easy, match.FleetSunk, nil)
	}
	finish(whale, squid, match.Resigned, func(m *store.Match) { m.Winner = match.Second })
	finish(whale, squid, match.FleetSunk, nil)
	finish(squid, whale, match.FleetSunk, func(m *store.Match) { m.Ladder = false })
	finish(squid, whale, match.FleetSunk, func(m *store.Match) { m.Rated = false })
	finish(squid, whale, match.FleetSunk, func(m *store.Match) { m.Rules, _ = match.Preset("naval") })
	l := New(s, func(string) bool { return false })
	r := must.Get(l.Report(t.Context(), "classic"))
	type result struct {
		name             string
		place            int
		online, settled  bool
		games, won, lost int
	}
	var got []result
	for _, p := range r.Players {
		got = append(got, result{p.Name, p.Place, p.Online, p.Settled, p.Games, p.Won, p.Lost})
	}
	want := []result{{"easy", 1, true, true, 4, 0, 4}, {"squid", 2, false, false, 6, 5, 1}, {"whale", 3, false, false, 2, 1, 1}}
	if !reflect.DeepEqual(got, want) || r.Players[1].Rating.Value <= r.Players[0].Rating.Value {
		t.Errorf("the ladder is %+v, want %+v", r.Players, want)
	}
	text, err := json.Marshal(r)
	if err != nil || regexp.MustCompile(`":-?[0-9]+\.`).Match(text) {
		t.Errorf("the ladder as JSON has a fraction: %s, %v", text, err)
	}

	p := must.Get(l.Page(t.Context(), "classic", "Squid"))
	if want := []Opponent{{"easy", 4, 4, 0}, {"whale", 2, 1, 1}}; p.Place != 2 || !reflect.DeepEqual(p.Opponents, want) || !reflect.DeepEqual(p.Losses, map[string]int{"sunk": 1}) {
		t.Errorf("the page is %+v", p)
	}
	if len(p.Last) != 6 || p.Last[0].ID != "m6" || p.Last[0].Won || p.Last[0].First || p.Last[5].ID != "m1" || !p.Last[5].Won || !p.Last[5].First || p.Last[1].Opponent != "whale" || p.Last[1].Reason != "resigned" {
		t.Errorf("the last matches are %+v", p.Last)
	}
	hard := must.Get(s.Accounts.EnsureBot(t.Context(), "hard"))
	for range lastGames {
		finish(squid, hard, match.FleetSunk, nil)
	}
	if p, err = l.Page(t.Context(), "classic", "squid"); err != nil || len(p.Last) != lastGames || p.Opponents[0].Name != "hard" {
		t.Errorf("%d matches, %v, want %d; most against %v", len(p.Last), err, lastGames, p.Opponents)
	}
	if p, err := l.Page(t.Context(), "naval", "squid"); err != nil || p.Games != 1 || len(p.Last) != 1 {
		t.Errorf("under other rules: %+v, %v", p, err)
	}
	if _, err := l.Page(t.Context(), "salvo", "squid"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("without a match: %v", err)
	}
}

func TestRatingText(t *testing.T) {
	s := Standing{Rating: Estimate{Value: 1512, Low: 1472, High: 1552}}
	if got, want := s.RatingText(), "1512? ±40"; got != want {
		t.Errorf("provisional: got %q, want %q", got, want)
	}
	s.Settled = true
	if got, want := s.RatingText(), "1512 ±40"; got != want {
		t.Errorf("settled: got %q, want %q", got, want)
	}
}

func TestLossReasons(t *testing.T) {
	sunk, left, resigned := match.FleetSunk.String(), match.Left.String(), match.Resigned.String()
	p := Page{Losses: map[string]int{resigned: 2, left: 2, sunk: 7}}
	if got, want := p.LossReasons(), []string{sunk, left, resigned}; !slices.Equal(got, want) {
		t.Errorf("LossReasons() = %q, want %q", got, want)
	}
}
