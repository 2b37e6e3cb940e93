package e2e

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestReleaseNotes checks that a release has only its own notes, with links that work outside the
// repository, and that a version without notes cannot be released.
func TestReleaseNotes(t *testing.T) {
	notes := func(version string) (string, error) {
		c := exec.CommandContext(t.Context(), "deploy/package/notes", version)
		c.Env = append(os.Environ(), "HOMEPAGE=https://forge.example.org/ann/broadside")
		out, err := c.Output()
		return string(out), err
	}
	text, err := notes("v0.1.0")
	if err != nil || !strings.Contains(text, "\n### Added\n") || strings.Contains(text, "## [") ||
		strings.Contains(text, "](docs/") ||
		!strings.Contains(text, "](https://forge.example.org/ann/broadside/blob/v0.1.0/docs/") {
		t.Errorf("%v:\n%s", err, text)
	}
	if text, err := notes("v9.9.9"); err == nil || text != "" {
		t.Errorf("there are notes of a version that does not exist:\n%s", text)
	}
}
