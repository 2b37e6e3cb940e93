//go:build slow && linux

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/match"
)

// await waits until all fulfil something.
func await[T any](t *testing.T, all []T, what string, holds func(T) bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * *within); ; time.Sleep(20 * time.Millisecond) {
		left := 0
		for _, x := range all {
			if !holds(x) {
				left++
			}
		}
		if left == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("%d of %d do not: %s", left, len(all), what)
			for _, x := range all {
				if !holds(x) {
					t.Errorf("one of them: %v", x)
					break
				}
			}
			t.FailNow()
		}
	}
}

// check compares the books of sailors with what is stored.
func (a *armada) check(all []*sailor) {
	a.t.Helper()
	shots := 0
	for _, s := range all {
		for _, line := range s.odd {
			a.t.Errorf("%s heard %q", s.name, line)
		}
		matches := a.stored(len(s.games), s.account)
		for n, sum := range matches[:min(len(matches), len(s.games))] {
			v := s.games[n]
			if sum.Winner > match.Second && sum.Reason != match.Aborted {
				a.t.Errorf("%s: match %s has no winner: %v", s.name, sum.ID, sum.Reason)
			}
			m, err := a.store.Match(context.Background(), sum.ID)
			if err != nil {
				a.t.Fatal(err)
			}
			side := match.First
			if m.Seats[match.Second].Player == s.account {
				side = match.Second
			}
			var stored []match.Cell
			for _, e := range m.Events {
				if e.Kind == match.ShotFired && e.Side == side {
					stored = append(stored, e.Cell)
				}
			}
			own := slices.DeleteFunc(slices.Clone(v.fired), func(c match.Cell) bool { return c == useLess })
			shots += len(own)
			if v.open && len(stored) == len(own)+1 { // answered when nobody was there to hear it
				own = append(own, v.asked)
			}
			if !slices.Equal(own, stored) {
				a.t.Errorf("%s has fired at\n%v\nand match %s says\n%v\n%s", s.name, own, sum.ID, stored, strings.Join(s.heard, "\n"))
			}
		}
	}
	running, err := a.store.Running(context.Background())
	if err != nil {
		a.t.Error(err)
	}
	for _, r := range running {
		a.t.Errorf("match %s of %s and %s still runs", r.ID, r.Seats[0].Name, r.Seats[1].Name)
	}
	a.t.Logf("%d shots of %d people are all stored, each once and in order", shots, len(all))
}

// season is a time in which sailors play.
type season struct {
	*armada
	ctx    context.Context
	finish chan struct{}  // closed: it is time to resign
	work   sync.WaitGroup // what goes on until then; the test waits for it in any case
}

// begin begins a season that lasts until end, or until the test or its time is over.
func (a *armada) begin(longest time.Duration) *season {
	s := &season{armada: a, finish: make(chan struct{})}
	ctx, cancel := context.WithTimeout(a.t.Context(), longest)
	s.ctx = ctx
	a.t.Cleanup(func() {
		cancel()
		s.work.Wait()
	})
	return s
}

// over is whether nobody should begin another match.
func (s *season) over() bool {
	select {
	case <-s.finish:
		return true
	default:
		return s.ctx.Err() != nil
	}
}

// end lets all matches come to an end, and compares the books with what is stored.
func (s *season) end(all []*sailor) {
	s.t.Helper()
	close(s.finish)
	s.work.Wait()
	s.check(all)
}

// duel lets pairs play: all matches are run at the first node, and the others
// play from the other two. It returns once all have fired.
func (s *season) duel(n int, pace time.Duration) (pairs []pair, all []*sailor) {
	s.t.Helper()
	all = s.recruit("sailor", 2*n, pace, s.finish)
	gate := make(chan struct{}, 8)
	for i := range n {
		p := pair{all[2*i], all[2*i+1]}
		pairs = append(pairs, p)
		gate <- struct{}{} // not all at once: who comes takes time
		s.work.Go(func() {
			time.AfterFunc(100*time.Millisecond, func() { <-gate })
			sailPair(s.ctx, p, [2]int{1 + i%2, 0})
		})
	}
	await(s.t, pairs, "both have fired", func(p pair) bool { return len(p.shots(time.Time{})) == 2 })
	return pairs, all
}

// shots are those of the two who have fired since a moment.
func (p pair) shots(moment time.Time) (times []time.Time) {
	for _, s := range p {
		if at := s.firedSince(moment); !at.IsZero() {
			times = append(times, at)
		}
	}
	return times
}

// goesOn is how long after a moment the first shot of a match was answered.
func (p pair) goesOn(moment time.Time) time.Duration {
	return slices.MinFunc(p.shots(moment), time.Time.Compare).Sub(moment)
}

func spread(all []time.Duration) string {
	slices.Sort(all)
	return fmt.Sprintf("p50 %v, p99 %v, at most %v", all[len(all)/2].Round(100*time.Microsecond),
		all[len(all)*99/100].Round(100*time.Microsecond), all[len(all)-1].Round(time.Millisecond))
}
