// Package need ends tests that this machine cannot run. They are skipped, or they fail if
// REQUIRE_TOOLS is set, so that automatic checks leave nothing out unnoticed.
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

// Root ends a test that only root can run.
func Root(t testing.TB) {
	t.Helper()
	if os.Geteuid() != 0 {
		Skip(t, "only root can do this")
	}
}

// Skip ends a test because this machine lacks something, as the message says.
func Skip(t testing.TB, format string, args ...any) {
	t.Helper()
	if IsStrict() {
		t.Fatalf("this test must run, but cannot: "+format, args...)
	}
	t.Skipf("this test cannot run here: "+format, args...)
}

// IsStrict reports whether a test that cannot run fails.
func IsStrict() bool { return os.Getenv("REQUIRE_TOOLS") != "" }
