package client_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestImportsOnlyMatchAndStandardLibrary checks that a program which uses the client needs no other module.
func TestImportsOnlyMatchAndStandardLibrary(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "main.go")
	const source = "package main\n\nimport _ \"broadside/relay/client\"\n\nfunc main() {}\n"
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	got, want := strings.Fields(string(out)), []string{"broadside/match", "broadside/relay/client", "command-line-arguments"}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("relay/client needs %q, want %q", got, want)
	}
}
