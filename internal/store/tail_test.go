package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"broadside/internal/store"
	"broadside/match"
	"broadside/match/audit"
)

// exclusive opens a store that has a tail, in its own folder.
func exclusive(t testing.TB, folder string) *store.Store {
	t.Helper()
	cfg := config(t, folder)
	cfg.Folder, cfg.Exclusive = folder, true
	s, err := store.Open(ctx, cfg)
	for errors.Is(err, store.ErrInUse) && server != nil { // PostgreSQL needs a moment to notice that a client has ended
		s, err = store.Open(ctx, cfg)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closeStore(t testing.TB, s *store.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestTailCompletesTheJournal checks that a match has the events of the tail after a
// restart, and that missing events are detected.
func TestTailCompletesTheJournal(t *testing.T) {
	t.Parallel()
	rng := random(21)
	for _, c := range []struct {
		what    string
		journal int      // events in the database
		holds   [][2]int // ranges of events passed to Hold, in order
		spoil   func(t *testing.T, file string)
		want    int
		behind  bool
	}{
		{what: "nothing held", journal: 9, want: 9},
		{what: "the newest", journal: 9, holds: [][2]int{{7, 9}, {9, 13}}, want: 13},
		{what: "less than the journal", journal: 9, holds: [][2]int{{3, 7}}, want: 9},
		{what: "overlapping it", journal: 9, holds: [][2]int{{3, 11}}, want: 11},
		{what: "everything", journal: 0, holds: [][2]int{{0, 33}}, want: 33},
		{what: "so much that it is compressed", journal: 3, holds: [][2]int{{3, 99}}, want: 99},
		{what: "a gap", journal: 5, holds: [][2]int{{7, 9}}, want: 5, behind: true},
		{what: "a torn slot", journal: 5, holds: [][2]int{{3, 9}}, want: 5, behind: true, spoil: func(t *testing.T, file string) {
			slot := 255 * 4096 // the first to be taken
			if err := overwrite(file, int64(slot+50), int64(slot+60)); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(c.what, func(t *testing.T) {
			folder := t.TempDir()
			s := exclusive(t, folder)
			m := finished(rng, person(t, s, "Ann"), person(t, s, "Bob"), match.First, start)
			for len(m.Events) < 100 {
				m = finished(rng, store.Player{}, store.Player{}, match.First, start)
			}
			if err := s.Running.Begin(ctx, store.RunningMatch{ID: m.ID, Rules: m.Rules, Started: start, Seats: m.Seats, Events: m.Events[:c.journal]}); err != nil {
				t.Fatal(err)
			}
			for _, h := range c.holds {
				if err := s.Running.Hold(m.ID, h[0], m.Events[h[0]:h[1]]); err != nil {
					t.Fatal(err)
				}
			}
			closeStore(t, s)
			if c.spoil != nil {
				c.spoil(t, filepath.Join(folder, store.TailName))
			}

			s = exclusive(t, folder)
			defer closeStore(t, s)
			all, err := s.Running.List(ctx)
			if err != nil || len(all) != 1 {
				t.Fatal(all, err)
			}
			r := all[0]
			if len(r.Events) != c.want || r.Stored != c.journal || r.Behind != c.behind {
				t.Errorf("%d events, %d of them stored, behind: %t", len(r.Events), r.Stored, r.Behind)
			}
			if _, err := match.Replay(r.Rules, audit.Flag, r.Events); err != nil {
				t.Error(err)
			}
			if _, err := s.Matches.Finish(ctx, m); err != nil {
				t.Fatal(err)
			}
			if n := s.SlotsTaken(); n != 0 {
				t.Errorf("after the end %d slots are taken", n)
			}
		})
	}
}

// TestTailThatIsTooSmall checks that events which do not fit into a slot are known to be
// missing.
func TestTailThatIsTooSmall(t *testing.T) {
	folder := t.TempDir()
	s := exclusive(t, folder)
	m := finished(random(22), store.Player{}, store.Player{}, match.First, start)
	if err := s.Running.Begin(ctx, store.RunningMatch{ID: m.ID, Rules: m.Rules, Started: start, Seats: m.Seats, Events: m.Events[:1]}); err != nil {
		t.Fatal(err)
	}
	rng := random(23)
	var many []match.Event
	for range 2000 {
		many = append(many, match.Placed(match.Side(rng.IntN(2)), m.Rules.RandomLayout(rng), 0))
	}
	if err := s.Running.Hold(m.ID, 1, many); err != nil {
		t.Fatal(err)
	}
	if n := int(tailSize(t, folder)); n != 1<<20 {
		t.Errorf("the tail has %d bytes", n)
	}
	closeStore(t, s)
	s = exclusive(t, folder)
	defer closeStore(t, s)
	if all, err := s.Running.List(ctx); err != nil || len(all) != 1 || !all[0].Behind || len(all[0].Events) != 1 {
		t.Errorf("after a restart: %+v, %v", all, err)
	}
}

// TestTailGrows checks that each match gets a slot, and that slots are reused.
func TestTailGrows(t *testing.T) {
	folder := t.TempDir()
	s := exclusive(t, folder)
	m := finished(random(24), store.Player{}, store.Player{}, match.First, start)
	var all sync.WaitGroup // many at a time share a transaction
	for i := range 300 {
		all.Go(func() {
			id := store.NewID()
			err := s.Running.Begin(ctx, store.RunningMatch{ID: id, Rules: m.Rules, Started: start, Seats: m.Seats})
			if err = errors.Join(err, s.Running.Hold(id, 0, m.Events[:1])); err == nil && i < 100 {
				err = s.Running.Forget(ctx, id)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := s.Running.Hold("gone", 0, m.Events[:1]); err != nil { // a match that was never begun
		t.Fatal(err)
	}
	closeStore(t, s)
	s = exclusive(t, folder)
	defer closeStore(t, s)
	running, err := s.Running.List(ctx)
	if err != nil || len(running) != 200 || s.SlotsTaken() != 200 {
		t.Fatalf("%d matches run, %d slots are taken, %v", len(running), s.SlotsTaken(), err)
	}
	for _, r := range running {
		if len(r.Events) != 1 || r.Stored != 0 || r.Behind {
			t.Errorf("%+v", r)
		}
	}
	for range 312 {
		if err := s.Running.Hold(store.NewID(), 0, m.Events[:1]); err != nil {
			t.Fatal(err)
		}
	}
	if n := tailSize(t, folder); n != 2<<20 {
		t.Errorf("the tail has %d bytes", n)
	}
}

func tailSize(t *testing.T, folder string) int64 {
	t.Helper()
	info, err := os.Stat(filepath.Join(folder, store.TailName))
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// BenchmarkHold measures what each event of a match waits for.
func BenchmarkHold(b *testing.B) {
	s := exclusive(b, b.TempDir())
	defer closeStore(b, s)
	m := finished(random(25), store.Player{}, store.Player{}, match.First, start)
	for b.Loop() {
		if err := s.Running.Hold(m.ID, 9, m.Events[9:11]); err != nil {
			b.Fatal(err)
		}
	}
}
