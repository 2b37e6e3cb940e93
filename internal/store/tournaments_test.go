package store_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
)

// TestTournaments checks that an owner's oldest tournaments are removed once they are over.
func TestTournaments(t *testing.T) {
	folder := t.TempDir()
	s := openStoreIn(t, folder)
	ann, bob := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	save := func(owner store.Player, code string, n int, over bool) {
		t.Helper()
		tournament := json.RawMessage(fmt.Sprintf(`{"Round":%d}`, n))
		must.Do(s.Tournaments.Save(ctx, code, owner.ID, start.Add(time.Duration(n)*time.Hour), over, tournament))
	}
	save(bob, "bobs", 0, true)
	save(ann, "open", 0, false)
	for n := range store.KeptTournaments + 2 {
		save(ann, fmt.Sprint("cup", n), n, false)
		save(ann, fmt.Sprint("cup", n), n, true)
	}
	if current, err := s.Tournaments.ListUnfinished(ctx); err != nil || len(current) != 1 || string(current[0]) != `{"Round":0}` {
		t.Errorf("ListUnfinished() = %s, %v", current, err)
	}
	for code, kept := range map[string]bool{"bobs": true, "open": true, "cup0": false, "cup1": false, "cup2": true, "cup21": true, "none": false} {
		tournament, err := s.Tournaments.Get(ctx, code)
		if kept && (err != nil || len(tournament) == 0) {
			t.Errorf("%s is %s, %v", code, tournament, err)
		} else if !kept {
			wantError(t, code, err, store.ErrNotFound)
		}
	}
	// Other worlds see only those that are over.
	cfg := storeConfig(t, folder)
	cfg.World = "north"
	north := must.Get(store.Open(ctx, cfg))
	defer north.Close()
	// The server's own tournaments have no owner. Each world keeps its own.
	must.Do(north.Tournaments.Save(ctx, "norths", "", start, true, json.RawMessage(`{}`)))
	for n := range store.KeptTournaments + 1 {
		save(store.Player{}, fmt.Sprint("server", n), n, true)
	}
	must.Get(s.Tournaments.Get(ctx, "norths"))
	must.Get(s.Tournaments.Get(ctx, "server1"))
	_, err := s.Tournaments.Get(ctx, "server0")
	wantError(t, "server0", err, store.ErrNotFound)
	if current, err := north.Tournaments.ListUnfinished(ctx); err != nil || len(current) > 0 {
		t.Errorf("in north, ListUnfinished() = %s, %v", current, err)
	}
	must.Get(north.Tournaments.Get(ctx, "bobs"))
	_, err = north.Tournaments.Get(ctx, "open")
	wantError(t, "open", err, store.ErrNotFound)
}
