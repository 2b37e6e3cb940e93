//go:build unix

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/bots"
	"broadside/internal/server"
	"broadside/internal/store"
	"broadside/lobby/ladder"
	"broadside/match"
	"broadside/relay/client"
)

// ladderPrograms are programs on the ladder, which reconnect when they lose the connection.
type ladderPrograms struct {
	t       *testing.T
	tokens  []string
	address func(program int) string
	work    sync.WaitGroup
}

// strategies are the bots that the programs use. They are fast, and not equally strong.
var strategies = []string{"easy", "medium", "hilbert", "hard", "sweep"}

// register registers n programs: squidaa, squidab and so on. Each has an owner with an account.
func (r *ladderPrograms) register(db *store.Store, n int) {
	r.t.Helper()
	for i := range n {
		owner, err := db.Accounts.CreatePerson(r.t.Context(), fmt.Sprint("owner", programLetters(i)), store.Key{Fingerprint: fmt.Sprint("SHA256:", i)})
		if err != nil {
			r.t.Fatal(err)
		}
		_, token, err := db.Programs.Register(r.t.Context(), owner.ID, fmt.Sprint("squid", programLetters(i)), 1)
		if err != nil {
			r.t.Fatal(err)
		}
		r.tokens = append(r.tokens, token)
	}
}

// programLetters returns a number as letters that do not look alike.
func programLetters(n int) string { return string("abcdefghjk"[n/10]) + string("abcdefghjk"[n%10]) }

// run lets all programs play until ctx ends.
func (r *ladderPrograms) run(ctx context.Context) {
	for i, token := range r.tokens {
		r.work.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			for ctx.Err() == nil {
				err := client.PlaySeries(ctx, r.address(i), match.Classic(), client.Directives{
					Token: token, Layout: "uniform", Ladder: true, Games: 1_000_000,
				}, func() (client.Player, error) {
					return bots.New(strategies[i%len(strategies)], bots.Config{Rules: match.Classic(), Rand: rng})
				}, func(client.Outcome) {})
				if ctx.Err() == nil && !errors.Is(err, client.ErrBroken) {
					r.t.Logf("program %d: %v", i, err)
				}
				select {
				case <-time.After(200 * time.Millisecond):
				case <-ctx.Done():
				}
			}
		})
	}
}

// countOpponents returns the stored ladder matches of each program, by opponent, and the number of
// matches in which a player was the first side, minus those in which it was the second.
func (r *ladderPrograms) countOpponents(ms store.Matches) (met map[string]map[string]int, balance map[[2]string]int) {
	r.t.Helper()
	met, balance = map[string]map[string]int{}, map[[2]string]int{}
	for after := (store.Cursor{}); ; {
		page, err := ms.List(context.Background(), after, 1000)
		if err != nil {
			r.t.Fatal(err)
		}
		for _, m := range page {
			if after = m.Cursor(); !m.Rated { // interrupted
				continue
			} else if !m.Ladder {
				r.t.Errorf("the match %s was not paired by the ladder", m.ID)
			}
			for side, seat := range m.Seats {
				other := m.Seats[1-side].Name
				if met[seat.Name] == nil {
					met[seat.Name] = map[string]int{}
				}
				met[seat.Name][other]++
				balance[[2]string{seat.Name, other}] += 1 - 2*side
			}
		}
		if len(page) == 0 {
			return met, balance
		}
	}
}

// metEnough reports whether each of n programs has played at least opponents other players and
// rounds matches.
func metEnough(met map[string]map[string]int, n, opponents, rounds int) bool {
	ready := 0
	for name, others := range met {
		games := 0
		for _, k := range others {
			games += k
		}
		if len(name) > 5 && name[:5] == "squid" && len(others) >= opponents && games >= rounds {
			ready++
		}
	}
	return ready == n
}

// readLadder checks the output of the command ladder.
func readLadder(t *testing.T, h *testServer, programs int) {
	t.Helper()
	ann := newSSHClient(t, h, "ann")
	for _, c := range []struct {
		line   string
		status int
		says   string
	}{
		{"ladder", 0, "squidaa"}, {"ladder SQUIDAA", 0, "Losses:"}, {"ladder squidaa --rules naval", 1, "on the ladder in naval"},
		{"ladder nobody", 1, `no player called "nobody"`}, {"ladder --rules naval", 0, "No match has been played"}, {"ladder --rules chess", 2, "no rules called"},
	} {
		status, out, errs := ann.run(c.line)
		if status != c.status || !strings.Contains(strings.ToLower(out+errs), strings.ToLower(c.says)) {
			t.Errorf("%s: status %d, output %q, errors %q", c.line, status, out, errs)
		}
	}
	var l ladder.Report
	if _, out, errs := ann.run("ladder --json"); json.Unmarshal([]byte(out), &l) != nil || l.Rules != "classic" || len(l.Players) < programs {
		t.Errorf("the ladder is %s, %s", out, errs)
	}
	var p ladder.Page
	_, out, errs := ann.run("ladder squidaa --json")
	if json.Unmarshal([]byte(out), &p) != nil || p.Name != "squidaa" || p.Games < 6 || p.Won+p.Lost != p.Games || len(p.Last) == 0 || len(p.Opponents) < 3 {
		t.Errorf("the page is %s, %s", out, errs)
	}
}

// TestLadder checks that programs of several owners find opponents on the ladder across a restart, that their matches
// are rated, and that they play both sides equally often.
func TestLadder(t *testing.T) {
	t.Parallel()
	const programs = 6
	folder := t.TempDir()
	db, err := store.Open(t.Context(), store.Config{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	r := &ladderPrograms{t: t}
	r.register(db, programs)
	t.Cleanup(func() { db.Close() })
	var mu sync.Mutex
	address := ""
	r.address = func(int) string {
		mu.Lock()
		defer mu.Unlock()
		return address
	}
	start := func() *testServer {
		h := open(t, func(c *server.Config) {
			c.Data, c.Ladder, c.LadderPause, c.RelayHello = folder, true, time.Millisecond, time.Minute
		})
		mu.Lock()
		defer mu.Unlock()
		address = h.relay
		return h
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	h := start()
	r.run(ctx)
	played := func(opponents, rounds int) {
		t.Helper()
		waitUntil(t, "programs play", func() bool {
			met, _ := r.countOpponents(db.Matches)
			bot := slices.ContainsFunc(bots.All(), func(b bots.Info) bool { return met[b.Name] != nil })
			// A program meets a bot after eight matches.
			return metEnough(met, programs, opponents, rounds) && (bot || rounds < 6)
		})
	}
	played(1, 2)
	h.stop()
	<-h.stopped
	h.stopped <- nil
	h = start()
	played(3, 6)
	readLadder(t, h, programs)
	cancel()
	r.work.Wait()
	h.stop()
	<-h.stopped
	h.stopped <- nil
	met, balance := r.countOpponents(db.Matches)
	uneven := 0
	for pair, n := range balance {
		// Matches that the restart interrupts do not count, so a pair may be two matches out of balance.
		if n < -2 || n > 2 {
			t.Errorf("%s was first against %s %d times more", pair[0], pair[1], n)
		}
		if n != 0 {
			uneven++
		}
	}
	t.Logf("opponents: %v; %d of %d pairs are not complete", met, uneven, len(balance))
}
