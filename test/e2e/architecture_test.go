package e2e

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "broadside"

// listedPackage is a package as described by go list, without its tests.
type listedPackage struct {
	ImportPath       string
	GoFiles, Imports []string
}

// shortPath returns the path below the module; "main" for the module itself.
func shortPath(path string) string {
	if path == module {
		return "main"
	}
	return strings.TrimPrefix(path, module+"/")
}

// listPackages lists the program's packages, without test support and examples.
func listPackages(t *testing.T) []listedPackage {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,GoFiles,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("listing packages: %v", err)
	}
	var all []listedPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listedPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		p.Imports = slices.DeleteFunc(p.Imports, func(path string) bool { return !strings.HasPrefix(path, module+"/") })
		if n := shortPath(p.ImportPath); len(p.GoFiles) > 0 && !strings.HasPrefix(n, "internal/test/") && !strings.HasPrefix(n, "examples") {
			all = append(all, p)
		}
	}
}

// forbidden lists imports that would break the design: no package in or below from may
// import a package in or below one of to.
var forbidden = []struct {
	from string
	to   []string
	// except lists allowed packages below to.
	except []string
	why    string
}{
	{"match", []string{"bots", "internal", "lobby", "relay", "sshd", "tui"}, []string{"internal/sanitize"}, "the game is pure: no clock, files, sockets, language"},
	{"bots", []string{"lobby", "internal/store", "sshd", "tui/screen"}, nil, "a strategy knows only the game"},
	{"lobby", []string{"lobby/session", "internal/election", "relay", "sshd", "tui"}, nil, "the lobby waits for no machine except its database"},
	{"internal/store", []string{"lobby", "relay", "sshd", "tui", "bots"}, nil, "the store does not decide"},
	{"lobby/session", []string{"relay", "sshd", "tui", "tui/term", "internal/election"}, nil, "a session does not depend on how it is displayed"},
	{"internal/election", []string{"relay", "sshd", "tui"}, nil, "the election does not depend on what a node serves"},
	{"tui", []string{"sshd", "relay", "internal/election"}, []string{"sshd/command"}, "a screen does not know how it is reached"},
	{"sshd", []string{"internal/election"}, nil, "connections are forwarded before they are served"},
	{"internal/web", []string{"internal/election", "sshd", "relay"}, nil, "frontends do not use each other"},
	{"relay", []string{"sshd", "tui", "internal/election"}, nil, "frontends do not use each other"},
}

func isBelow(path string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return path == f || strings.HasPrefix(path, f+"/") })
}

// TestImports checks that the design's forbidden imports do not occur, and that the packages
// it names exist.
func TestImports(t *testing.T) {
	t.Parallel()
	all := listPackages(t)
	for _, rule := range forbidden {
		for _, folder := range append([]string{rule.from}, rule.to...) {
			if !slices.ContainsFunc(all, func(p listedPackage) bool { return isBelow(shortPath(p.ImportPath), []string{folder}) }) {
				t.Errorf("the rule for %s names %s, which has no package", rule.from, folder)
			}
		}
	}
	for _, p := range all {
		from := shortPath(p.ImportPath)
		for _, rule := range forbidden {
			if !isBelow(from, []string{rule.from}) {
				continue
			}
			for _, path := range p.Imports {
				if to := shortPath(path); isBelow(to, rule.to) && !isBelow(to, rule.except) {
					t.Errorf("%s imports %s: %s", from, to, rule.why)
				}
			}
		}
	}
}

// TestServerWithoutArena checks that the server does not depend on the arena, not even indirectly.
func TestServerWithoutArena(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "./internal/server").Output()
	if err != nil {
		t.Fatalf("listing packages: %v", err)
	}
	for path := range strings.Lines(string(out)) {
		if path := strings.TrimSpace(path); isBelow(shortPath(path), []string{"bots/arena"}) {
			t.Errorf("internal/server depends on %s", path)
		}
	}
}
