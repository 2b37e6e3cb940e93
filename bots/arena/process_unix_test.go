//go:build unix

package arena

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"broadside/internal/test/testprogram"
)

func isAlive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		// This system has no such files.
		return true
	}
	_, after, _ := strings.Cut(string(state), ") ")
	// A zombie has ended, but no one has waited for it.
	return !strings.HasPrefix(after, "Z")
}

// readPIDs waits until a file lists n processes, and returns them.
func readPIDs(t *testing.T, file string, count int) []int {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		data, err := os.ReadFile(file)
		fields := strings.Fields(string(data))
		if err == nil && len(fields) >= count && strings.HasSuffix(string(data), "\n") {
			var all []int
			for _, f := range fields {
				pid, err := strconv.Atoi(f)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, pid)
			}
			return all
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d processes have started, want %d", len(fields), count)
		}
	}
}

// expectEnded waits until processes have ended.
func expectEnded(t *testing.T, all []int) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for _, pid := range all {
		for isAlive(pid) {
			if time.Now().After(deadline) {
				t.Fatalf("process %d is still there", pid)
			}
			time.Sleep(time.Millisecond)
		}
	}
}

// TestNoProcessOutlivesArena ends tournaments in every possible way and checks that no process and
// no child is left.
func TestNoProcessOutlivesArena(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"none", "hang", "mute", "crash"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "pids")
			cfg := Config{
				Format: Duel, Players: []string{"it", "easy"}, Games: 2, Concurrency: 2, ConnectTimeout: patience, MoveTimeout: patience,
				Externals: map[string]External{"it": {Command: testProgramCommand(t, behaviour, testprogram.PIDFileEnv(file))}},
			}
			// These programs end only at the timeout.
			if behaviour == "hang" || behaviour == "mute" {
				cfg.MoveTimeout = 2 * time.Second
			}
			if _, err := Run(t.Context(), cfg); err != nil && !strings.Contains(err.Error(), "does not play") {
				t.Fatal(err)
			}
			expectEnded(t, readPIDs(t, file, 2))
		})
	}
	t.Run("interrupted", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "pids")
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan *Report, 1)
		go func() {
			r, err := Run(ctx, Config{
				Format: Duel, Players: []string{"it", "easy"}, Games: 2, Concurrency: 2, ConnectTimeout: patience, MoveTimeout: time.Hour,
				Externals: map[string]External{"it": {Command: testProgramCommand(t, "hang", testprogram.PIDFileEnv(file))}},
			})
			if err != nil {
				t.Error(err)
			}
			ended <- r
		}()
		all := readPIDs(t, file, 2)
		cancel()
		if r := <-ended; r != nil && (!r.Interrupted || r.Pairings[0].Forfeits.A > 0) {
			t.Errorf("got pairing %+v", r.Pairings[0])
		}
		expectEnded(t, all)
	})
	t.Run("killed", func(t *testing.T) {
		t.Parallel()
		if runtime.GOOS != "linux" {
			t.Skip("only Linux ends a program with the arena that is killed")
		}
		file := filepath.Join(t.TempDir(), "pids")
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), asArena+"="+filepath.Join(t.TempDir(), "new"), testprogram.PIDFileEnv(file), withProgram+"="+testProgramCommand(t, "hang"))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all := readPIDs(t, file, 2)
		// Kill the processes that the program has started.
		defer syscall.Kill(all[1], syscall.SIGKILL)
		cmd.Process.Kill()
		cmd.Wait()
		expectEnded(t, all[:1])
	})
}
