//go:build slow

package store_test

import (
	"sync"
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/internal/test/pgtest"
)

// TestStalledProgram checks that a program that stalls in a transaction delays the
// others for a few seconds only, and that its transaction is rolled back.
func TestStalledProgram(t *testing.T) {
	t.Parallel()
	skipOnSQLite(t)
	// Other tests would wait for the stalled program at a common server.
	url := must.Get(pgtest.Open(t, "").CreateDatabase(ctx, t.Name()))
	var both [2]*store.Store
	for i := range both {
		both[i] = must.Get(store.Open(ctx, store.Config{URL: url}))
		defer both[i].Close()
	}
	stalled, other := both[0], both[1]
	ann := createPerson(t, other, "Ann")
	wake, asleep := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		err := stalled.Stall(ann.ID, asleep, wake)
		if err == nil {
			t.Error("what a program wrote before it stood still was not taken back")
		}
	})
	<-asleep
	if err := other.Accounts.Rename(ctx, ann.ID, "Annie", ""); err != nil {
		t.Errorf("beside a program that stands still: %v", err)
	}
	close(wake)
	wg.Wait()
	if p, err := stalled.Accounts.FindByID(ctx, ann.ID); err != nil || p.Name != "Annie" {
		t.Errorf("the player is %+v, %v", p, err)
	}
	if err := stalled.Accounts.Rename(ctx, ann.ID, "Anna", ""); err != nil {
		t.Errorf("once it goes on: %v", err)
	}
}

func TestKilledManyTimes(t *testing.T) { crashRepeatedly(t, 40) }
