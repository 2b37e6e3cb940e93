package sshtest

import (
	"os"
	"os/exec"
	"testing"
)

// NeedTool returns the path of a program that the test needs. Without the program, it
// skips the test, or fails it if BROADSIDE_REQUIRE_TOOLS is 1 in the environment.
func NeedTool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if os.Getenv("BROADSIDE_REQUIRE_TOOLS") == "1" {
		t.Fatalf("this test needs %s: %v", name, err)
	}
	t.Skipf("this test needs %s: %v", name, err)
	return ""
}
