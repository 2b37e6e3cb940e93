package ladder

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/storetest"
	"broadside/match"
)

// slowLobby is a [Lobby] that answers once it is released.
type slowLobby struct {
	Lobby
	asked   atomic.Int32
	release chan struct{}
}

func (l *slowLobby) Online(string) bool {
	l.asked.Add(1)
	<-l.release
	return true
}

// TestReportIsShared checks that the report is made once for many callers at the same time.
func TestReportIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		ann, err := s.Accounts.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"})
		if err != nil {
			t.Fatal(err)
		}
		var programs [2]string
		for i := range programs {
			p, _, err := s.Programs.Register(t.Context(), ann.ID, fmt.Sprint("program", i), 2)
			if err != nil {
				t.Fatal(err)
			}
			programs[i] = p.ID
		}
		lobby := &slowLobby{release: make(chan struct{})}
		l := New(Config{Store: s, Log: slog.New(slog.DiscardHandler), Lobby: lobby})
		l.tableLocked("classic").results.add(store.Tally{Players: programs, Winner: match.First, Reason: "sunk", Matches: 1})
		var callers sync.WaitGroup
		for range 5 {
			callers.Go(func() {
				if r, err := l.Report(t.Context(), "classic"); err != nil || len(r.Players) != 2 || len(r.Pairs) != 1 {
					t.Errorf("%+v, %v", r, err)
				}
			})
		}
		synctest.Wait()
		if n := lobby.asked.Load(); n != 0 {
			t.Errorf("asked %d times who is online before the results were read", n)
		}
		close(l.started)
		synctest.Wait()
		close(lobby.release)
		callers.Wait()
		if n := lobby.asked.Load(); n != 2 {
			t.Errorf("asked %d times who is online, want once for each program", n)
		}
	})
}

// fixedLobby is a [Lobby] without waiting programs.
type fixedLobby struct{ Lobby }

func (fixedLobby) Online(string) bool { return false }

// TestProvisionalPlayersComeLast checks that a program with a few wins over a beginner is listed below
// every established player, and that all ratings are whole numbers.
func TestProvisionalPlayersComeLast(t *testing.T) {
	s := storetest.Open(t)
	ann, err := s.Accounts.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"})
	if err != nil {
		t.Fatal(err)
	}
	squid, _, err := s.Programs.Register(t.Context(), ann.ID, "squid", 1)
	if err != nil {
		t.Fatal(err)
	}
	easy, err := s.Accounts.EnsureBot(t.Context(), "easy")
	if err != nil {
		t.Fatal(err)
	}
	l := New(Config{
		Store: s, Log: slog.New(slog.DiscardHandler), Lobby: fixedLobby{},
		Bot: func(name string) string { return map[string]string{"easy": easy.ID}[name] },
	})
	for range 4 {
		m := store.Match{
			Summary: store.Summary{
				ID: store.NewID(), Started: time.Now(), Winner: match.First, Reason: match.FleetSunk, Rated: true, Ladder: true,
				Seats: [2]store.Seat{{Player: squid.ID, Name: "squid", Kind: store.Program}, {Player: easy.ID, Name: "easy", Kind: store.Bot}},
			},
			Rules: match.Classic(),
		}
		if _, err := s.Matches.Finish(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.count(t.Context(), time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	close(l.started)
	r, err := l.Report(t.Context(), "classic")
	if err != nil || len(r.Players) != 2 {
		t.Fatalf("Report = %+v, %v, want two players", r, err)
	}
	first, last := r.Players[0], r.Players[1]
	if first.Name != "easy" || last.Name != "squid" || last.Rating.Value <= first.Rating.Value || last.Settled {
		t.Errorf("%s with %s is above %s with %s, want squid below easy, and provisional", first.Name, first.RatingText(), last.Name, last.RatingText())
	}
	if pair := r.Pairs[0]; pair.Players != [2]int{0, 1} || pair.Won != [2]int{0, 4} {
		t.Errorf("the pair is %+v, want 4 wins of the second player", pair)
	}
	text, err := json.Marshal(r)
	if err != nil || regexp.MustCompile(`":-?[0-9]+\.`).Match(text) {
		t.Errorf("the ladder as JSON has a fraction: %s, %v", text, err)
	}
}
