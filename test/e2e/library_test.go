package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var libraryRow = regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\|")

// TestLibraryNeedsNoModules checks that a program in another module can import the packages in
// docs/library.md on a computer that has no other module and cannot download any.
func TestLibraryNeedsNoModules(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	var imports strings.Builder
	for _, row := range libraryRow.FindAllStringSubmatch(string(page), -1) {
		fmt.Fprintf(&imports, "\t_ %q\n", module+"/"+row[1])
	}
	if !strings.Contains(imports.String(), "/relay/client") {
		t.Fatalf("the page lists:\n%s", imports.String())
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	definition, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go .*$`).Find(definition)
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod":  fmt.Sprintf("module example.org/player\n\n%s\n\nrequire %s v0.0.0\n\nreplace %s => %s\n", version, module, module, root),
		"main.go": "package main\n\nimport (\n" + imports.String() + ")\n\nfunc main() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", os.DevNull, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=-mod=mod -modcacherw", "GOWORK=off", "GOPROXY=off", "GOSUMDB=off", "GOMODCACHE="+t.TempDir())
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("go build: %v\n%s", err, out)
	}
}

// TestClientImports checks that the Go client imports only package match and the standard library.
func TestClientImports(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t) {
		if shortPath(p.ImportPath) == "relay/client" && !slices.Equal(p.Imports, []string{module + "/match"}) {
			t.Errorf("relay/client imports %q", p.Imports)
		}
	}
}
