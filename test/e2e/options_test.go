package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"broadside/internal/test/sshtest"
)

// TestReload checks that SIGHUP applies options that may change while the server runs, and names the others.
func TestReload(t *testing.T) {
	binary, folder := programPath(t), t.TempDir()
	file := filepath.Join(folder, "b.toml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("log-level = 'info'\n")
	t.Setenv("BROADSIDE_CONFIG", file)
	t.Setenv("BROADSIDE_LOG_FORMAT", "logfmt")
	log := sshtest.NewOutput()
	cmd, h := startServerLogging(t, binary, folder, log)
	change := func(text, want string) {
		t.Helper()
		write(text)
		if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		log.WaitText(t, want)
	}
	change("log-level = 'info'\nrelay-fill = 5\n", "the new value of this option requires a restart\" option=relay-fill")
	change("guest-talk = false\n", "option=guest-talk old=true new=false")
	change("log-level = 'loud'\n", file+": log-level")
	change("log-level = 'debug'\ndrain = '9s'\n", "option=log-level old=info new=debug")
	h.enterLobby(t, "ann")
	log.WaitText(t, "ssh connect")
	change("log-level = 'error'\n", "old=debug new=error")
	// Changes are logged before they take effect.
	for deadline := time.Now().Add(patience); ; {
		before := strings.Count(log.String(), "ssh connect")
		sshtest.Dial(t, h.ssh, sshtest.Options{}).WaitText("Welcome aboard")
		if strings.Count(log.String(), "ssh connect") == before {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("logged although the level is error now:\n%s", log)
		}
	}
	cmd.Process.Signal(syscall.SIGTERM)
}
