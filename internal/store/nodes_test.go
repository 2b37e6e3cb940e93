package store_test

import (
	"database/sql"
	"reflect"
	"slices"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
)

// TestNodes checks reports of nodes. A node that stops reporting must be shown as gone and later be forgotten.
func TestNodes(t *testing.T) {
	t.Parallel()
	skipOnSQLite(t)
	cfg := storeConfig(t, t.TempDir())
	if s, err := store.Open(ctx, cfg); err != nil {
		t.Fatal(err)
	} else if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	db := must.Get(sql.Open("pgx", cfg.URL))
	defer db.Close()
	pass := func(time, id string) {
		t.Helper()
		must.Get(db.Exec(`UPDATE node SET seen = seen - $1::interval WHERE id = $2`, time, id))
	}
	n := must.Get(store.OpenNodes(cfg.URL))
	defer n.Close()
	b := store.Node{ID: "2", World: "main", Name: "b", Started: time.Unix(9, 0).UTC(), Addresses: map[string]string{"ssh": "192.0.2.2:22"}, People: 7, Matches: 3, Active: true}
	a := store.Node{ID: "1", World: "main", Name: "a", Public: "play.example.org"}
	report := func(nodes ...store.Node) {
		t.Helper()
		for _, node := range nodes {
			must.Do(n.Report(ctx, node))
		}
	}
	check := func(want ...store.Node) {
		t.Helper()
		all, err := n.List(ctx)
		for i := range all {
			if all[i].Seen.IsZero() {
				t.Errorf("node %s was never seen", all[i].ID)
			}
			all[i].Seen = time.Time{}
		}
		if err != nil || !reflect.DeepEqual(all, want) {
			t.Errorf("%+v, %v instead of %+v", all, err, want)
		}
	}
	check()
	if address, err := n.OwnAddress(ctx); err != nil || address != "127.0.0.1" { // through a socket
		t.Errorf("%s, %v", address, err)
	}
	report(b, a)
	b.People = 8
	report(b)
	pass("4 seconds", "1")
	check(a, b)
	worlds, err := n.ListWorlds(ctx)
	if err != nil || len(worlds) != 1 || worlds[0].Name != "main" || !worlds[0].Active || worlds[0].People != 8 || !slices.Equal(worlds[0].Addresses, []string{"play.example.org", "192.0.2.2:22"}) {
		t.Errorf("%+v, %v", worlds, err)
	}
	pass("7 seconds", "2")
	b.Gone = true
	check(a, b)
	if worlds, err = n.ListWorlds(ctx); err != nil || worlds[0].Active || worlds[0].People != 0 || len(worlds[0].Addresses) != 1 {
		t.Errorf("without the active node: %+v, %v", worlds, err)
	}
	pass("11 minutes", "2")
	report(a)
	check(a)
	must.Do(n.Remove(ctx, "1"))
	check()
}
