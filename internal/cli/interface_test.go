package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"broadside/internal/server"
	"broadside/internal/store"
	"broadside/internal/test/must"
)

// runCommand runs a command and returns its output.
func runCommand(t *testing.T, args ...string) string {
	t.Helper()
	c := NewCommand()
	var out bytes.Buffer
	c.SetOut(&out)
	c.SetErr(io.Discard)
	c.SetArgs(args)
	if err := c.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return out.String()
}

// TestJSON checks the names in the JSON of all commands for operators.
func TestJSON(t *testing.T) {
	data := t.TempDir()
	db, err := store.Open(t.Context(), store.Config{Folder: data})
	if err != nil {
		t.Fatal(err)
	}
	cfg := server.Config{Data: data}
	if _, err := cfg.OpenHostKeys(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "copy.db")
	for _, c := range []struct {
		args []string
		list bool
		want string // names, separated by spaces
	}{
		{[]string{"config"}, true, "name value source live"},
		{[]string{"doctor"}, true, "result check found"},
		{[]string{"hostkey"}, true, "type fingerprint key"},
		{[]string{"backup", file}, false, "file bytes schema players matches"},
		{[]string{"restore", file}, false, "file data"},
	} {
		text := runCommand(t, append(c.args, "--json", "--data", data, "--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0")...)
		var all []map[string]any
		if !c.list {
			text = "[" + text + "]"
		}
		if err := json.Unmarshal([]byte(text), &all); err != nil || len(all) == 0 {
			t.Errorf("%s: %v\n%s", c.args[0], err, text)
			continue
		}
		if c.args[0] == "doctor" && !strings.Contains(text, `"intact, schema `) {
			t.Errorf("the new database is not intact:\n%s", text)
		}
		for _, name := range strings.Fields(c.want) {
			if _, ok := all[0][name]; !ok {
				t.Errorf("%s: there is no %q in\n%s", c.args[0], name, text)
			}
		}
	}
}

// TestHelpIsGrouped checks that the help of commands with the server's options has the groups
// of the table, each with its options.
func TestHelpIsGrouped(t *testing.T) {
	var cfg server.Config
	for _, command := range []string{"serve", "doctor", "config"} {
		help := runCommand(t, command, "--help")
		for _, g := range cfg.OptionTable() {
			if g.Title == "" {
				continue
			}
			_, group, ok := strings.Cut(help, "\n"+g.Title+":\n")
			group, _, _ = strings.Cut(group, "\n\n")
			for _, o := range g.Options {
				if !ok || !strings.Contains(group, "--"+o.Name+" ") {
					t.Errorf("%s: the group %q lacks %s", command, g.Title, o.Name)
				}
			}
		}
	}
	if root := runCommand(t, "--help"); strings.Contains(root, "--max-connections") || !strings.Contains(root, "\n  doctor ") {
		t.Errorf("the help of the program lists the server's options, or no commands:\n%s", root)
	}
	for command, used := range map[string][]string{
		"backup": {"data"}, "restore": {"data"}, "move": {"data"}, "nodes": {"store"}, "healthcheck": {"metrics-listen"},
		"hostkey": {"data", "store", "host-keys"},
	} {
		help := runCommand(t, command, "--help")
		if command == "backup" && !strings.Contains(help, "\n\nExamples:\n  broadside backup ") {
			t.Errorf("the help has no example:\n%s", help)
		}
		for _, g := range cfg.OptionTable() {
			for _, o := range g.Options {
				if listed := strings.Contains(help, "\n      --"+o.Name+" "); listed != slices.Contains(used, o.Name) {
					t.Errorf("help of %s: lists --%s: %v", command, o.Name, listed)
				}
			}
		}
	}
}

// TestDocumentedOptions checks that the options which the guides of programs, bots and the arena name
// exist.
func TestDocumentedOptions(t *testing.T) {
	exist := map[string]bool{}
	var list func(c *cobra.Command)
	list = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { exist[f.Name] = true })
		for _, sub := range c.Commands() {
			list(sub)
		}
	}
	for _, name := range []string{"connect", "bot", "check-client", "arena"} {
		c, _, err := NewCommand().Find([]string{name})
		must.Do(err)
		list(c)
	}
	named := regexp.MustCompile("`--([a-z][a-z-]+)")
	for _, page := range []string{"programs", "bots", "arena"} {
		for _, m := range named.FindAllStringSubmatch(string(must.Get(os.ReadFile("../../docs/"+page+".md"))), -1) {
			if !exist[m[1]] {
				t.Errorf("docs/%s.md names --%s, which is no option", page, m[1])
			}
		}
	}
}

// TestCompletion asks for completions as shells do.
func TestCompletion(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"serve --log-format", "logfmt"}, {"serve --relay-fill-bot", "prolog"},
		{"bot", "admiral"}, {"bot easy --rules", "salvo"}, {"arena duel", "hard"}, {"arena solo --mover", "forced"},
		{"arena watch --placement", "uniform"}, {"sequence", "random\nordered\npattern\nactions\n"},
		{"connect localhost --vs", "bot admiral"}, {"connect localhost --rules", "naval"}, {"connect localhost --games", "forever"},
		{"bot easy --vs", "bot hard"}, {"check-client --rules", "hasbro"}, {"serve --log-level", "debug"},
	} {
		args := append([]string{"__complete"}, strings.Fields(c.line)...)
		if out := runCommand(t, append(args, "")...); !strings.Contains("\n"+out, "\n"+c.want) {
			t.Errorf("%s is not completed by %s:\n%s", c.line, c.want, out)
		}
	}
}
