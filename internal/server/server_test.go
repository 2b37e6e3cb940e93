package server

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/lobby"
)

// TestLife checks what a single server reports about itself while it starts, serves and shuts down.
func TestLife(t *testing.T) {
	var cfg Config
	cfg.OptionTable()
	cfg.Data, cfg.SSH, cfg.Relay, cfg.NodeName = t.TempDir(), "127.0.0.1:0", "127.0.0.1:0", "one"
	s, err := New(t.Context(), cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.checkReady(t.Context()); err != nil {
		t.Errorf("not ready: %v", err)
	}
	n := s.describeNode("192.0.2.1")
	_, port, _ := strings.Cut(s.SSHAddr().String(), ":")
	if n.Name != "one" || n.World != DefaultWorld || !n.Active || n.Draining || n.Addresses["ssh"] != "192.0.2.1:"+port || s.WebAddr() != nil {
		t.Errorf("described as %+v", n)
	}
	if p := s.metricsSnapshot(); p.Nodes != 1 || !p.Connected || !p.Active {
		t.Errorf("measured as %+v", p)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error)
	go func() { ran <- s.Run(ctx) }()
	cancel()
	if err := <-ran; err != nil {
		t.Error(err)
	}
	if err := s.checkReady(t.Context()); !errors.Is(err, lobby.ErrClosing) {
		t.Errorf("after the end: %v", err)
	}
	if n := s.describeNode(""); !n.Draining || n.Addresses["ssh"] != s.SSHAddr().String() {
		t.Errorf("described as %+v", n)
	}
	if err := os.Remove(filepath.Join(cfg.Data, store.FileName)); err != nil {
		t.Fatal(err)
	}
	if err := CheckDatabase(cfg.Data); err == nil || !strings.Contains(err.Error(), "the database is missing") {
		t.Errorf("without the database: %v", err)
	}
	s.current, s.stopping = nil, false
	if err := s.checkReady(t.Context()); !errors.Is(err, errStandby) {
		t.Errorf("without a service: %v", err)
	}
}

// TestStandby checks which nodes can take over.
func TestStandby(t *testing.T) {
	for name, test := range map[string]struct {
		peers []store.Node
		want  bool
	}{
		"alone":              {nil, false},
		"another world":      {[]store.Node{{World: "north"}}, false},
		"a draining node":    {[]store.Node{{World: "main", Draining: true}}, false},
		"a node that stands": {[]store.Node{{World: "north"}, {World: "main"}}, true},
	} {
		r := registry{peers: test.peers, describeNode: func(string) store.Node { return store.Node{World: "main"} }}
		if got := r.hasStandby(); got != test.want {
			t.Errorf("%s: hasStandby() = %v, want %v", name, got, test.want)
		}
	}
}

func TestCheckNode(t *testing.T) {
	const url = "postgres://db/x"
	long := strings.Repeat("x", maxName)
	for _, test := range []struct{ node, world, store, want string }{
		{"", "", "", ""}, {"a", DefaultWorld, "", ""}, {long, "north", url, ""}, {"a_b.c-1", "1", url, ""},
		{long + "x", "", "", "--node-name"}, {"-a", "", "", "--node-name"}, {"a b", "", "", "--node-name"},
		{"", ".a", url, "--world"}, {"", "north", "", "several worlds share a PostgreSQL database"},
	} {
		cfg := Config{NodeName: test.node, World: test.world, Store: test.store}
		err := cfg.CheckNodeOptions()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

// TestWatchdog checks that the service manager hears from the server only after a check.
func TestWatchdog(t *testing.T) {
	t.Setenv("WATCHDOG_USEC", "2000000")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
		defer cancel()
		checks := 0
		notifyWatchdog(ctx, slog.New(slog.DiscardHandler), func() { checks++ })
		if checks != 3 {
			t.Errorf("%d checks in 3.5 s, want one a second", checks)
		}
	})
}
