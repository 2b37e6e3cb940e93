// Package need skips tests that this computer cannot run. If REQUIRE_TOOLS is set, they fail instead, so that
// automatic checks leave nothing out unnoticed.
package need

import (
	"os"
	"os/exec"
	"testing"
)

// Tool returns the path of a program that the test needs.
func Tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Skip(t, "%v", err)
	}
	return path
}

// Root skips a test that only root can run.
func Root(t testing.TB) {
	t.Helper()
	if os.Geteuid() != 0 {
		Skip(t, "only root can do this")
	}
}

// Skip skips a test because this computer lacks something, as the message says. If [IsStrict], the test fails.
func Skip(t testing.TB, format string, args ...any) {
	t.Helper()
	if IsStrict() {
		t.Fatalf("this test must run, but cannot: "+format, args...)
	}
	t.Skipf("this test cannot run here: "+format, args...)
}

// IsStrict reports whether tests that cannot run here fail instead of being skipped.
func IsStrict() bool { return os.Getenv("REQUIRE_TOOLS") != "" }
