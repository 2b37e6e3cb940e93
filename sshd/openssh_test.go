//go:build unix

package sshd_test

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"broadside/internal/test/need"
	"broadside/internal/test/sshtest"
)

// checkModes fails if the output leaves a terminal in another mode.
func checkModes(t *testing.T, out string) {
	t.Helper()
	if !strings.Contains(out, "\x1b[?1049h") {
		t.Errorf("no screen was shown: %q", out)
	}
	for mode, normal := range map[string]string{"1049": "l", "25": "h", "2004": "l", "1000": "l", "1002": "l", "1003": "l", "1006": "l", "2026": "l"} {
		set, reset := strings.LastIndex(out, "\x1b[?"+mode+"h"), strings.LastIndex(out, "\x1b[?"+mode+"l")
		if set != reset && (set > reset) != (normal == "h") {
			t.Errorf("mode %s was not reset: %q", mode, out)
		}
	}
}

func TestOpenSSH(t *testing.T) {
	t.Parallel()
	ssh := need.Tool(t, "ssh")
	h := startServer(t, nil)
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"host", "help"}, 0, "ssh HOST help"},
		{[]string{"-tt", "host", "help"}, 0, "ssh HOST help"},
		{[]string{"host", "nonsense"}, 2, "There is no command nonsense"},
		{[]string{"-T", "host"}, 4, "This is line mode."},
		{[]string{"-s", "host", "sftp"}, 255, "subsystem request failed"},
		// Without input, there is no screen.
		{[]string{"-tt", "host"}, 1, ""},
	} {
		out, err := newCommand(t, ssh, h.openSSHArgs(t, "guest", c.args...)...).CombinedOutput()
		if exitStatus(err) != c.status || !strings.Contains(string(out), c.says) {
			t.Errorf("%v: got %q, %v, want %q and status %d", c.args, out, err, c.says, c.status)
		}
	}
}

// TestOpenSSHShared checks that killed clients that share a connection end only their own sessions.
func TestOpenSSHShared(t *testing.T) {
	t.Parallel()
	ssh := need.Tool(t, "ssh")
	h := startServer(t, nil)
	// t.TempDir's path is too long for a socket.
	dir, err := os.MkdirTemp("", "ssh")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	socket := filepath.Join(dir, "s")
	if out, err := newCommand(t, ssh, h.openSSHArgs(t, "guest", "-M", "-N", "-f", "-S", socket, "-E", filepath.Join(dir, "log"), "host")...).CombinedOutput(); err != nil {
		t.Fatalf("connection is not shared: %v: %q", err, out)
	}
	defer newCommand(t, ssh, h.openSSHArgs(t, "guest", "-S", socket, "-O", "exit", "host")...).Run()

	for i, end := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGKILL} {
		c := newCommand(t, ssh, h.openSSHArgs(t, "guest", "-S", socket, "-tt", "host")...)
		keys, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		h.waitFor(t, "the session", func() bool { return len(h.users) == i+1 })
		// This key keeps the screen busy.
		if _, err := io.WriteString(keys, "N"); err != nil {
			t.Error(err)
		}
		frames := 0
		h.waitFor(t, "the session to be busy", func() bool {
			frames = cmp.Or(frames, h.frames+1)
			return h.frames > frames
		})
		if err := c.Process.Signal(end); err != nil {
			t.Fatal(err)
		}
		// The client was killed, so its status does not matter.
		_ = c.Wait()
		h.waitFor(t, fmt.Sprint("the screen to be closed after ", end), func() bool { return len(h.closedNames) == i+1 })
		h.waitLog(t, fmt.Sprintf("session=%d after=", i+1))
	}
	if log := h.log.String(); strings.Count(log, "ssh connect ") != 1 || strings.Count(log, "session ended") != 3 || strings.Contains(log, "ssh disconnect") {
		t.Errorf("want one connection with three sessions in the log:\n%s", log)
	}
	out, err := newCommand(t, ssh, h.openSSHArgs(t, "guest", "-S", socket, "host", "help")...).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "ssh HOST help") {
		t.Errorf("the connection does not continue: %v: %q", err, out)
	}
}

// TestOpenSSHTerminal checks that a session leaves a real terminal as it was.
func TestOpenSSHTerminal(t *testing.T) {
	t.Parallel()
	ssh, script := need.Tool(t, "ssh"), need.Tool(t, "script")
	h := startServer(t, nil)
	line := "stty -g; " + ssh
	for _, arg := range h.openSSHArgs(t, "guest", "-t", "host") {
		line += " '" + arg + "'"
	}
	c := newCommand(t, script, "-qec", line+"; echo status $?; stty -g", "/dev/null")
	out := runSSH(t, c, func(keys io.WriteCloser) { io.WriteString(keys, "q") })
	lines := strings.Fields(out)
	if before, after := lines[0], lines[len(lines)-1]; before != after || !strings.Contains(out, "status 0") {
		t.Errorf("terminal modes before = %s, after = %s; output %q", before, after, out)
	}
}

// runSSH runs a program that shows a screen and returns its output. Leave is called with its input when the
// screen is there.
func runSSH(t *testing.T, c *exec.Cmd, leave func(keys io.WriteCloser)) string {
	t.Helper()
	out := sshtest.NewOutput()
	c.Stdout = out
	keys, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	out.WaitText(t, "hello")
	leave(keys)
	// The status does not matter or is in the output.
	_ = c.Wait()
	checkModes(t, out.String())
	return out.String()
}
