package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/match"
)

// beforeJournal is the schema's version before running matches moved to the journal.
const beforeJournal = 19

// TestUpgradeDuringMatches upgrades a database of a server that was killed while a match was running.
func TestUpgradeDuringMatches(t *testing.T) {
	folder := t.TempDir()
	upgrading.Lock()
	err := readSchema(t, folder).Upgrade(ctx, beforeJournal)
	upgrading.Unlock()
	must.Do(err)
	m := newFinishedMatch(newRandom(10), store.Player{Name: "Ann"}, store.Player{Name: "Bob"}, match.First, start)
	encode := func(r match.Rules, events []match.Event) string {
		b := must.Get(match.EncodeEvents(r, events))
		return string(b)
	}
	db := openSQL(t, folder)
	if _, err := db.Exec(`INSERT INTO running (id, started, rules, seats, details) VALUES ('m', 7, $1, '[{"Name":"Ann"},{"Name":"Bob"}]', '{"x":1}')`,
		encode(m.Rules, nil)); err != nil {
		t.Fatal(err)
	}
	for _, part := range [][2]int{{0, 1}, {1, 4}, {3, 6}} { // parts could overlap
		if _, err := db.Exec(`INSERT INTO running_events (match, number, events) VALUES ('m', $1, $2)`,
			part[0], encode(match.Rules{}, m.Events[part[0]:part[1]])); err != nil {
			t.Fatal(err)
		}
	}
	db.Close()
	all, err := openStoreIn(t, folder).Running.List(ctx)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d matches, %v", len(all), err)
	}
	r := all[0]
	if encode(r.Rules, r.Events) != encode(m.Rules, m.Events[:6]) || r.Seats[1].Name != "Bob" || string(r.Details) != `{"x":1}` || r.Started.UnixMicro() != 7 {
		t.Errorf("the match %+v", r)
	}
	if server != nil {
		return
	}
	must.Do(os.WriteFile(filepath.Join(folder, "broadside.tail"), []byte("the newest events"), 0o600))
	for range 2 { // the second time, the file is gone
		cfg := storeConfig(t, folder)
		cfg.Exclusive = true
		s := must.Get(store.Open(ctx, cfg))
		if all, err := s.Running.List(ctx); err != nil || len(all) != 0 {
			t.Errorf("%d matches whose newest events are in a file, %v", len(all), err)
		}
		must.Do(s.Close())
	}
}
