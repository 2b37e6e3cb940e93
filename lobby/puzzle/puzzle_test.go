package puzzle

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/match"
)

func openPuzzles(t *testing.T) (*Puzzles, *storetest.Disk) {
	d := storetest.OpenDisk(t, store.Config{})
	return &Puzzles{Store: d.Store, Log: slog.New(slog.DiscardHandler)}, d
}

// createAccount returns the ID of a new account.
func createAccount(t *testing.T, s *store.Store, name string) string {
	t.Helper()
	return must.Get(s.Accounts.CreatePerson(t.Context(), name, store.Key{Fingerprint: "SHA256:" + name})).ID
}

// TestEachDayHasPuzzles checks that a new server has puzzles soon after its start, and new ones every day, and
// that two worlds do not make them twice.
func TestEachDayHasPuzzles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ps, _ := openPuzzles(t)
		ann := createAccount(t, ps.Store, "Ann")
		ctx, cancel := context.WithCancel(t.Context())
		for seed := range uint64(2) {
			go ps.MakeNightly(ctx, rand.New(rand.NewPCG(1, seed)))
		}
		if today, err := ps.Today(ctx, ann); err != nil || len(today.Puzzles) != 0 || today.IsDone() {
			t.Errorf("at the start: %+v, %v", today, err)
		}
		time.Sleep(startDelay + time.Minute)
		seen := map[int]bool{}
		for day := range 4 {
			today := must.Get(ps.Today(ctx, ann))
			guest := must.Get(ps.Today(ctx, ""))
			if len(today.Puzzles) != PerDay || len(guest.Puzzles) != PerDay {
				t.Fatalf("%s has %d puzzles, and %d for guests", today.Day, len(today.Puzzles), len(guest.Puzzles))
			}
			for i, p := range today.Puzzles {
				if seen[p.Number] || guest.Puzzles[i].Number != p.Number || p.Answer != nil {
					t.Errorf("%s: puzzle %d is not new", today.Day, p.Number)
				}
				seen[p.Number] = true
			}
			if unused := must.Get(ps.Store.Puzzles.CountUnused(ctx)); unused > leastUnused {
				t.Errorf("day %d: %d puzzles are unused", day, unused)
			}
			time.Sleep(24 * time.Hour)
		}
		cancel()
		synctest.Wait()
	})
}

// TestPuzzlesOutliveMatches checks that puzzles come from public matches only, once from each even
// if two servers make them, and that they remain when the match is deleted.
func TestPuzzlesOutliveMatches(t *testing.T) {
	ps, d := openPuzzles(t)
	want := 0
	for seed := range uint64(9) {
		m := storetest.NewMatch(seed, match.Classic(), "ann", "bob")
		switch seed % 3 {
		case 0:
			m.Private = true
		case 1:
			m.Winner, m.Reason = match.Nobody, match.Closed
		default:
			want += len(FindPuzzles(t.Context(), m.Rules, m.Events))
		}
		must.Get(ps.Store.Matches.Finish(t.Context(), m))
	}
	for range 2 {
		var servers sync.WaitGroup
		for range 2 {
			servers.Go(func() { must.Do(ps.useMatches(t.Context())) })
		}
		servers.Wait()
		more := must.Get(ps.ListMore(t.Context(), "", 100))
		if got := must.Get(ps.Store.Puzzles.CountUnused(t.Context())) + len(more); got != want || want < 4 {
			t.Fatalf("got %d puzzles, want %d", got, want)
		}
	}
	for _, table := range []string{"records", "seats", "matches"} {
		d.Exec("DELETE FROM " + table)
	}
	p := must.Get(ps.ListMore(t.Context(), "", 1))[0]
	answered, err := ps.Answer(t.Context(), "", p.Number, p.secret.Best)
	if err != nil || !answered.Answer.IsRight() || answered.Answer.Share() != 1 {
		t.Errorf("answer %+v, %v", answered.Answer, err)
	}
}

// addPuzzles adds n puzzles from games of bots.
func addPuzzles(t *testing.T, ps *Puzzles, n int) {
	t.Helper()
	for rng := rand.New(rand.NewPCG(3, 3)); n > 0; {
		r, events, err := PlayBots(rng)
		must.Do(err)
		found := FindPuzzles(t.Context(), r, events)
		found = found[:min(n, len(found))]
		must.Do(ps.Store.Puzzles.Add(t.Context(), found...))
		n -= len(found)
	}
}

