//go:build slow && linux

package e2e

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/need"
	"broadside/internal/test/servers"
	"broadside/internal/test/sshtest"
)

// mountSmallDisk returns a data folder on its own small file system, which can be full.
func mountSmallDisk(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("broadside", folder, "tmpfs", 0, "size=16m,mode=0700"); err != nil {
		need.Skip(t, "cannot mount a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// fillDisk writes until the disk is full, and returns a function that frees the space.
func fillDisk(t *testing.T, data string) (free func()) {
	t.Helper()
	file := filepath.Join(data, "filler")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 16; size > 0; size /= 2 {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
	}
	return func() {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

// startDiskServer starts the program on a data folder.
func startDiskServer(t *testing.T, program, data string, log *tail) (*servers.Server, *testServer) {
	t.Helper()
	s, err := servers.Start(t.Context(), program, data, log, nil, "--bot-pace", "1ms", "--drain", "1s")
	if err != nil {
		t.Fatalf("cannot start: %v\n%s", err, log)
	}
	// This fails if the server has ended.
	t.Cleanup(func() { s.Signal(os.Kill) })
	return s, &testServer{ssh: s.SSH, relay: s.Relay, data: data}
}

// fireAt fires at cells in order.
func fireAt(p *sshtest.Terminal, cells ...string) {
	for _, c := range cells {
		aim(p, c)
	}
	p.WaitText("YOUR TURN")
}

// checkFiredAt checks that a resumed match has shots at the given cells.
func checkFiredAt(p *sshtest.Terminal, cells ...string) {
	p.WaitText("Welcome back", "YOUR TURN")
	for _, cell := range cells {
		p.Type(cell)
		p.Press("enter")
		p.WaitFor("the shot at "+cell+" is known", func(s string) bool { return isShotRefused(s, cell) })
	}
}

// awaitMetric waits until a metric satisfies ok.
func awaitMetric(t *testing.T, s *servers.Server, name string, ok func(float64) bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		n, err := servers.ReadMetric(t.Context(), s.Metrics, name)
		if err == nil && ok(n) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is %v, %v", name, n, err)
		}
	}
}

// TestDiskIsFullDuringAMatch checks that a match pauses while the disk is full, continues when there is room, and
// loses no stored shot if the program is killed.
func TestDiskIsFullDuringAMatch(t *testing.T) {
	t.Parallel()
	program, data, log := programPath(t), mountSmallDisk(t), &tail{}
	server, h := startDiskServer(t, program, data, log)
	key := sshtest.NewSigner(t)
	ann := h.connectAs(t, "ann", key)
	createAccount(ann)
	ann.WaitText("ann (you)")
	ann.Press("b", "1")
	place(ann)
	before := []string{"A1", "C3", "E5"}
	fireAt(ann, before...)
	hit := func() {
		t.Helper()
		ann.Type("G7")
		ann.Press("enter")
		ann.WaitText("aused")
		awaitMetric(t, server, "broadside_journal_lag_seconds", func(n float64) bool { return n > 3 })
		if s := ann.Screen(); strings.Contains(s, "You fired at G7:") {
			t.Errorf("a shot is shown that is not stored:\n%s", s)
		}
	}

	free := fillDisk(t, data)
	hit()
	if n := strings.Count(log.String(), "cannot save the newest events of a match"); n != 1 {
		t.Errorf("the log says so %d times:\n%s", n, log)
	}
	if n := strings.Count(log.String(), "cannot write to the database"); n != 1 {
		t.Errorf("the log has %d lines about the database:\n%s", n, log)
	}
	server.Kill()
	free()
	server, h = startDiskServer(t, program, data, log)
	ann = h.connectAs(t, "ann", key)
	checkFiredAt(ann, before...)

	free = fillDisk(t, data)
	hit()
	free()
	ann.WaitText("YOUR TURN")
	awaitMetric(t, server, "broadside_journal_lag_seconds", func(n float64) bool { return n == 0 })
	server.Kill()
	server, h = startDiskServer(t, program, data, log)
	ann = h.connectAs(t, "ann", key)
	checkFiredAt(ann, append(before, "G7")...)

	// The end of a match on a full disk, and a kill.
	free = fillDisk(t, data)
	ann.Press("q", "y")
	awaitMetric(t, server, "broadside_journal_lag_seconds", func(n float64) bool { return n > 1 })
	server.Kill()
	free()
	server, h = startDiskServer(t, program, data, log)
	ann = h.connectAs(t, "ann", key)
	checkFiredAt(ann, append(before, "G7")...)
	ann.Press("q", "y")
	ann.WaitText("You resigned")
	server.Kill()
	h2, err := store.Check(t.Context(), data)
	if err != nil || h2.Matches != 1 || len(h2.Damage) > 0 {
		t.Errorf("in the end there is %+v, %v", h2, err)
	}
}

// refusedStart starts the program and returns its last output.
func refusedStart(t *testing.T, program, data string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, append([]string{"serve", "--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0", "--data", data}, args...)...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Fatalf("it ended with %v:\n%s", err, out)
	}
	return string(out)
}

// TestProgramRefusesABadDisk checks that the program does not start on an empty or damaged
// database, nor on a full or read-only disk, and that no data is lost once the problem is
// fixed.
func TestProgramRefusesABadDisk(t *testing.T) {
	t.Parallel()
	program, data, log := programPath(t), mountSmallDisk(t), &tail{}
	server, h := startDiskServer(t, program, data, log)
	h.enterLobby(t, "ann")
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(data, store.FileName)
	sound, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write := func(b []byte) {
		t.Helper()
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	torn := bytes.Clone(sound)
	copy(torn[6*4096:], bytes.Repeat([]byte{0x5a}, 2048)) // half of a page
	for says, content := range map[string][]byte{
		"the database is damaged: the file is empty": nil, "the database is damaged": torn,
	} {
		write(content)
		if out := refusedStart(t, program, data); !strings.Contains(out, says) || !strings.Contains(out, "broadside restore") {
			t.Errorf("it does not say %q:\n%s", says, out)
		}
		if b, err := os.ReadFile(file); err != nil || !bytes.Equal(b, content) {
			t.Errorf("the file has changed, %v", err)
		}
		if out, err := exec.CommandContext(t.Context(), program, "doctor", "--data", data).Output(); err == nil || !strings.Contains(string(out), "FAIL  database") {
			t.Errorf("the doctor says %v\n%s", err, out)
		}
	}
	write(sound)

	if err := syscall.Mount("", data, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, "mode=0700"); err != nil {
		t.Fatal(err)
	}
	if out := refusedStart(t, program, data); !strings.Contains(out, "cannot write to the database") {
		t.Errorf("on a read-only disk it says:\n%s", out)
	}
	if err := syscall.Mount("", data, "", syscall.MS_REMOUNT, "mode=0700"); err != nil {
		t.Fatal(err)
	}

	free := fillDisk(t, data)
	if out := refusedStart(t, program, data); !strings.Contains(out, "the disk with the database is full") {
		t.Errorf("on a full disk it says:\n%s", out)
	}
	free()
	server, _ = startDiskServer(t, program, data, log)
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	if h, err := store.Check(t.Context(), data); err != nil || h.Players != 1 || len(h.Damage) > 0 {
		t.Errorf("in the end there is %+v, %v", h, err)
	}
}

// TestDiskFailsDuringAMatch checks that, while the journal cannot be written, a match waits and
// shows nothing that a restart would undo.
func TestDiskFailsDuringAMatch(t *testing.T) {
	t.Parallel()
	image, data := filepath.Join(t.TempDir(), "image"), filepath.Join(t.TempDir(), "data")
	run := func(name string, args ...string) {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput(); err != nil {
			need.Skip(t, "%s: %v\n%s", name, err, out)
		}
	}
	if err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, 32<<20), os.Mkdir(data, 0o700)); err != nil {
		t.Fatal(err)
	}
	run("mkfs.ext4", "-q", image)
	run("mount", "-o", "loop", image, data)
	mounted := true
	t.Cleanup(func() {
		if mounted {
			syscall.Unmount(data, syscall.MNT_DETACH)
		}
	})
	if err := os.Chmod(data, 0o700); err != nil {
		t.Fatal(err)
	}
	program, log := programPath(t), &tail{}
	server, h := startDiskServer(t, program, data, log)
	key := sshtest.NewSigner(t)
	ann := h.connectAs(t, "ann", key)
	createAccount(ann)
	ann.WaitText("ann (you)")
	ann.Press("b", "1")
	place(ann)
	fireAt(ann, "A1", "C3", "E5")
	awaitMetric(t, server, "broadside_journal_lag_seconds", func(n float64) bool { return n == 0 })
	// A stored shot survives a kill, but reaches the disk only after a moment.
	run("sync", "-f", data)
	run("mount", "-o", "remount,abort", data)
	ann.Type("G7")
	ann.Press("enter")
	awaitMetric(t, server, "broadside_journal_lag_seconds", func(n float64) bool { return n > 2 })
	if s := ann.Screen(); strings.Contains(s, "You fired at G7:") {
		t.Errorf("a shot is shown that is not stored:\n%s", s)
	}
	server.Kill()
	run("umount", data)
	mounted = false
	// e2fsck exits with another status than 0 if it repairs something.
	exec.CommandContext(t.Context(), "e2fsck", "-fy", image).Run()
	run("mount", "-o", "loop", image, data)
	mounted = true
	server, h = startDiskServer(t, program, data, log)
	ann = h.connectAs(t, "ann", key)
	checkFiredAt(ann, "A1", "C3", "E5")
	server.Kill()
	run("umount", data)
	mounted = false
}
