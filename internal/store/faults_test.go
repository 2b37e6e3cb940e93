package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/internal/test/need"
	"broadside/match"
)

// TestFullDisk checks that writing to a full disk fails with a clear error, that reading
// still works, and that writing works again once there is room.
func TestFullDisk(t *testing.T) {
	skipOnPostgres(t)
	folder := t.TempDir()
	s := openStoreIn(t, folder)
	ann, bob := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	rng := newRandom(14)
	must.Do(s.LimitPages(true))
	var stored []string
	var full error
	for i := 0; full == nil && i < 500; i++ {
		m := newFinishedMatch(rng, ann, bob, match.First, start)
		if _, full = s.Matches.Finish(ctx, m); full == nil {
			stored = append(stored, m.ID)
		} else if _, err := s.Matches.FindByID(ctx, m.ID); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("half of a match was stored: %v", err)
		}
	}
	wantError(t, "writing to a full disk", full, store.ErrFull)
	if strings.Contains(full.Error(), "\n") {
		t.Errorf("more than a sentence: %q", full)
	}
	// Of many concurrent changes, each fails.
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			_, err := s.Accounts.CreatePerson(ctx, fmt.Sprint(i, strings.Repeat("x", 5000)), store.Key{Fingerprint: fmt.Sprint(i)})
			wantError(t, "many at once", err, store.ErrFull)
		})
	}
	wg.Wait()
	must.Do(s.LimitPages(false))
	m := newFinishedMatch(rng, ann, bob, match.Second, start)
	finishMatch(t, s, m)
	checkMatches(t, folder, append(stored, m.ID))
	checkRatings(t, folder)
}

func TestReadOnlyFolder(t *testing.T) {
	skipOnPostgres(t)
	folder := filepath.Join(t.TempDir(), "data")
	must.Do(os.Mkdir(folder, 0o500))
	if os.Getuid() == 0 {
		folder = "/sys/kernel" // even root cannot create files there
		if _, err := os.Stat(folder); err != nil {
			need.Skip(t, "root can write everywhere")
		}
	}
	s, err := store.Open(ctx, store.Config{Folder: folder})
	if err == nil {
		s.Close()
	}
	if !errors.Is(err, store.ErrReadOnly) || strings.Contains(err.Error(), "\n") {
		t.Errorf("opening it: %v", err)
	}
}

// TestClosed checks that changes which were confirmed before the store was closed are
// stored.
func TestClosed(t *testing.T) {
	folder := t.TempDir()
	s := openStoreIn(t, folder)
	ann := createPerson(t, s, "Ann")
	var wg sync.WaitGroup
	errs := make([]error, 50)
	for i := range errs {
		wg.Go(func() { errs[i] = s.Keys.Add(ctx, store.Key{Fingerprint: fmt.Sprint(i), Player: ann.ID}) })
	}
	must.Do(s.Close())
	wg.Wait()
	wantError(t, "after the end", s.Accounts.Rename(ctx, ann.ID, "x", ""), store.ErrClosed)
	keys := must.Get(openStoreIn(t, folder).Keys.ListByPlayer(ctx, ann.ID))
	added := 1 // the first key
	for _, err := range errs {
		if err == nil {
			added++
		} else {
			wantError(t, "too late", err, store.ErrClosed)
		}
	}
	if len(keys) != added {
		t.Errorf("%d keys, and %d were added", len(keys), added)
	}
}

// TestGivingUp checks that a caller that gives up does not undo the changes of others.
func TestGivingUp(t *testing.T) {
	s := openStore(t)
	ann := createPerson(t, s, "Ann")
	over, cancel := context.WithCancel(ctx)
	cancel()
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			use := ctx
			if i%3 == 0 {
				use = over
			}
			err := s.Keys.Add(use, store.Key{Fingerprint: fmt.Sprint(i), Player: ann.ID})
			if i%3 == 0 && err != nil && !errors.Is(err, context.Canceled) || i%3 != 0 && err != nil {
				t.Error(i, err)
			}
		})
	}
	wg.Wait()
	keys, err := s.Keys.ListByPlayer(ctx, ann.ID)
	if err != nil || len(keys) < 41 {
		t.Errorf("%d keys, %v", len(keys), err)
	}
	_, err = s.Accounts.FindByID(over, ann.ID)
	wantError(t, "reading", err, context.Canceled)
}