// wrongCell returns a cell that is not the best one.
func wrongCell(p *Puzzle) match.Cell {
	open := p.Chart.OpenCells()
	open.Remove(p.secret.Best)
	return open.Nth(0)
}

// TestFirstAnswerCounts checks that the first of two sessions' answers to a puzzle counts.
func TestFirstAnswerCounts(t *testing.T) {
	ps, _ := openPuzzles(t)
	addPuzzles(t, ps, 8)
	ann, bob := createAccount(t, ps.Store, "Ann"), createAccount(t, ps.Store, "Bob")
	more := must.Get(ps.ListMore(t.Context(), ann, 9))
	if len(more) != 4 {
		t.Fatalf("got %d puzzles, want those that are not kept for days", len(more))
	}
	easy := more[0]
	cells := [2]match.Cell{wrongCell(&easy), easy.secret.Best}
	var answers [2]Puzzle
	var errs [2]error
	var sessions sync.WaitGroup
	for i, c := range cells {
		sessions.Go(func() { answers[i], errs[i] = ps.Answer(t.Context(), ann, easy.Number, c) })
	}
	sessions.Wait()
	first := 0
	if errs[0] != nil {
		first = 1
	}
	if errs[first] != nil || !errors.Is(errs[1-first], ErrAnswered) {
		t.Fatalf("errors: %v", errs)
	}
	for i, p := range answers {
		if p.Answer == nil || p.Answer.Cell != cells[first] {
			t.Errorf("session %d: answer %+v, want %v", i, p.Answer, cells[first])
		}
	}
	if left := must.Get(ps.ListMore(t.Context(), ann, 9)); len(left) != 3 || left[0].Number == easy.Number {
		t.Errorf("%d puzzles are left", len(left))
	}
	if _, err := ps.Answer(t.Context(), bob, more[1].Number, wrongCell(&more[1])); err != nil {
		t.Error(err)
	}
	// No one has found it so far, so it is the most difficult one.
	if order := must.Get(ps.ListMore(t.Context(), "", 9)); len(order) != 4 || order[3].Number != more[1].Number {
		t.Errorf("the most difficult puzzle is %d, want %d", order[3].Number, more[1].Number)
	}
}

func TestBadAnswers(t *testing.T) {
	ps, _ := openPuzzles(t)
	addPuzzles(t, ps, 2)
	p := must.Get(ps.ListMore(t.Context(), "", 1))[0]
	for _, c := range []match.Cell{p.Chart.Log[0].Cell, {X: 25, Y: 25}, {X: -1}} {
		if got, err := ps.Answer(t.Context(), "", p.Number, c); err == nil || got.Answer != nil {
			t.Errorf("answer %v: %+v, %v", c, got.Answer, err)
		}
	}
	// The first one is kept for a day to come.
	for _, number := range []int{-1, 0, 1, 3} {
		if _, err := ps.Find(t.Context(), "", number); !errors.Is(err, ErrNone) {
			t.Errorf("puzzle %d: %v", number, err)
		}
	}
	without := &Puzzles{}
	if _, err := without.Find(t.Context(), "", 2); !errors.Is(err, ErrNone) {
		t.Errorf("without a store: %v", err)
	}
}

// TestStreakOfDays checks that answers on the puzzles' own days count for a streak, and late ones do not.
func TestStreakOfDays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ps, _ := openPuzzles(t)
		addPuzzles(t, ps, 6*PerDay)
		ann := createAccount(t, ps.Store, "Ann")
		must.Do(ps.chooseForDays(t.Context()))
		var last Today
		for want := 1; want <= 3; want++ {
			last = must.Get(ps.Today(t.Context(), ann))
			if want == 3 {
				time.Sleep(48 * time.Hour)
			}
			for i, p := range last.Puzzles {
				c := p.secret.Best
				if i == 1 {
					c = wrongCell(&p)
				}
				must.Get(ps.Answer(t.Context(), ann, p.Number, c))
			}
			last = must.Get(ps.Today(t.Context(), ann))
			if want < 3 && (last.Streak != want || last.Longest != want || !last.IsDone()) {
				t.Errorf("%s: streak %d, longest %d, want %d", last.Day, last.Streak, last.Longest, want)
			}
			time.Sleep(24 * time.Hour)
		}
		if last.Streak != 0 || last.Longest != 2 {
			t.Errorf("after late answers: streak %d, longest %d", last.Streak, last.Longest)
		}
	})
}
