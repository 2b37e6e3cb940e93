//go:build slow && unix

package e2e

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/servers"
	"broadside/internal/test/sshtest"
	"broadside/sshd"
)

// fleetOf starts the nodes of a service as processes, with their own database. They are
// killed at the end of the test.
func fleetOf(t *testing.T, cfg servers.Config) *servers.Service {
	t.Helper()
	return fleetAt(t, database(t), cfg)
}

// fleetAt is like fleetOf, with a database.
func fleetAt(t *testing.T, url string, cfg servers.Config) *servers.Service {
	t.Helper()
	cfg.Store, cfg.Program, cfg.Folder = url, build(t), t.TempDir()
	cfg.Args = append([]string{"--log-level", "info", "--bot-pace", "0s", "--relay-hello", "50ms", "--drain", "2s"}, cfg.Args...)
	cfg.Log = func(int) io.Writer { return testLog{t} }
	f, err := servers.NewService(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	if err := f.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return f
}

// serverOf returns a node as a running server.
func serverOf(n *servers.Server) *testServer {
	return &testServer{ssh: n.SSH, relay: n.Relay, data: n.Data}
}

// report returns what the nodes have reported.
func report(t *testing.T, url string) (all []store.Node) {
	t.Helper()
	text, err := try(t.Context(), "nodes", "--json", "--store", url)
	if err == nil {
		err = json.Unmarshal([]byte(text), &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// activeFirst returns the nodes, the active one first.
func activeFirst(t *testing.T, f *servers.Service) []*servers.Server {
	t.Helper()
	active := -1
	until(t, "for the active node to be known", func() bool {
		for _, n := range report(t, f.Store) {
			if i := slices.IndexFunc(f.Nodes, func(m *servers.Server) bool { return m.Name == n.Name }); n.Active && i >= 0 {
				active = i
			}
		}
		return active >= 0
	})
	all := slices.Clone(f.Nodes)
	all[0], all[active] = all[active], all[0]
	return all
}

// newHostKeys returns a folder with new host keys.
func newHostKeys(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if _, err := sshd.OpenHostKeys(folder, false); err != nil {
		t.Fatal(err)
	}
	return folder
}

// aimAgain fires at a cell, repeatedly while the active node changes.
func aimAgain(t *testing.T, p *sshtest.Terminal, cell string) {
	t.Helper()
	p.Type(cell)
	for deadline := time.Now().Add(patience); !strings.Contains(p.Screen(), "You fired at "+cell+":"); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s cannot be fired at:\n%s", cell, p.Screen())
		}
		p.Press("enter")
	}
}

// operatorAt makes a player an operator of a node.
func operatorAt(t *testing.T, n *servers.Server) asker {
	t.Helper()
	op := newAsker(t, serverOf(n), "op")
	public, err := os.ReadFile(op.args[slices.Index(op.args, "-i")+1] + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(n.Data, "admin_keys"), public, 0o600); err != nil {
		t.Fatal(err)
	}
	return op
}

// heap returns the bytes of a node's heap and stacks, and its CPU time.
func heap(t *testing.T, n *servers.Server) (bytes float64, used time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := servers.Collect(ctx, n.Metrics); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go_memstats_heap_alloc_bytes", "go_memstats_stack_inuse_bytes"} {
		b, err := servers.Number(ctx, n.Metrics, name)
		if err != nil {
			t.Fatal(err)
		}
		bytes += b
	}
	return bytes, servers.Measure(n.PID()).Time
}
