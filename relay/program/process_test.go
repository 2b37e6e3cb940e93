//go:build linux

package program_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"broadside/relay/program"
)

// TestLast checks that a program gets the address, and that its last line of output is
// kept.
func TestLast(t *testing.T) {
	n := program.NewStarter()
	defer n.Close()
	p, err := n.Start(program.Command{
		Words: []string{"sh", "-c", `echo first >&2; printf '%s {host} {port} \033' "$BROADSIDE_RELAY" >&2; exit 3`}, Address: "[::1]:77",
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	if got, want := p.Last().Error(), "exit status 3: [::1]:77 ::1 77 \\x1b"; got != want {
		t.Errorf("it ended with %q, want %q", got, want)
	}
	if !p.HasEnded() {
		t.Error("it has not ended")
	}
	if _, err := n.Start(program.Command{Words: []string{"/no/such/program"}}); err == nil {
		t.Error("a program that there is not was started")
	}
}

// TestKill checks that a program's child processes end with it.
func TestKill(t *testing.T) {
	n := program.NewStarter()
	defer n.Close()
	file := t.TempDir() + "/child"
	p, err := n.Start(program.Command{Words: []string{"sh", "-c", fmt.Sprintf(`sleep 1000 & echo $! >%s.new; mv %[1]s.new %[1]s; wait`, file)}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	soon := time.Now().Add(time.Minute)
	var text []byte
	for len(text) == 0 {
		if text, _ = os.ReadFile(file); time.Now().After(soon) {
			t.Fatal("it has started no child")
		}
		time.Sleep(time.Millisecond)
	}
	child, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	p.Kill()
	for alive(child) {
		if time.Now().After(soon) {
			t.Fatal("its child is still there")
		}
		time.Sleep(time.Millisecond)
	}
}

// alive reports whether a process runs. A process that has ended but not been waited for is
// not alive.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}
