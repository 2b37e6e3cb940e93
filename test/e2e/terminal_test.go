package e2e

import (
	"path/filepath"
	"testing"
)

// TestDebugVariables checks that the variables that make Bubble Tea programs write debug files have no effect.
func TestDebugVariables(t *testing.T) {
	binary, data, here := programPath(t), t.TempDir(), t.TempDir()
	trace := filepath.Join(here, "trace")
	t.Setenv("TEA_TRACE", trace)
	t.Setenv("TEA_DEBUG", "true")
	t.Chdir(here)
	_, h := startServer(t, binary, data)
	p := h.enterLobby(t, "ann")
	p.Press("q")
	p.Wait()
	if files, err := filepath.Glob(filepath.Join(here, "*")); err != nil || len(files) > 0 {
		t.Errorf("files are written: %v, %v", files, err)
	}
}
