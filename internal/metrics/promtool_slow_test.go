//go:build slow

package metrics_test

import (
	"os/exec"
	"strings"
	"testing"

	"broadside/internal/test/need"
)

// TestPromtool checks the whole page's format, the conventions for the server's own metrics, the
// alert rules and their tests.
func TestPromtool(t *testing.T) {
	program := need.Tool(t, "promtool")
	all := readPage(t)
	var own strings.Builder
	for line := range strings.Lines(all) {
		if strings.Contains(line, "broadside_") {
			own.WriteString(line)
		}
	}
	run := func(in string, args ...string) string {
		c := exec.CommandContext(t.Context(), program, args...)
		c.Dir, c.Stdin = "../../deploy/prometheus", strings.NewReader(in)
		out, err := c.CombinedOutput()
		if err != nil {
			return strings.Join(args, " ") + ": " + err.Error() + "\n" + string(out)
		}
		return ""
	}
	for _, failure := range []string{
		run(own.String(), "check", "metrics"),
		run("", "check", "rules", "alerts.yml"),
		run("", "test", "rules", "alerts_test.yml"),
	} {
		if failure != "" {
			t.Error(failure)
		}
	}
	// The library's names break some conventions.
	if out := run(all, "check", "metrics"); strings.Contains(out, "error while linting") {
		t.Error(out)
	}
}
