//go:build unix

package control_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"broadside/internal/control"
	"broadside/internal/test/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// serve answers in a folder until stop is called.
func serve(t *testing.T, folder string, report func() control.Report) (stop func()) {
	t.Helper()
	l, err := control.Listen(folder)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- control.Serve(ctx, l, report, slog.New(slog.DiscardHandler)) }()
	return func() {
		t.Helper()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// TestAsk checks that a server's report about its nodes arrives, and that other users
// cannot request it.
func TestAsk(t *testing.T) {
	folder := t.TempDir()
	socket := filepath.Join(folder, "broadside.sock")
	if _, err := control.Ask(t.Context(), folder); !errors.Is(err, control.ErrNobody) || !strings.Contains(err.Error(), folder) {
		t.Errorf("without a server: %v", err)
	}
	own := control.Node{ID: "one", Name: "one", Status: control.Status{Version: "v1", Active: true, Matches: 5, HostKey: "a"}}
	others := []control.Node{
		{ID: "two", Name: "another", Status: control.Status{Version: "v2", Sessions: 7, HostKey: "b"}},
		{ID: "one", Name: "one", Status: control.Status{Version: "v0", Matches: 3}}, // as it was
	}
	stop := serve(t, folder, func() control.Report { return control.NewReport(4, own, others) })

	r, err := control.Ask(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Nodes) != 2 || r.Asked != "one" || r.Epoch != 4 || r.Matches != 5 || r.Nodes[0] != others[0] || r.Nodes[1] != own || r.SameHostKey() {
		t.Errorf("%+v", r)
	}
	if info, err := os.Stat(socket); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v", info, err)
	}
	if _, err := control.Listen(folder); !errors.Is(err, control.ErrRunning) {
		t.Errorf("a second server: %v", err)
	}
	stop()
	if files, err := os.ReadDir(folder); err != nil || len(files) > 0 {
		t.Errorf("there is left: %v, %v", files, err)
	}
}

// TestStaleSocket checks that the socket of a killed server is replaced, and that a socket
// of another server is not removed.
func TestStaleSocket(t *testing.T) {
	folder := t.TempDir()
	socket := filepath.Join(folder, "broadside.sock")
	stale, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	stale.(*net.UnixListener).SetUnlinkOnClose(false)
	stale.Close()
	if _, err := control.Ask(t.Context(), folder); !errors.Is(err, control.ErrNobody) {
		t.Errorf("nobody listens: %v", err)
	}
	first, err := control.Listen(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(socket); err != nil {
		t.Fatal(err)
	}
	stop := serve(t, folder, func() control.Report { return control.Report{Asked: "second"} })
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if r, err := control.Ask(t.Context(), folder); err != nil || r.Asked != "second" {
		t.Errorf("%+v, %v", r, err)
	}
	stop()
	if err := os.WriteFile(socket, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	stop = serve(t, folder, func() control.Report { return control.Report{} })
	stop()
}

func TestNoSocket(t *testing.T) {
	deep := filepath.Join(t.TempDir(), strings.Repeat("x", 100))
	if _, err := control.Listen(deep); !errors.Is(err, syscall.ENOENT) {
		t.Errorf("a folder that is not there: %v", err)
	}
	if err := os.Mkdir(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := control.Listen(deep); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("a long name: %v", err)
	}
	if files, err := os.ReadDir(deep); err != nil || len(files) > 0 {
		t.Errorf("there is left: %v, %v", files, err)
	}
}
