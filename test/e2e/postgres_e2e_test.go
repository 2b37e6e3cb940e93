package e2e

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"broadside/internal/server"
	"broadside/internal/store"
	"broadside/internal/test/pgtest"
)

// database is a PostgreSQL server of the test's own, and the URL of an empty
// database there.
func database(t *testing.T) string {
	t.Helper()
	server, err := pgtest.Start()
	if errors.Is(err, pgtest.ErrNotInstalled) && os.Getenv("BROADSIDE_REQUIRE_TOOLS") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	url, err := server.URL(t.Context(), t.Name())
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// A server keeps everything in a database elsewhere, and has it to itself.
func TestServeWithPostgreSQL(t *testing.T) {
	t.Parallel()
	url := database(t)
	h := open(t, func(cfg *server.Config) { cfg.Store = url })
	ann := h.come(t, "ann")
	ann.Press("b", "1")
	place(ann)
	ann.WaitText("Your turn.")
	ann.Press("q", "y")
	ann.WaitText("You have aborted the match before it counted.")

	_, err := newServer(t.Context(), server.Config{
		SSH: "127.0.0.1:0", Relay: "127.0.0.1:0", Data: t.TempDir(), Store: url, LogLevel: "error", LogFormat: "text", Audit: "flag",
	}, testLog{t})
	if !errors.Is(err, store.ErrInUse) {
		t.Errorf("a second server at the database: %v", err)
	}
	h.stop()
	if err := <-h.stopped; err != nil {
		t.Fatal(err)
	}
	h.stopped <- nil

	if out, err := try(t.Context(), "doctor", "--store", url, "--data", t.TempDir(), "--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0"); err != nil || !strings.Contains(out, "matches 1,") {
		t.Errorf("the doctor says %v\n%s", err, out)
	}
	s, err := store.Open(context.Background(), store.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Accounts.ByName(t.Context(), "ann"); err != nil {
		t.Error(err)
	}
}

// The first nodes of a cluster start at once, before one of them is active. They get
// the same host keys.
func TestNodesShareHostKeys(t *testing.T) {
	t.Parallel()
	cfg := server.Config{Store: database(t), HostKeys: server.KeysInStore}
	var wg sync.WaitGroup
	var got [3]string
	for i := range got {
		wg.Go(func() {
			db, err := store.Open(t.Context(), store.Config{URL: cfg.Store, ReadOnly: true})
			if err != nil {
				t.Error(err)
				return
			}
			defer db.Close()
			node := cfg
			node.Data = t.TempDir()
			keys, err := node.OpenHostKeys(t.Context(), db)
			if err != nil {
				t.Error(err)
			}
			for _, k := range keys {
				got[i] += k.Fingerprint
			}
		})
	}
	wg.Wait()
	if got[0] == "" || got[0] != got[1] || got[0] != got[2] {
		t.Errorf("the host keys are %q", got)
	}
}
