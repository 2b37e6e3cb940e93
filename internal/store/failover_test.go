package store_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/internal/test/pgtest"
)

// TestFailover checks that a store uses the server that accepts writes, wherever it is in
// the URL, and continues with the promoted server after a failover.
func TestFailover(t *testing.T) {
	t.Parallel()
	skipOnSQLite(t)
	first := pgtest.Open(t, "")
	plain := must.Get(first.CreateDatabase(ctx, t.Name()))
	replica := must.Get(first.StartReplica(ctx))
	t.Cleanup(func() {
		must.Do(replica.Stop())
	})
	at := func(hosts string) string {
		u := must.Get(url.Parse(plain))
		q := u.Query()
		q.Set("host", hosts)
		u.RawQuery = q.Encode()
		return u.String()
	}
	if _, err := store.Open(ctx, store.Config{URL: at(replica.Folder())}); err == nil || !strings.Contains(err.Error(), "read only") {
		t.Errorf("a standby alone: %v", err)
	}
	s := must.Get(store.Open(ctx, store.Config{URL: at(replica.Folder() + "," + first.Folder())}))
	t.Cleanup(func() { s.Close() })
	ann := createPerson(t, s, "ann")
	find := func(p store.Player) error {
		_, err := s.Accounts.FindByID(ctx, p.ID)
		return err
	}
	if err := find(ann); err != nil { // the reading connections, too, skip the standby
		t.Fatal(err)
	}
	must.Do(first.Kill())
	if err := find(ann); !errors.Is(err, store.ErrUnreachable) {
		t.Errorf("with the standby alone, reading returns %v", err)
	}
	must.Do(replica.Promote())
	for end := time.Now().Add(time.Minute); find(ann) != nil; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the promoted server is not used:", find(ann))
		}
	}
	must.Do(find(createPerson(t, s, "bob")))
}
