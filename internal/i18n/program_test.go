package i18n_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const here = "broadside/internal/i18n"

// source is a package of the program with its types.
type source struct {
	path  string
	files []*ast.File
	info  *types.Info
}

// loadProgram returns the packages of the program that contain texts, without their tests.
func loadProgram(t *testing.T) (*token.FileSet, []source) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export,Imports,Module", "./...")
	cmd.Dir = "../.."
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("list packages: %v", err)
	}
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles, Imports        []string
	}
	exports := map[string]string{}
	var users []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if p.ImportPath == here || slices.Contains(p.Imports, here) || strings.HasPrefix(p.ImportPath, "broadside/match") {
			users = append(users, p)
		}
	}
	fset := token.NewFileSet()
	known := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var all []source
	for _, p := range users {
		s := source{path: p.ImportPath, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}}
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			s.files = append(s.files, f)
		}
		cfg := types.Config{Importer: known}
		if _, err := cfg.Check(p.ImportPath, fset, s.files, s.info); err != nil {
			t.Fatalf("check types of %s: %v", p.ImportPath, err)
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		t.Fatal("no package has texts")
	}
	return fset, all
}

// isKey reports whether t is the type of keys, or of the sentences of problems, which are keys too.
func isKey(t types.Type) bool {
	return t != nil && (t.String() == here+".Key" || t.String() == "broadside/match.Sentence")
}

// call is a call with a constant key and the arguments of its text.
type call struct {
	at   token.Position
	key  string
	args []types.Type
	more bool // the arguments are a slice
}

// findKeys returns the constant keys of the program, the calls with a key and arguments, and
// the places where a key is not a constant.
func findKeys(fset *token.FileSet, all []source) (keys map[string]token.Position, calls []call, wrong []string) {
	keys = map[string]token.Position{}
	for _, s := range all {
		for _, f := range s.files {
			ast.Inspect(f, func(n ast.Node) bool {
				e, ok := n.(ast.Expr)
				if !ok {
					return true
				}
				of := s.info.Types[e]
				if isKey(of.Type) && of.Value != nil {
					keys[constant.StringVal(of.Value)] = fset.Position(e.Pos())
					return false // parts of a constant are not keys
				}
				c, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if isKey(s.info.Types[c.Fun].Type) && s.info.Types[c.Fun].IsType() && s.path != here && !isKey(s.info.Types[c.Args[0]].Type) {
					wrong = append(wrong, fmt.Sprintf("%v: only constants can be keys", fset.Position(c.Pos())))
				}
				sig, ok := s.info.Types[c.Fun].Type.(*types.Signature)
				if !ok || !sig.Variadic() || sig.Params().Len() < 2 || len(c.Args) < sig.Params().Len()-1 {
					return true
				}
				at := sig.Params().Len() - 2
				v := s.info.Types[c.Args[at]]
				if isKey(sig.Params().At(at).Type()) && v.Value != nil {
					of := call{at: fset.Position(c.Pos()), key: constant.StringVal(v.Value), more: c.Ellipsis.IsValid()}
					for _, a := range c.Args[at+1:] {
						of.args = append(of.args, s.info.Types[a].Type)
					}
					calls = append(calls, of)
				}
				return true
			})
		}
	}
	return keys, calls, wrong
}

// isLogCall reports whether a call writes to the log, or creates an error for it.
func isLogCall(c *ast.CallExpr) bool {
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	switch x := sel.X.(type) {
	case *ast.SelectorExpr:
		return strings.EqualFold(x.Sel.Name, "log")
	case *ast.Ident:
		return x.Name == "log" || x.Name == "fmt" && sel.Sel.Name == "Errorf" || x.Name == "errors" && sel.Sel.Name == "New"
	}
	return false
}

// listLiterals returns the strings of a package that look like English.
func listLiterals(fset *token.FileSet, s source) []string {
	var found []string
	for _, f := range s.files {
		name := filepath.Base(fset.Position(f.Pos()).Filename)
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.Field:
				return n.Tag == nil
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Use" { // how a command is written
					return false
				}
			case *ast.CallExpr:
				if isLogCall(n) {
					return false
				}
			case *ast.BasicLit:
				v := s.info.Types[n]
				_, named := types.Unalias(v.Type).(*types.Named) // a key, or a word of another kind
				if n.Kind == token.STRING && !named && english.MatchString(constant.StringVal(v.Value)) {
					found = append(found, fmt.Sprintf("%s/%s: %s", filepath.Base(s.path), name, n.Value))
				}
			}
			return true
		})
	}
	return found
}

// english matches strings that look like English: two words, or one with a capital.
var english = regexp.MustCompile(`[A-Za-z]{2,},? +[a-z]{2,}|\b[A-Z][a-z]{2,}`)
