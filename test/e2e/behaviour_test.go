package e2e

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Frontends use the packages in behaviour for their values alone, and reach everything that
// changes or waits through sessions.
var (
	frontends = []string{"tui", "sshd", "relay", "internal/web"}
	behaviour = []string{"lobby", "match/live", "internal/store"}
)

// TestFrontendsUseSessions checks that frontends change and read the lobby only through
// sessions. They may use the value types of the packages below.
func TestFrontendsUseSessions(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./...").Output()
	if err != nil {
		t.Fatalf("listing packages: %v", err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[path] = file
	}
	fset := token.NewFileSet()
	read := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range listPackages(t) {
		if !isBelow(shortPath(p.ImportPath), frontends) {
			continue
		}
		var files []*ast.File
		for _, file := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(shortPath(p.ImportPath), file), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		info := types.Info{Uses: map[*ast.Ident]types.Object{}}
		conf := types.Config{Importer: read}
		if _, err := conf.Check(p.ImportPath, fset, files, &info); err != nil {
			t.Fatal(err)
		}
		for id, used := range info.Uses {
			f, ok := used.(*types.Func)
			if ok && f.Pkg() != nil && isBelow(shortPath(f.Pkg().Path()), behaviour) &&
				shortPath(f.Pkg().Path()) != "lobby/session" && hasBehaviour(f.Signature()) {
				t.Errorf("%s uses %s instead of a session", fset.Position(id.Pos()), f.FullName())
			}
		}
	}
}

// hasBehaviour reports whether a function or method changes something shared or waits, instead of
// working on values: it has a context, or a pointer to a struct with fields of its own package.
func hasBehaviour(s *types.Signature) bool {
	if s.Recv() != nil && hidesState(s.Recv().Type()) {
		return true
	}
	for v := range s.Params().Variables() {
		if hidesState(v.Type()) || types.TypeString(v.Type(), nil) == "context.Context" {
			return true
		}
	}
	return false
}

// hidesState reports whether t is a pointer to a struct with unexported fields.
func hidesState(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	s, ok := p.Elem().Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if !s.Field(i).Exported() {
			return true
		}
	}
	return false
}
