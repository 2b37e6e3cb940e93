package ladder

import (
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

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
