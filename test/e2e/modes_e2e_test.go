//go:build unix

package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"broadside/internal/server"
	"broadside/internal/store"
)

// TestUnsafeFilesAreRefused checks that the server does not start on files that other users
// can change, and that the doctor reports them.
func TestUnsafeFilesAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		mode fs.FileMode
		says string
	}{
		{"", 0o777, "other users can write to DATA (mode 0777): run chmod go-w DATA"},
		{"..", 0o777, "other users can write to ABOVE (mode 0777)"},
		{store.FileName, 0o666, "other users can write to DATA/broadside.db (mode 0666)"},
		{"ssh_host_ed25519_key", 0o666, "(mode 0666)"},
	} {
		t.Run("mode of "+c.name, func(t *testing.T) {
			above := filepath.Join(t.TempDir(), "above")
			data := filepath.Join(above, "data")
			if err := os.Mkdir(above, 0o700); err != nil {
				t.Fatal(err)
			}
			cfg := server.Config{SSH: "127.0.0.1:0", Relay: "127.0.0.1:0", Data: data, LogLevel: "error", LogFormat: "text", Audit: "flag", Drain: time.Millisecond}
			h := open(t, func(c *server.Config) { c.Data = data })
			h.close(t)
			if err := os.Chmod(filepath.Join(data, c.name), c.mode); err != nil {
				t.Fatal(err)
			}
			says := strings.NewReplacer("DATA", data, "ABOVE", above).Replace(c.says)
			_, err := newServer(t.Context(), cfg, testLog{t})
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("the server says %v, not %q", err, says)
			}
			out, err := try(t.Context(), "doctor", "--data", data, "--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0")
			if err == nil || !strings.Contains(out, "FAIL") || !strings.Contains(out, says) {
				t.Errorf("the doctor says nothing of %q:\n%s", says, out)
			}
		})
	}
}

// TestUnsafeOperatorsFile checks that a file that other users can change is not used for
// operators.
func TestUnsafeOperatorsFile(t *testing.T) {
	t.Parallel()
	h, op := operated(t)
	file := filepath.Join(h.data, "admin_keys")
	doctor := func() string {
		out, _ := try(t.Context(), "doctor", "--data", h.data, "--ssh", h.ssh, "--relay", "127.0.0.1:0")
		return out
	}
	op.must("list")
	for _, mode := range []fs.FileMode{0o666, 0o620} {
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if status, _, errs := op.ask("list"); status != 2 || !strings.Contains(errs, "There is no command list here.") {
			t.Errorf("mode %04o: status %d: %s", mode, status, errs)
		}
		if out := doctor(); !strings.Contains(out, "FAIL  operators      other users can write to "+file) {
			t.Errorf("mode %04o: the doctor says\n%s", mode, out)
		}
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	op.must("list")
	if out := doctor(); !strings.Contains(out, "ok    operators      keys in "+file) {
		t.Errorf("the doctor says\n%s", out)
	}
}

// TestUnsafeConfiguration checks that a configuration file that other users can change is refused, because
// it names the operators' keys.
func TestUnsafeConfiguration(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "etc")
	file := filepath.Join(folder, "broadside.toml")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("max-matches = 5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		mode fs.FileMode
		says string
	}{
		{file, 0o644, ""},
		{file, 0o646, "the configuration is not safe: other users can write to " + file + " (mode 0646): run chmod go-w " + file},
		{file, 0o600, ""},
		{folder, 0o777, "other users can write to " + folder},
		{folder, 0o755, ""},
	} {
		if err := os.Chmod(c.name, c.mode); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"config", "serve", "doctor", "backup"} {
			args := []string{command, "--config", file}
			switch {
			case command == "backup":
				args = append(args, filepath.Join(folder, "copy"))
			case command == "serve" && c.says == "":
				continue
			}
			out, err := try(t.Context(), args...)
			if refused := err != nil && strings.Contains(out+err.Error(), "not safe"); refused != (c.says != "") || refused && !strings.Contains(out+err.Error(), c.says) {
				t.Errorf("%s with the mode %04o of %s: %v\n%s", command, c.mode, c.name, err, out)
			}
		}
	}
}
