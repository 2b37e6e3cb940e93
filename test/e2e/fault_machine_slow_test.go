//go:build slow && linux

package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"broadside/internal/test/need"
)

// buildWithClock builds the program with a wall clock that jumps by some seconds after some
// seconds, as BROADSIDE_JUMPS says. The monotonic clock is not affected, as when a
// machine's clock is set.
func buildWithClock(t *testing.T) string {
	t.Helper()
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src", "time")
	now, err := os.ReadFile(filepath.Join(source, "time.go"))
	if err != nil {
		t.Fatal(err)
	}
	const look = "	sec, nsec, mono := runtimeNow()\n	if mono == 0 {\n"
	if !bytes.Contains(now, []byte(look)) {
		need.Skip(t, "this Go reads the clock in another way")
	}
	now = bytes.Replace(now, []byte(look), []byte("	sec, nsec, mono := runtimeNow()\n	sec += jumped(mono - startNano)\n	if mono == 0 {\n"), 1)
	folder := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for name, text := range map[string][]byte{"time.go": now, "jumped.go": []byte(clockJump)} {
		mine := filepath.Join(folder, name)
		if err := os.WriteFile(mine, text, 0o600); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(source, name)] = mine
	}
	b, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file, binary := filepath.Join(folder, "overlay.json"), filepath.Join(folder, "broadside")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-overlay", file, "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	return binary
}

const clockJump = `package time

import "syscall"

type jump struct{ after, by int64 } // seconds

var jumps = readJumps()

func readJumps() (all []jump) {
	text, _ := syscall.Getenv("BROADSIDE_JUMPS")
	var j jump
	n, sign, second := int64(0), int64(1), false
	for i := 0; i <= len(text); i++ {
		switch {
		case i == len(text) || text[i] == ',':
			if j.by = n * sign; second {
				all = append(all, j)
			}
			n, sign, second = 0, 1, false
		case text[i] == ':':
			j.after, n, second = n, 0, true
		case text[i] == '-':
			sign = -1
		default:
			n = n*10 + int64(text[i]-'0')
		}
	}
	return all
}

func jumped(mono int64) (by int64) {
	for _, j := range jumps {
		if mono >= j.after*1e9 {
			by = j.by
		}
	}
	return by
}
`
