package command_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/live"
	"broadside/sshd"
	"broadside/sshd/command"
)

var storedGames = flag.Int("games", 1_000, "matches in the database of BenchmarkExport")

// BenchmarkExport exports all matches of a database while people play. It measures the time
// from a shot until the opponent has its result, alternately with and without the export, until
// the export ends:
//
//	go test ./sshd/command -run - -bench Export -benchtime 1x -timeout 60m -args -games 1000000
func BenchmarkExport(b *testing.B) {
	for b.Loop() {
		l := manyGames(b)
		shots := &latencies{}
		ctx, stop := context.WithCancel(b.Context())
		var work sync.WaitGroup
		for n := range 50 {
			work.Go(func() { shots.play(ctx, b, l, rand.New(rand.NewPCG(1, uint64(n)))) })
		}
		out := &gate{}
		done := make(chan int)
		go func() { done <- exportTo(ctx, out, l) }()
		began, status := time.Now(), -1
		for window := 0; status < 0; window++ {
			out.set(window%2 == 1)
			shots.with.Store(window%2 == 1)
			select {
			case status = <-done:
			case <-time.After(3 * time.Second):
			}
		}
		took := time.Since(began) / 2
		stop()
		work.Wait()
		out.report(b, status, took)
		shots.report(b)
	}
}

// BenchmarkIdleExport exports all matches of a database while nobody plays.
func BenchmarkIdleExport(b *testing.B) {
	for b.Loop() {
		l := manyGames(b)
		out, began := &gate{}, time.Now()
		status := exportTo(b.Context(), out, l)
		out.report(b, status, time.Since(began))
	}
}

// manyGames returns a lobby with the games of the flag -games.
func manyGames(b *testing.B) *lobby.Lobby {
	disk := storetest.OpenDisk(b, store.Config{})
	fillGames(b, disk, *storedGames)
	l := lobbytest.Open(lobby.Config{Seed: 1, Store: disk.Store})
	b.Cleanup(l.Close)
	return l
}

// exportTo exports all games of a lobby and returns the exit status.
func exportTo(ctx context.Context, out io.Writer, l *lobby.Lobby) int {
	c := commandLine(command.Config{Host: &session.Host{Lobby: l}}, sshd.User{Language: i18n.English}, "export")
	c.Out, c.Err = out, io.Discard
	return c.Run(ctx)
}

// fillGames copies 50 matches until there are n.
func fillGames(b *testing.B, disk *storetest.Disk, n int) {
	const samples = 50
	for seed := range uint64(samples) {
		if _, err := disk.Matches.Finish(b.Context(), storetest.Match(seed, match.Classic(), "ann", "bob")); err != nil {
			b.Fatal(err)
		}
	}
	numbers := fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d) `, samples, n-1)
	copied := fmt.Sprintf(` FROM n JOIN %%s ON %%s = printf('sample%%%%06d', i %%%% %d)`, samples)
	disk.Exec(numbers + `INSERT INTO matches (id, rules, started, took, ended, winner, reason, rated, casual, private, details)
		SELECT printf('copy%08d', i), rules, started + i, took, ended + i, winner, reason, rated, casual, private, details` + fmt.Sprintf(copied, "matches", "id"))
	disk.Exec(numbers + `INSERT INTO seats (match, side, player, name, kind, ended, shots, hits, before, after, provisional)
		SELECT printf('copy%08d', i), side, player, name, kind, ended + i, shots, hits, before, after, provisional` + fmt.Sprintf(copied, "seats", "match"))
	disk.Exec(numbers + `INSERT INTO records (match, events) SELECT printf('copy%08d', i), events` + fmt.Sprintf(copied, "records", "match"))
}

// gate is the output of an export. It counts games and blocks the export while it is closed.
type gate struct {
	mu    sync.Mutex // held while the gate is closed
	open  bool       // used by set only
	begun bool
	games atomic.Int64
}

func (g *gate) set(open bool) {
	switch {
	case open && !g.open && g.begun:
		g.mu.Unlock()
	case !open && (g.open || !g.begun):
		g.mu.Lock()
	}
	g.open, g.begun = open, true
}

func (g *gate) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.games.Add(int64(bytes.Count(p, []byte("\n"))))
	return len(p), nil
}

// report reports the speed of a complete export, and fails the benchmark if it was
// incomplete.
func (g *gate) report(b *testing.B, status int, took time.Duration) {
	if status != 0 || int(g.games.Load()) != *storedGames {
		b.Fatalf("the export ended with %d after %d games", status, g.games.Load())
	}
	b.ReportMetric(float64(*storedGames)/took.Seconds(), "games/s")
	b.ReportMetric(0, "ns/op")
}

// latencies collects the times of shots, with and without the export.
type latencies struct {
	with atomic.Bool
	mu   sync.Mutex
	took [2][]time.Duration // guarded by mu: without and with
}

// play plays matches between two guests who fire about 20 times a second, until ctx ends.
func (l *latencies) play(ctx context.Context, b *testing.B, at *lobby.Lobby, rng *rand.Rand) {
	one, two := at.Enter(account.Player{Kind: account.Person, Name: "a"}), at.Enter(account.Player{Kind: account.Person, Name: "b"})
	defer one.Leave()
	defer two.Leave()
	for ctx.Err() == nil {
		offer, err := at.Offers.OpenPrivate(one.Player(), match.Classic(), lobby.Casual)
		if err != nil {
			b.Error(err)
			return
		}
		second, err := at.Offers.JoinPrivate(two.Player(), offer.Terms.Code)
		if err != nil {
			b.Error(err)
			return
		}
		seats := [2]*live.Seat{(<-offer.Seated()).Seat, second.Seat}
		l.match(ctx, seats, rng)
		seats[0].Resign()
	}
}

// match plays a match.
func (l *latencies) match(ctx context.Context, seats [2]*live.Seat, rng *rand.Rand) {
	var boxes [2]*live.Mailbox
	for side, seat := range seats {
		boxes[side] = seat.Attach(nil)
		seat.Place(match.Classic().RandomLayout(rng))
	}
	cells := rng.Perm(100)
	var u live.Update
	for n := range 200 {
		side := (n + 1) % 2
		for u.View.Turn != match.Side(side) || u.View.Phase != match.Battle {
			if boxes[side].Recv(ctx, &u) != nil || u.View.Phase == match.Over {
				return
			}
		}
		time.Sleep(time.Duration(25+rng.IntN(50)) * time.Millisecond)
		began, with := time.Now(), l.with.Load()
		seats[side].Fire(match.At(cells[n/2]%10, cells[n/2]/10))
		for u.View.Charts[side].Fired <= n/2 {
			if boxes[1-side].Recv(ctx, &u) != nil {
				return
			}
		}
		l.add(with, time.Since(began))
	}
}

func (l *latencies) add(with bool, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := 0
	if with {
		i = 1
	}
	l.took[i] = append(l.took[i], took)
}

func (l *latencies) report(b *testing.B) {
	var p99 [2]float64
	for i, name := range []string{"without", "with"} {
		all := l.took[i]
		slices.Sort(all)
		p99[i] = float64(all[len(all)*99/100].Nanoseconds()) / 1000
		b.ReportMetric(float64(all[len(all)/2].Nanoseconds())/1000, "p50-µs-"+name)
		b.ReportMetric(p99[i], "p99-µs-"+name)
	}
	b.ReportMetric(p99[1]/p99[0], "p99-ratio")
}
