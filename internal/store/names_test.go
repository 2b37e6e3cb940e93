package store_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
)

// TestLookAlikes checks that names which look alike count as one name for people and
// programs, when they are registered or changed.
func TestLookAlikes(t *testing.T) {
	s := openStore(t)
	ctx := t.Context()
	ann := must.Get(s.Accounts.CreatePerson(ctx, "watcher1", store.Key{Fingerprint: "SHA256:1"}))
	bob := must.Get(s.Accounts.CreatePerson(ctx, "bob", store.Key{Fingerprint: "SHA256:2"}))
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
		if taken, err := s.Accounts.IsNameTaken(ctx, name); err != nil || !taken {
			t.Errorf("%s is taken: %v, %v", name, taken, err)
		}
	}
	if taken, err := s.Accounts.IsNameTaken(ctx, "watcher2"); err != nil || taken {
		t.Errorf("watcher2 is taken: %v, %v", taken, err)
	}
	// A name's owner may change its look.
	must.Do(s.Accounts.Rename(ctx, ann.ID, "Watcher-I", ""))
	must.Do(s.Accounts.Rename(ctx, ann.ID, "ann", ""))
	if err := s.Accounts.Rename(ctx, bob.ID, "watcherl", ""); !errors.Is(err, store.ErrNameTaken) {
		t.Errorf("bob takes a name that was just given up: %v", err)
	}
}

// TestFormerNames checks that a former name stays reserved for its account for 30 days.
func TestFormerNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		ann := must.Get(s.Accounts.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:1"}))
		bob := must.Get(s.Accounts.CreatePerson(t.Context(), "bob", store.Key{Fingerprint: "SHA256:2"}))
		rename := func(p store.Player, name, by string, want error) {
			t.Helper()
			if err := s.Accounts.Rename(t.Context(), p.ID, name, by); !errors.Is(err, want) {
				t.Errorf("renaming to %s: %v, want %v", name, err, want)
			}
		}
		taken := func(want bool) {
			t.Helper()
			if got, err := s.Accounts.IsNameTaken(t.Context(), "ANN"); err != nil || got != want {
				t.Errorf("the former name is taken: %v, %v", got, err)
			}
		}
		rename(ann, "anchor", "", nil)
		rename(ann, "ann", "", nil) // her own
		rename(ann, "anna", "operator", nil)
		taken(true)
		rename(bob, "a-nn", "", store.ErrNameTaken)
		if _, _, err := s.Programs.Register(t.Context(), bob.ID, "Ann", 1); !errors.Is(err, store.ErrNameTaken) {
			t.Errorf("a program with the former name: %v", err)
		}
		time.Sleep(store.NameReserve - time.Second)
		rename(bob, "ann", "operator", store.ErrNameTaken)
		time.Sleep(time.Second)
		taken(false)
		rename(bob, "ann", "", nil)
		taken(true)
		rename(ann, "ann", "", store.ErrNameTaken)
	})
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
