//go:build linux

package program_test

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"broadside/match"
	"broadside/relay/program"
)

// TestProgramEndsWithoutConnecting checks that a program gets the address, and that its last line of
// standard error is shown.
func TestProgramEndsWithoutConnecting(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	p := program.New(program.Config{
		Words:    []string{"sh", "-c", `echo first >&2; printf '%s {addr} {host}:{port} \033' "$BROADSIDE_RELAY" >&2; exit 3`},
		Listener: l.(*net.TCPListener), Connect: patience,
	})
	defer p.Close()
	f := p.Fail(p.StartGame(t.Context()))
	want := fmt.Sprintf(`start: the program ended without connecting: exit status 3: %[1]v %[1]v %[1]v \x1b`, l.Addr())
	if f.Error() != want || f.Reason != match.Hangup {
		t.Errorf("got %v (%v), want %s", f, f.Reason, want)
	}
}

// TestChildrenEnd checks that a program's child processes end with it, whether it is stopped or
// ends by itself.
func TestChildrenEnd(t *testing.T) {
	t.Parallel()
	for name, last := range map[string]string{"stopped": "wait", "ended": "exit 3"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newScript(t, `sleep 1000 >/dev/null & echo $!; `+last)
			startGame(t, p)
			line, err := p.ReadLine(patience)
			if err != nil {
				t.Fatal(err)
			}
			child, err := strconv.Atoi(line)
			if err != nil {
				t.Fatal(err)
			}
			if name == "stopped" {
				if !isAlive(child) {
					t.Error("the child has ended before the program was stopped")
				}
				p.Stop()
			}
			for end := time.Now().Add(patience); isAlive(child); time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("the child is still running")
				}
			}
		})
	}
}

// isAlive reports whether a process runs. A process that has ended but not been waited for is
// not alive.
func isAlive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}
