package store_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"broadside/internal/store"
)

// TestLookAlikes checks that names which look alike count as one name for people and
// programs, when they are registered or changed.
func TestLookAlikes(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	ann, err := s.Accounts.CreatePerson(ctx, "watcher1", store.Key{Fingerprint: "SHA256:1"})
	if err != nil {
		t.Fatal(err)
	}
	bob, err := s.Accounts.CreatePerson(ctx, "bob", store.Key{Fingerprint: "SHA256:2"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"watcherl", "WATCHERI", "vvatcher1", "w4tch3r-1", "watche_rl"} {
		if _, err := s.Accounts.CreatePerson(ctx, name, store.Key{Fingerprint: "SHA256:3"}); !errors.Is(err, store.ErrNameTaken) {
			t.Errorf("the account %s: %v", name, err)
		}
		if _, _, err := s.Programs.Register(ctx, bob.ID, name, 5); !errors.Is(err, store.ErrNameTaken) {
			t.Errorf("the program %s: %v", name, err)
		}
		if err := s.Accounts.Rename(ctx, bob.ID, name, ""); !errors.Is(err, store.ErrNameTaken) {
			t.Errorf("bob as %s: %v", name, err)
		}
		if taken, err := s.Accounts.IsTaken(ctx, name); err != nil || !taken {
			t.Errorf("%s is taken: %v, %v", name, taken, err)
		}
	}
	var work sync.WaitGroup
	for i := range 200 { // some share a query
		work.Go(func() {
			name, want := fmt.Sprint("watcher", i+2), false
			if i%3 == 0 {
				name, want = "WATCHERI", true
			}
			if taken, err := s.Accounts.IsTaken(ctx, name); err != nil || taken != want {
				t.Errorf("%s is taken: %v, %v", name, taken, err)
			}
		})
	}
	work.Wait()
	// A name that was given up is free again, and its owner may change its look.
	if err := s.Accounts.Rename(ctx, ann.ID, "Watcher-I", ""); err != nil {
		t.Error(err)
	}
	if err := s.Accounts.Rename(ctx, ann.ID, "ann", ""); err != nil {
		t.Error(err)
	}
	if err := s.Accounts.Rename(ctx, bob.ID, "watcherl", ""); err != nil {
		t.Error(err)
	}
}

func TestSkeleton(t *testing.T) {
	for name, want := range map[string]string{
		"watcher1": "watcherl", "watcherl": "watcherl", "Modern": "modem", "mode-r_n": "modem", "vvv": "wv",
		"O0o-I1l": "ooolll", "B3L4S5": "belass", "Böb": "böb",
	} {
		if got := store.Skeleton(name); got != want {
			t.Errorf("the skeleton of %s is %q, want %q", name, got, want)
		}
	}
}
