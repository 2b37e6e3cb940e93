package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"broadside/internal/cli"
	"broadside/internal/test/leaks"
	"broadside/internal/test/parallel"
)

// TestMain runs the tests, or the program if this binary is called broadside.
func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"broadside": func() { os.Exit(cli.Main()) }})
}

// tests are all tests, which leave no goroutines behind.
type tests struct{ m *testing.M }

// Run implements [testscript.TestingM].
func (t tests) Run() int {
	// Tests name documents and examples from the top.
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	program, err := exec.LookPath("broadside")
	if err != nil {
		panic(err)
	}
	for folder := filepath.Dir(program); folder != filepath.Clean(os.TempDir()) && folder != "/"; folder = filepath.Dir(folder) {
		// Some tests run the program as another user.
		if err := os.Chmod(folder, 0o755); err != nil {
			panic(err)
		}
	}
	parallel.AllowWaitingTests()
	status := t.m.Run()
	if status == 0 {
		if err := leaks.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	return status
}

// programPath returns the program's path.
func programPath(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("broadside")
	if err != nil {
		t.Fatal(err)
	}
	return path
}
