package lobby_test

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
)

// ownDisk runs a test with a lobby whose disk can fail.
func ownDisk(t *testing.T, test func(t *testing.T, d *disk, l *lobby.Lobby, book *logbook, folder string)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		folder, book := t.TempDir(), &logbook{}
		d := storetest.OpenDisk(t, store.Config{Folder: folder, Exclusive: true})
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: d.Store, Log: slog.New(slog.NewTextHandler(book, nil))})
		defer l.Close()
		test(t, &disk{d}, l, book, folder)
	})
}

// killed returns the lobby of a server that was killed and restarted after the disk works
// again.
func killed(t *testing.T, folder string) (*store.Store, *lobby.Lobby) {
	t.Helper()
	left := t.TempDir()
	for _, name := range []string{store.FileName, store.FileName + "-wal"} {
		b, err := os.ReadFile(filepath.Join(folder, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(left, name), b, 0o600)
		}
		must.Do(err)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(left, store.FileName))
	if err == nil {
		_, err = db.Exec(`DROP TRIGGER IF EXISTS broken`)
		err = errors.Join(err, db.Close())
	}
	must.Do(err)
	s := must.Get(store.Open(t.Context(), store.Config{Folder: left, Exclusive: true}))
	l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: s})
	t.Cleanup(func() {
		must.Do(s.Close())
	})
	return s, l
}

// TestStoredThenShown breaks the disk during a match. Nobody sees a shot before it is stored,
// and a server that is killed resumes with everything the players saw.
func TestStoredThenShown(t *testing.T) {
	ownDisk(t, func(t *testing.T, d *disk, l *lobby.Lobby, book *logbook, folder string) {
		ann := newAccount(t, d.Store, "Ann")
		seat, box := against(t, l, ann, "prolog")
		volley(t, seat, box, 0, 3)
		d.Exec(`CREATE TRIGGER broken BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'the disk is on fire'); END`)
		seat.Seat.Fire(match.NewCell(3, 0))
		u := until(t, box, func(u *live.Update) bool { return u.Paused })
		if n := u.View.Charts[match.Second].Fired; n != 3 {
			t.Errorf("%d shots are visible", n)
		}
		time.Sleep(10 * time.Second)
		if lag := l.Stats().JournalLag; lag < 10*time.Second || lag > 11*time.Second {
			t.Errorf("the journal lags by %v", lag)
		}

		_, again := killed(t, folder)
		back := again.Matches.FindUnfinished(ann)
		if back == nil {
			t.Fatal("the match is gone")
		}
		until(t, back.Seat.Attach(nil), fired(match.Second, 3))
		again.Close()

		d.heal()
		until(t, box, fired(match.Second, 4))
		if lag := l.Stats().JournalLag; lag != 0 {
			t.Errorf("in the end the journal lags by %v", lag)
		}
		if n := len(book.lines("cannot save the newest events")); n != 1 {
			t.Errorf("the log has %d lines about it", n)
		}
	})
}

// TestBeginningIsStored restarts the server before the first event of a match, and breaks the
// disk while a match starts.
func TestBeginningIsStored(t *testing.T) {
	ownDisk(t, func(t *testing.T, d *disk, l *lobby.Lobby, _ *logbook, folder string) {
		ann := newAccount(t, d.Store, "Ann")
		seat := must.Get(l.Matches.PlayBot(ann, "prolog", match.Classic(), lobby.Rated))
		until(t, seat.Seat.Attach(nil), func(u *live.Update) bool { return u.View.Phase == match.Placing })
		time.Sleep(time.Second)
		_, again := killed(t, folder)
		if again.Matches.FindUnfinished(ann) == nil {
			t.Error("the match is gone")
		}
		again.Close()

		d.Exec(`CREATE TRIGGER broken BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'the disk is on fire'); END`)
		seat, box := against(t, l, ann, "prolog")
		until(t, box, func(u *live.Update) bool { return u.Paused && u.View.Phase == match.Placing })
		d.heal()
		volley(t, seat, box, 0, 1)
	})
}

// TestEndIsStoredThenShown breaks the disk while a match ends. The match is not over before its
// end is stored, and continues if the server is killed.
func TestEndIsStoredThenShown(t *testing.T) {
	ownDisk(t, func(t *testing.T, d *disk, l *lobby.Lobby, _ *logbook, folder string) {
		ann := newAccount(t, d.Store, "Ann")
		seat, box := against(t, l, ann, "prolog")
		volley(t, seat, box, 0, match.CountingShots)
		d.fail()
		seat.Seat.Resign()
		u := until(t, box, func(u *live.Update) bool { return u.Paused })
		if u.View.Phase == match.Over {
			t.Error("the end is visible")
		}
		_, again := killed(t, folder)
		if back := again.Matches.FindUnfinished(ann); back == nil {
			t.Error("the match does not continue")
		} else {
			until(t, back.Seat.Attach(nil), fired(match.Second, match.CountingShots))
		}
		again.Close()

		time.Sleep(time.Hour)
		d.heal()
		if v := theEnd(t, box); v.Reason != match.Resigned {
			t.Errorf("it ended: %v", v.Reason)
		}
		<-seat.Seat.Match().Done()
		m, err := d.Matches.FindByID(t.Context(), seat.Seat.Match().ID())
		if o := seat.Outcome(); err != nil || !m.Rated || !o.Stored || o.After[0] != m.Seats[0].After {
			t.Errorf("stored as %+v, %v, outcome %+v", m.Summary, err, o)
		}
	})
}

// TestDrainWaitsForTheDisk checks that a shutdown waits for the disk for a limited time. Then
// the match continues after the restart.
func TestDrainWaitsForTheDisk(t *testing.T) {
	for _, heals := range []bool{true, false} {
		ownDisk(t, func(t *testing.T, d *disk, l *lobby.Lobby, _ *logbook, folder string) {
			ann := newAccount(t, d.Store, "Ann")
			seat, box := against(t, l, ann, "prolog")
			volley(t, seat, box, 0, match.CountingShots)
			d.fail()
			seat.Seat.Resign()
			time.Sleep(time.Second)
			if heals {
				time.AfterFunc(10*time.Second, d.heal)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			start := time.Now()
			err := l.Drain(ctx)
			if took := time.Since(start); heals && (took > 12*time.Second || !seat.Outcome().Stored) || !heals && took < 30*time.Second {
				t.Errorf("heals %v: draining takes %v: %v, %+v", heals, took, err, seat.Outcome())
			}
			l.Close()
			_, again := killed(t, folder)
			defer again.Close()
			if back := again.Matches.FindUnfinished(ann); (back == nil) != heals {
				t.Errorf("heals %v: the match continues as %v", heals, back)
			}
			if !heals {
				d.heal()
			}
		})
	}
}
