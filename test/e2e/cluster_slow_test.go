//go:build slow && unix

package e2e

import (
	"context"
	"encoding/json"
	"io"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/servers"
)

// startService starts a service's nodes as processes, with their own database. They are
// killed at the end of the test.
func startService(t *testing.T, cfg nodesConfig) *service {
	t.Helper()
	return startServiceAt(t, newDatabase(t), cfg)
}

// startServiceAt is like fleetOf, with a database.
func startServiceAt(t *testing.T, url string, cfg nodesConfig) *service {
	t.Helper()
	cfg.Store, cfg.Program, cfg.Folder = url, programPath(t), t.TempDir()
	cfg.Args = append([]string{"--log-level", "info", "--bot-pace", "0s", "--relay-hello", "50ms", "--drain", "2s"}, cfg.Args...)
	cfg.Log = func(int) io.Writer { return testLog{t} }
	f, err := newService(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	if err := f.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return f
}

// newTestServer returns a node as a running server.
func newTestServer(n *servers.Server) *testServer {
	return &testServer{ssh: n.SSH, relay: n.Relay, data: n.Data}
}

// listNodes returns what the nodes have reported.
func listNodes(t *testing.T, url string) (all []store.Node) {
	t.Helper()
	text, err := runCLI(t.Context(), "nodes", "--json", "--store", url)
	if err == nil {
		err = json.Unmarshal([]byte(text), &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// activeNode waits until a node is active, and returns it.
func activeNode(t *testing.T, f *service) (n *servers.Server) {
	t.Helper()
	waitUntil(t, "a node is active", func() bool { n = f.Active(t.Context()); return n != nil })
	return n
}

// measureHeap returns the bytes of a node's heap and stacks, and its CPU time.
func measureHeap(t *testing.T, n *servers.Server) (bytes float64, used time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := servers.CollectGarbage(ctx, n.Metrics); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go_memstats_heap_alloc_bytes", "go_memstats_stack_inuse_bytes"} {
		b, err := servers.ReadMetric(ctx, n.Metrics, name)
		if err != nil {
			t.Fatal(err)
		}
		bytes += b
	}
	return bytes, servers.MeasureProcess(n.PID()).Time
}
