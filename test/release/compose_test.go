//go:build release

package release

import (
	"os/exec"
	"testing"

	"broadside/internal/test/need"
)

// TestBalancers checks the configurations of HAProxy. Names of nodes cannot be resolved here,
// which is only a warning.
func TestBalancers(t *testing.T) {
	for _, file := range []string{"../../deploy/haproxy.cfg", "../../deploy/compose/haproxy.cfg"} {
		run(t, exec.CommandContext(t.Context(), need.Tool(t, "haproxy"), "-c", "-q", "-f", file))
	}
}
