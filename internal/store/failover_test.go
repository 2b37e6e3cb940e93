package store_test

import (
	"net/url"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/store/replication"
	"broadside/internal/test/pgtest"
)

// TestFormerPrimaryIsNotUsed checks that stores use the promoted server after a failover,
// even if the former primary server still runs and comes first in the URL.
func TestFormerPrimaryIsNotUsed(t *testing.T) {
	t.Parallel()
	aboutServers(t)
	former := pgtest.Open(t, "")
	plain, err := former.URL(ctx, t.Name())
	if err != nil {
		t.Fatal(err)
	}
	replica, err := former.Replica(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := replica.Stop(); err != nil {
			t.Error(err)
		}
	})
	at := func(hosts string) string {
		u, err := url.Parse(plain)
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		q.Set("host", hosts)
		u.RawQuery = q.Encode()
		return u.String()
	}
	open := func(hosts string, p *replication.Primary) *store.Store {
		t.Helper()
		s, err := store.Open(ctx, store.Config{URL: at(hosts), Primary: p})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	both := former.Folder() + "," + replica.Folder()
	if _, err := store.Open(ctx, store.Config{URL: at(replica.Folder())}); err == nil {
		t.Error("a standby was accepted")
	}
	var primary replication.Primary
	before := open(replica.Folder()+","+former.Folder(), &primary) // skips the standby
	ann := person(t, before, "ann")
	if _, err := before.Accounts.ByID(ctx, ann.ID); err != nil {
		t.Fatal(err)
	}

	if err := replica.Promote(); err != nil {
		t.Fatal(err)
	}
	bob := person(t, open(replica.Folder(), nil), "bob")
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) { // a survey waits only a second for a server
		primary.Survey(ctx, at(both))
		if _, err := before.Accounts.ByID(ctx, bob.ID); err == nil {
			break
		} else if time.Now().After(end) {
			t.Fatal("a connection to the former primary server is used:", err)
		}
	}
	after := open(both, nil)
	for _, p := range []store.Player{ann, bob} {
		if _, err := after.Accounts.ByID(ctx, p.ID); err != nil {
			t.Errorf("a store that was opened later does not find %s: %v", p.Name, err)
		}
	}
	person(t, before, "cid") // the former primary server would wait for its replica
	person(t, after, "dee")
}
