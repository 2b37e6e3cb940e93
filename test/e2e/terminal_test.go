package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"broadside/internal/test/need"
)

// TestDebugVariables starts the program with variables that make programs of Bubble Tea
// write files, and plays a little.
func TestDebugVariables(t *testing.T) {
	binary, data, here := build(t), t.TempDir(), t.TempDir()
	trace := filepath.Join(here, "trace")
	t.Setenv("TEA_TRACE", trace)
	t.Setenv("TEA_DEBUG", "true")
	t.Chdir(here)
	_, h := launch(t, binary, data)
	p := h.come(t, "ann")
	p.Press("q")
	p.Wait()
	if files, err := filepath.Glob(filepath.Join(here, "*")); err != nil || len(files) > 0 {
		t.Errorf("files are written: %v, %v", files, err)
	}
}

// TestErrorsAskNothingOfTheTerminal checks that failing commands do not query the terminal.
// A query begins with an escape character.
func TestErrorsAskNothingOfTheTerminal(t *testing.T) {
	t.Parallel()
	script := need.Tool(t, "script")
	binary := build(t)
	for args, want := range map[string]string{
		"--drain soon":      "choose a duration from",
		"sevre":             "unknown command",
		"bot":               "accepts 1 arg",
		"hostkey --data .":  "no host keys yet",
		"config --exampel":  "unknown flag",
		"--ssh nowhere:0:0": "choose another address",
	} {
		c := exec.CommandContext(t.Context(), script, "-qec", binary+" "+args, "/dev/null")
		c.Env = append(os.Environ(), "TERM=xterm-256color")
		c.Dir = t.TempDir()
		out, err := c.CombinedOutput()
		text := string(out)
		if err == nil || !strings.Contains(text, "broadside: ") || !strings.Contains(text, want) || strings.Contains(text, "\x1b") || strings.Count(strings.TrimSpace(text), "\n") > 0 {
			t.Errorf("%s: %v, %q", args, err, text)
		}
	}
}
