//go:build slow

package metrics_test

import (
	"os/exec"
	"strings"
	"testing"

	"broadside/internal/test/need"
)

// TestPromtool checks the conventions for names, the alert rules and their tests.
func TestPromtool(t *testing.T) {
	program := need.Tool(t, "promtool")
	for _, args := range [][]string{{"check", "metrics"}, {"check", "rules", "alerts.yml"}, {"test", "rules", "alerts_test.yml"}} {
		c := exec.CommandContext(t.Context(), program, args...)
		c.Dir, c.Stdin = "../../deploy/prometheus", strings.NewReader(page(t))
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}
