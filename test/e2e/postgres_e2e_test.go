package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/server"
	"broadside/internal/store"
	"broadside/internal/store/move"
	"broadside/internal/test/pgtest"
	"broadside/internal/test/sshtest"
)

// newDatabase starts a PostgreSQL server for the test, and returns the URL of an empty
// database.
func newDatabase(t *testing.T) string {
	t.Helper()
	url, err := pgtest.Open(t, "").CreateDatabase(t.Context(), t.Name())
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// awaitActive waits until people can connect, because a node is active.
func (h *testServer) awaitActive(t testing.TB) {
	t.Helper()
	waitUntil(t, "for an active node", func() bool {
		client, err := sshtest.Connect(h.ssh, sshtest.Options{User: "guest"})
		if err == nil {
			client.Close()
		}
		return err == nil
	})
}

// TestServeWithPostgreSQL checks that a server stores everything in a PostgreSQL database,
// and that another server passes connections on to it, and serves them when the first has ended.
func TestServeWithPostgreSQL(t *testing.T) {
	t.Parallel()
	url := newDatabase(t)
	h := open(t, func(cfg *server.Config) { cfg.Store = url })
	ann := h.enterLobby(t, "ann")
	ann.Press("b", "1")
	place(ann)
	ann.WaitText("YOUR TURN")
	ann.Press("q", "y")
	ann.WaitText("You aborted the match before it counted.")

	standby := open(t, func(cfg *server.Config) { cfg.Store = url })
	h.close(t)
	standby.awaitActive(t)
	bob := standby.enterLobby(t, "bob")
	bob.WaitText("bob (you)")
	standby.close(t)

	open(t, func(cfg *server.Config) { cfg.Store, cfg.World = url, "north" })
	doctor := func(world string) string {
		out, err := runCLI(t.Context(), "doctor", "--store", url, "--world", world, "--data", t.TempDir(), "--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0")
		if err != nil || !strings.Contains(out, "matches 1,") {
			t.Fatalf("the doctor says %v\n%s", err, out)
		}
		return out
	}
	const noneActive = "no node is active"
	waitUntil(t, "for the active node of the other world", func() bool { return !strings.Contains(doctor("north"), noneActive) })
	if out := doctor("main"); !strings.Contains(out, noneActive) {
		t.Errorf("the doctor says\n%s", out)
	}
	s, err := store.Open(context.Background(), store.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Accounts.FindByName(t.Context(), "ann"); err != nil {
		t.Error(err)
	}
}

// TestNodesShareHostKeys checks that the first nodes of a cluster start together, before one
// of them is active, and get the same host keys.
func TestNodesShareHostKeys(t *testing.T) {
	t.Parallel()
	cfg := server.Config{Store: newDatabase(t), HostKeys: server.KeysInStore}
	var wg sync.WaitGroup
	var got [3]string
	for i := range got {
		wg.Go(func() {
			db, err := (*store.Store)(nil), store.ErrUnreachable
			// A busy database takes more than 2 s.
			for errors.Is(err, store.ErrUnreachable) && t.Context().Err() == nil {
				db, err = store.Open(t.Context(), store.Config{URL: cfg.Store})
			}
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
				got[i] += gossh.FingerprintSHA256(k.PublicKey())
			}
		})
	}
	wg.Wait()
	if got[0] == "" || got[0] != got[1] || got[0] != got[2] {
		t.Errorf("the host keys are %q", got)
	}
}

// TestMove checks that an account, a finished match and a running one move from SQLite to PostgreSQL.
func TestMove(t *testing.T) {
	t.Parallel()
	url, data := newDatabase(t), t.TempDir()
	folder := func(c *server.Config) { c.Data = data }
	h := open(t, folder)
	key := sshtest.NewSigner(t)
	ann := h.connectAs(t, "ann", key)
	createAccount(ann)
	ann.WaitText("ann (you)")
	ann.Press("b", "1")
	place(ann)
	ann.WaitText("YOUR TURN")
	if _, err := runCLI(t.Context(), "move", "--to", url, "--data", data); !errors.Is(err, store.ErrInUse) {
		t.Errorf("while the server runs: %v", err)
	}
	ann.Type("B7")
	ann.Press("enter")
	ann.WaitText("You fired at B7")
	h.stop()
	if err := <-h.stopped; err != nil {
		t.Fatal(err)
	}
	h.stopped <- nil

	out, err := runCLI(t.Context(), "move", "--to", url, "--data", data, "--json")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var tables []move.Table
	if err := json.Unmarshal([]byte(out), &tables); err != nil {
		t.Fatal(err)
	}
	rows := map[string]int64{}
	for _, t := range tables {
		rows[t.Name] = t.Rows
	}
	if rows["players"] < 1 || rows["keys"] != 1 || rows["journal"] < 2 {
		t.Errorf("the tables have %v rows", rows)
	}
	if out, err := runCLI(t.Context(), "move", "--to", url, "--data", data); !errors.Is(err, move.ErrNotEmpty) {
		t.Errorf("once more: %v\n%s", err, out)
	}
	ann = open(t, func(c *server.Config) { c.Data, c.Store = data, url }).connectAs(t, "ann", key)
	ann.WaitText("Welcome back", "You fired at B7")
}
