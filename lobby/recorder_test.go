package lobby_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/match"
)

// disk is a store that cannot write matches while it is broken.
type disk struct{ *storetest.Disk }

func openDisk(t *testing.T) *disk { return &disk{storetest.OpenDisk(t, store.Config{})} }

// fail makes writes of matches fail.
func (d *disk) fail() {
	d.Exec(`CREATE TRIGGER broken BEFORE INSERT ON matches BEGIN SELECT RAISE(ABORT, 'the disk is on fire'); END`)
}

func (d *disk) heal() {
	d.Exec(`DROP TRIGGER broken`)
}

// logbook records the lines that a lobby logs.
type logbook struct {
	mu  sync.Mutex
	all bytes.Buffer // guarded by mu
}

func (b *logbook) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.Write(p)
}

// lines returns the lines that contain a text.
func (b *logbook) lines(text string) (found []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, line := range strings.Split(b.all.String(), "\n") {
		if strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found
}

// onDisk runs a test with a lobby whose disk can fail.
func onDisk(t *testing.T, test func(t *testing.T, d *disk, l *lobby.Lobby, book *logbook)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d, book := openDisk(t), &logbook{}
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: d.Store, Log: slog.New(slog.NewTextHandler(book, nil))})
		defer l.Close()
		test(t, d, l, book)
	})
}

// lose resigns a match as soon as it counts.
func lose(t *testing.T, l *lobby.Lobby, a, b lobby.Player) *lobby.Seat {
	t.Helper()
	first, second := seat(t, l, a, b)
	box := first.Seat.Attach()
	count(first, second)
	first.Seat.Resign()
	theEnd(t, box)
	<-first.Seat.Match().Done()
	return first
}

func TestMatchIsStoredLater(t *testing.T) {
	onDisk(t, func(t *testing.T, d *disk, l *lobby.Lobby, book *logbook) {
		ann, bob := newAccount(t, d.Store, "Ann"), newAccount(t, d.Store, "Bob")
		d.fail()
		one, two := lose(t, l, ann, bob), lose(t, l, bob, ann)
		time.Sleep(time.Hour)
		if o := one.Outcome(); o.Stored {
			t.Errorf("on a disk that fails: %+v", o)
		}
		if n := len(book.lines("matches waiting to be stored")); n < 50 || n > 70 {
			t.Errorf("%d warnings in an hour", n)
		}
		d.heal()
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		for _, s := range []*lobby.Seat{one, two} {
			id := s.Seat.Match().ID()
			m, err := d.Matches.ByID(t.Context(), id)
			if err != nil || !m.Rated || m.Reason != match.Resigned {
				t.Errorf("stored as %+v, %v", m.Summary, err)
			}
			if o := s.Outcome(); !o.Stored || o.After[0] != m.Seats[0].After {
				t.Errorf("outcome %+v", o)
			}
			if n, later := len(book.lines("match not stored; retrying\" match="+id)), len(book.lines("stored after retrying\" match="+id)); n != 1 || later != 1 {
				t.Errorf("%s: %d log lines about the failure and %d about the later success, want 1 each", id, n, later)
			}
		}
		// The next failure is logged again.
		d.fail()
		three := lose(t, l, ann, bob)
		d.heal()
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if o := three.Outcome(); !o.Stored {
			t.Errorf("after a moment: %+v", o)
		}
	})
}

// TestDrainWaitsForTheDisk checks that a shutdown waits for the disk for a limited time,
// and that matches that cannot be stored are logged.
func TestDrainWaitsForTheDisk(t *testing.T) {
	onDisk(t, func(t *testing.T, d *disk, l *lobby.Lobby, book *logbook) {
		ann, bob := newAccount(t, d.Store, "Ann"), newAccount(t, d.Store, "Bob")
		d.fail()
		lost := lose(t, l, ann, bob)
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		start := time.Now()
		err := l.Drain(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "wait to be stored: 1") || time.Since(start) != 30*time.Second {
			t.Errorf("draining takes %v: %v", time.Since(start), err)
		}
		l.Close()
		lines := book.lines("match cannot be stored; the field record has it")
		if len(lines) != 1 {
			t.Fatalf("the log is %q", lines)
		}
		for _, part := range []string{"level=ERROR", lost.Seat.Match().ID(), "Ann", "Bob", `event\":\"ended`, `reason\":\"resigned`, "on fire"} {
			if !strings.Contains(lines[0], part) {
				t.Errorf("there is no %q in %s", part, lines[0])
			}
		}
	})
	onDisk(t, func(t *testing.T, d *disk, l *lobby.Lobby, book *logbook) {
		d.fail()
		late := lose(t, l, newAccount(t, d.Store, "Ann"), newAccount(t, d.Store, "Bob"))
		time.AfterFunc(10*time.Second, d.heal)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := l.Drain(ctx); err != nil || !late.Outcome().Stored {
			t.Errorf("after the disk works again: %v, %+v", err, late.Outcome())
		}
	})
	// The disk works again at the last moment; Close tries once more.
	onDisk(t, func(t *testing.T, d *disk, l *lobby.Lobby, book *logbook) {
		d.fail()
		late := lose(t, l, newAccount(t, d.Store, "Ann"), newAccount(t, d.Store, "Bob"))
		time.Sleep(5 * time.Minute)
		d.heal()
		l.Close()
		if lines := book.lines("is lost"); !late.Outcome().Stored || len(lines) > 0 {
			t.Errorf("outcome %+v, the log is %q", late.Outcome(), lines)
		}
	})
}
