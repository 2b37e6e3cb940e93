package e2e

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"broadside/internal/test/leaks"
	"broadside/internal/test/parallel"
	"broadside/internal/test/servers"
)

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	if err := os.Chdir("../.."); err != nil { // documents and examples are named from the top
		panic(err)
	}
	parallel.WaitingTests()
	folder, err := os.MkdirTemp("", "broadside")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	if err := os.Chmod(folder, 0o755); err != nil { // for tests that run it as another user
		panic(err)
	}
	program = sync.OnceValues(func() (string, error) { return servers.Build(context.Background(), ".", folder) })
	status := m.Run()
	if status == 0 {
		if err := leaks.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	return status
}

// program builds the program once and returns its path.
var program func() (string, error)

// build returns the path of the program.
func build(t testing.TB) string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
