package e2e

import (
	"bytes"
	"database/sql"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"broadside/internal/server"
	"broadside/internal/store"
	"broadside/internal/test/sshtest"
)

// TestReload sends SIGHUP to the program.
func TestReload(t *testing.T) {
	binary, folder := build(t), t.TempDir()
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
	cmd, h := launchLogging(t, binary, folder, log)
	change := func(text, want string) {
		t.Helper()
		write(text)
		if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		log.Wait(t, want)
	}
	change("log-level = 'info'\nrelay-fill = 5\n", "the new value of this option requires a restart\" option=relay-fill")
	change("guest-talk = false\n", "option=guest-talk old=true new=false")
	change("log-level = 'loud'\n", file+": log-level")
	change("log-level = 'debug'\ndrain = '9s'\n", "option=log-level old=info new=debug")
	h.come(t, "ann")
	log.Wait(t, "ssh connect")
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

func TestDoctor(t *testing.T) {
	t.Setenv("BROADSIDE_CONFIG", "")
	data := t.TempDir()
	if err := os.Chmod(data, 0o700); err != nil {
		t.Fatal(err)
	}
	examine := func(args ...string) (string, error) {
		return try(t.Context(), append([]string{"doctor", "--data", data, "--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0"}, args...)...)
	}
	says := func(out string, err error, fails bool, want ...string) {
		t.Helper()
		if (err != nil) != fails || strings.Contains(out, "FAIL") != fails {
			t.Errorf("error %v, and:\n%s", err, out)
		}
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("no %q in:\n%s", w, out)
			}
		}
	}
	out, err := examine()
	says(out, err, false, "warn  database       none", "warn  host keys      none")
	out, err = examine("--max-connections", "1000000", "--metrics-listen", "127.0.0.1:0")
	says(out, err, false, "ok    metrics port")
	if runtime.GOOS == "linux" {
		says(out, err, false, "warn  open files", "require 1008448", "lower these options")
	}
	t.Setenv("BROADSIDE_DRIAN", "5s")
	out, err = examine()
	says(out, err, false, "warn  environment    BROADSIDE_DRIAN is not an option")
	if strings.Contains(out, "BROADSIDE_CONFIG") {
		t.Errorf("the variable for the file is taken for a mistake:\n%s", out)
	}
	out, err = examine("--data", filepath.Join(data, "nowhere"))
	says(out, err, false, "does not exist", "the server creates it")
	if left, err := os.ReadDir(data); err != nil || len(left) != 0 {
		t.Errorf("the doctor leaves %v, %v", left, err)
	}
	if runtime.GOOS == "linux" { // even root cannot create folders there
		out, err = examine("--data", "/proc/nope/data")
		says(out, err, true, "FAIL  data folder    /proc/nope/data does not exist and cannot be created")
	}

	h := open(t, func(c *server.Config) { c.Data = data })
	h.come(t, "ann")
	out, err = examine("--ssh", h.ssh)
	says(out, err, false, "a Broadside server is running at "+h.ssh, "ok    host key", "ssh-ed25519 SHA256:", "ok    database       intact, schema ", "ok    data folder", " players 1,")
	h.stop()
	h.stopped <- <-h.stopped

	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		if nc, err := taken.Accept(); err == nil {
			nc.Close()
		}
	}()
	out, err = examine("--ssh", taken.Addr().String())
	taken.Close()
	says(out, err, true, "FAIL  SSH port", "choose another address with --ssh")

	key := filepath.Join(data, "ssh_host_ed25519_key")
	if err := os.Chmod(key, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err = examine()
	says(out, err, true, "chmod 600")
	if err := os.Chmod(key, 0o600); err != nil {
		t.Fatal(err)
	}

	admins := filepath.Join(data, "admin_keys")
	if err := os.WriteFile(admins, []byte("# nobody\nnot a key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err = examine()
	says(out, err, true, "line 2 is not a public key")
	if err := os.Remove(admins); err != nil {
		t.Fatal(err)
	}

	db, err := sql.Open("sqlite", filepath.Join(data, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	ended := time.Now().Add(time.Hour).UnixMicro()
	if _, err := db.Exec(`INSERT INTO matches (id, rules, started, took, ended, winner, reason, rated, details) VALUES ('m', 'classic', ?, 0, ?, 2, 'aborted', 0, '{}')`, ended, ended); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	out, err = examine()
	says(out, err, true, "FAIL  clock", "but the last match ended")

	info, err := os.Stat(filepath.Join(data, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(data, store.FileName), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(bytes.Repeat([]byte{0xff}, int(info.Size())-8192), 8192); err != nil {
		t.Fatal(err)
	}
	out, err = examine()
	says(out, err, true, "FAIL  database", "broadside restore")
}
