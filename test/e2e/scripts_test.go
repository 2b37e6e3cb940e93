package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs the scripts in testdata/cli, which call the program and check its output.
func TestScripts(t *testing.T) {
	t.Parallel()
	path := filepath.Dir(build(t)) + string(os.PathListSeparator) + os.Getenv("PATH")
	testscript.Run(t, testscript.Params{
		Dir:   filepath.Join("test", "e2e", "testdata", "cli"),
		Setup: func(e *testscript.Env) error { e.Setenv("PATH", path); return nil },
	})
}
