package lobby_test

import (
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/match"
)

// TestAbandonedPractice checks when a match against a bot ends that its player has left.
func TestAbandonedPractice(t *testing.T) {
	for _, c := range []struct {
		what  string
		key   string
		shots int
		quits bool
		after time.Duration
	}{
		{"a guest without a shot", "", 0, false, 0},
		{"a guest with a shot", "", 1, false, lobby.ReturnTime},
		{"a guest who quits", "", 1, true, 0},
		{"a player with a key without a shot", "SHA256:ann", 0, false, lobby.DefaultGrace},
		{"a player with a key who quits", "SHA256:ann", 1, true, lobby.DefaultGrace},
	} {
		t.Run(c.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, l := openStored(t)
				v := l.Enter(receive(t, l, "guest", c.key))
				seat, box := against(t, l, v.Player(), "easy")
				volley(t, seat, box, 0, c.shots)
				if c.quits {
					seat.ForfeitPractice()
				}
				seat.Detach(box)
				v.Leave()
				synctest.Wait()
				left := time.Now()
				<-seat.Seat.Match().Done()
				if took := time.Since(left); took != c.after {
					t.Errorf("the match ends after %v, want %v", took, c.after)
				}
				if r := seat.Seat.Match().WaitForRecord(); r.Reason != match.Left || r.Winner != match.First {
					t.Errorf("got reason %v and winner %v, want %v and %v", r.Reason, r.Winner, match.Left, match.First)
				}
			})
		})
	}
}

// TestDrainLeavesAbandonedMatches checks that a shutdown does not wait for matches that their players
// have left, as soon as they have left, and that these matches continue afterwards.
func TestDrainLeavesAbandonedMatches(t *testing.T) {
	for _, present := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var log strings.Builder
			cfg := lobby.Config{Seed: 1, BotPace: -1, Store: storetest.Open(t), Log: slog.New(slog.NewTextHandler(&log, nil))}
			l := lobbytest.Open(cfg)
			ann := newAccount(t, cfg.Store, "Ann")
			seat, box := against(t, l, ann, "easy")
			volley(t, seat, box, 0, 2)
			if !present {
				seat.Detach(box)
			}
			synctest.Wait()
			start, drained := time.Now(), make(chan error)
			go func() { drained <- l.Drain(t.Context()) }()
			want := time.Duration(0)
			if present {
				want = 10 * time.Second
				time.Sleep(want)
				select {
				case <-drained:
					t.Fatal("a shutdown does not wait for a match with a player")
				default:
				}
				seat.Detach(box)
			}
			if err := <-drained; err != nil || time.Since(start) != want {
				t.Errorf("draining takes %v, want %v: %v", time.Since(start), want, err)
			}
			if !seat.Outcome().Continues {
				t.Errorf("the outcome does not continue: %+v", seat.Outcome())
			}
			l.Close()
			text := log.String()
			ended := strings.Contains(text, "match ended") || strings.Contains(text, "without a winner")
			if ended || !strings.Contains(text, "running matches continue after the restart") {
				t.Errorf("the log is %s", text)
			}

			l = lobbytest.Open(cfg)
			defer l.Close()
			if l.Matches.FindUnfinished(ann) == nil {
				t.Error("the match does not continue")
			}
		})
	}
}
