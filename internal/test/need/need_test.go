package need_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"broadside/internal/test/need"
)

// recorder is a test that records how it ended.
type recorder struct {
	testing.TB
	end string
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.end = "failed: " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Skipf(format string, args ...any) {
	r.end = "skipped: " + fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestTool(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	check := func(required, want string) {
		t.Helper()
		t.Setenv("REQUIRE_TOOLS", required)
		r := &recorder{TB: t, end: "passed"}
		var done sync.WaitGroup
		done.Go(func() { need.Tool(r, "some-tool") })
		done.Wait()
		if !strings.HasPrefix(r.end, want) {
			t.Errorf("with REQUIRE_TOOLS=%q the test %s, want %s", required, r.end, want)
		}
	}
	check("", `skipped: this test cannot run here: exec: "some-tool"`)
	check("1", `failed: this test must run, but cannot: exec: "some-tool"`)
	if err := os.WriteFile(filepath.Join(dir, "some-tool"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	check("1", "passed")
}
