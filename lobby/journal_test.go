package lobby_test

import (
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
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/match"
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
	for _, name := range []string{store.FileName, store.FileName + "-wal", store.TailName} {
		b, err := os.ReadFile(filepath.Join(folder, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(left, name), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(left, store.FileName))
	if err == nil {
		_, err = db.Exec(`DROP TRIGGER IF EXISTS broken`)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), store.Config{Folder: left, Exclusive: true})
	if err != nil {
		t.Fatal(err)
	}
	l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: s})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, l
}

// TestJournalContinuesAfterFailure checks that a journal continues after a failure, and
// that a server killed during the failure resumes with everything the players saw.
func TestJournalContinuesAfterFailure(t *testing.T) {
	ownDisk(t, func(t *testing.T, d *disk, l *lobby.Lobby, book *logbook, folder string) {
		ann := newAccount(t, d.Store, "Ann")
		seat, box := against(t, l, ann, "prolog")
		id := seat.Seat.Match().ID()
		volley(t, seat, box, 0, 3)
		d.Exec(`CREATE TRIGGER broken BEFORE INSERT ON running_events BEGIN SELECT RAISE(ABORT, 'the disk is on fire'); END`)
		for n := 3; n < 12; n++ {
			seat.Seat.Fire(match.At(n%10, n/10))
			until(t, box, fired(match.Second, n+1))
			time.Sleep(2 * time.Second)
		}
		if lag := l.Stats().JournalLag; lag < 15*time.Second || lag > 20*time.Second {
			t.Errorf("the journal lags by %v", lag)
		}

		s, again := killed(t, folder)
		back := again.Matches.Unfinished(ann)
		if back == nil {
			t.Fatal("the match is gone")
		}
		time.Sleep(time.Millisecond)
		if lag := again.Stats().JournalLag; lag != time.Millisecond {
			t.Errorf("the journal of the resumed match lags by %v", lag)
		}
		u := until(t, back.Seat.Attach(), fired(match.Second, 12))
		if u.View.Charts[match.First].Fired < 11 {
			t.Errorf("the bot has fired %d times", u.View.Charts[match.First].Fired)
		}
		again.Close()
		if r, err := s.Running.List(t.Context()); err != nil || len(r) != 1 || r[0].Behind || r[0].Stored != len(r[0].Events) {
			t.Errorf("then the store has %+v, %v", r, err)
		}

		d.heal()
		time.Sleep(2 * time.Second)
		if lag := l.Stats().JournalLag; lag != 0 {
			t.Errorf("in the end the journal lags by %v", lag)
		}
		r, err := d.Running.List(t.Context())
		if err != nil || len(r) != 1 || r[0].Behind || r[0].Stored != len(r[0].Events) {
			t.Fatalf("in the end the store has %+v, %v", r, err)
		}
		shots := 0
		for _, e := range r[0].Events {
			if e.Kind == match.ShotFired && e.Side == match.Second {
				shots++
			}
		}
		if shots != 12 {
			t.Errorf("%d shots are stored", shots)
		}
		bad, good := len(book.lines("journal of running matches cannot be written")), len(book.lines("journal of running matches is complete again"))
		if bad != 1 || good != 1 {
			t.Errorf("the log has %d and %d lines about the journal of %s", bad, good, id)
		}
	})
}

// TestResultOutlivesAFullDisk checks that a result that a player has seen is stored after a
// kill, even if the disk was full.
func TestResultOutlivesAFullDisk(t *testing.T) {
	ownDisk(t, func(t *testing.T, d *disk, l *lobby.Lobby, _ *logbook, folder string) {
		ann, bob := newAccount(t, d.Store, "Ann"), newAccount(t, d.Store, "Bob")
		d.fail()
		lost := lose(t, l, ann, bob)
		if n := l.Stats().Unstored; n != 1 || lost.Outcome().Stored {
			t.Errorf("%d matches waiting to be stored", n)
		}
		// The start of a match is written in the background, and this one was short.
		for r, err := d.Running.List(t.Context()); err != nil || len(r) == 0; r, err = d.Running.List(t.Context()) {
			time.Sleep(time.Millisecond)
		}
		s, again := killed(t, folder)
		defer again.Close()
		m, err := s.Matches.ByID(t.Context(), lost.Seat.Match().ID())
		if err != nil || !m.Rated || m.Winner != match.Second || m.Reason != match.Resigned {
			t.Errorf("stored as %+v, %v", m.Summary, err)
		}
		if p := again.Matches.Unfinished(ann); p != nil {
			t.Error("the match continues")
		}
		d.heal()
	})
}

// TestMatchThatIsBehindIsVoid checks that a match is void if its players saw events that
// are lost.
func TestMatchThatIsBehindIsVoid(t *testing.T) {
	ownDisk(t, func(t *testing.T, d *disk, l *lobby.Lobby, _ *logbook, folder string) {
		ann := newAccount(t, d.Store, "Ann")
		seat, box := against(t, l, ann, "prolog")
		id := seat.Seat.Match().ID()
		volley(t, seat, box, 0, 5)
		time.Sleep(time.Second)
		r, err := d.Running.List(t.Context())
		if err != nil || len(r) != 1 {
			t.Fatal(r, err)
		}
		// The events in between were not stored anywhere.
		if err := d.Running.Hold(id, len(r[0].Events)+2, r[0].Events[:2]); err != nil {
			t.Fatal(err)
		}
		s, again := killed(t, folder)
		defer again.Close()
		if again.Matches.Unfinished(ann) != nil {
			t.Error("the match continues behind what its players saw")
		}
		m, err := s.Matches.ByID(t.Context(), id)
		if err != nil || m.Rated || m.Winner != match.Nobody || m.Reason != match.Closed {
			t.Errorf("stored as %+v, %v", m.Summary, err)
		}
	})
}
