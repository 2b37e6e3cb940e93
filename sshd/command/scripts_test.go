package command_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/txtar"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/lobby"
	"broadside/sshd"
)

var update = flag.Bool("update", false, "write the scripts anew")

// TestScripts runs the command lines in testdata, each on a server that has just started. A line
//
//	X = user:de:tty> COMMAND < FILE
//
// is a command of a user with a key ("guest" has none), in German, at a terminal, with a file at the
// end of the script as input. Only the user and the command are required. The output follows, with
// errors after "! " and a status other than 0 in brackets. X stands for the output in later lines.
// "sleep TIME" sets the clock forward.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			script := txtar.Parse(text)
			before := string(script.Comment)
			synctest.Test(t, func(t *testing.T) {
				fill := openSampleStore
				switch filepath.Base(file) {
				case "correspondence.txt":
					fill = openCorrespondenceStore
				case "empty.txt":
					fill = openEmptyStore
				case "puzzle.txt":
					fill = openPuzzleStore
				case "ladder.txt":
					fill = openLadderStore
				}
				s := fill(t)
				defer s.Close()
				script.Comment = runScript(t, s, script)
			})
			switch after := string(script.Comment); {
			case before == after:
			case *update:
				if err := os.WriteFile(file, txtar.Format(script), 0o644); err != nil {
					t.Error(err)
				}
			default:
				t.Errorf("go test -update accepts this:\n%s", diff.Diff("want", []byte(before), "got", []byte(after)))
			}
		})
	}
}

var scriptLine = regexp.MustCompile(`^(?:([A-Z]+) = )?(\w+)(:de)?(:tty)?> (.*?)(?: < (\w+))?$`)

// runScript returns a script with the actual output of its commands.
func runScript(t *testing.T, s *store.Store, script *txtar.Archive) []byte {
	var got bytes.Buffer
	values := map[string]string{}
	for line := range strings.Lines(string(script.Comment)) {
		line = strings.TrimSuffix(line, "\n")
		if pause, ok := strings.CutPrefix(line, "sleep "); ok {
			d, err := time.ParseDuration(pause)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(d)
		}
		m := scriptLine.FindStringSubmatch(line)
		if m == nil {
			if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "sleep ") {
				fmt.Fprintln(&got, line)
			}
			continue
		}
		fmt.Fprintln(&got, line)
		user := sshd.User{Name: "ann", Fingerprint: "SHA256:" + m[2], Language: i18n.English, Terminal: m[4] != ""}
		switch m[2] {
		case "guest":
			user.Fingerprint = ""
		case "op":
			user = operator
		}
		if m[3] != "" {
			user.Language = i18n.MustParse("de")
		}
		command := m[5]
		for name, value := range values {
			command = strings.ReplaceAll(command, name, value)
		}
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s, Ladder: true})
		// Wait until tournaments have continued.
		synctest.Wait()
		status, out, errs := runWithConfig(newConfig(t, s, l), user, command, openInput(t, script, m[6]))
		l.Close()
		if strings.Contains(command, "--json") && status == 0 {
			checkJSON(t, command, out)
		}
		if m[1] != "" {
			values[m[1]] = strings.TrimSpace(out)
		}
		for name, value := range values {
			out, errs = strings.ReplaceAll(out, value, name), strings.ReplaceAll(errs, value, name)
		}
		got.WriteString(out)
		for e := range strings.Lines(errs) {
			fmt.Fprintln(&got, strings.TrimSpace("! "+e))
		}
		if status != 0 {
			fmt.Fprintf(&got, "[%d]\n", status)
		}
	}
	return got.Bytes()
}

// openInput returns a file of a script. Without a name, it returns empty input.
func openInput(t *testing.T, script *txtar.Archive, name string) io.ReadCloser {
	t.Helper()
	for _, f := range script.Files {
		if f.Name == name {
			return io.NopCloser(bytes.NewReader(f.Data))
		}
	}
	if name != "" {
		t.Fatalf("script has no file %s", name)
	}
	return nothing
}

// checkJSON checks that output is one JSON value or several.
func checkJSON(t *testing.T, command, out string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(out))
	for {
		var v any
		err := d.Decode(&v)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Errorf("%s: %v in\n%s", command, err, out)
			return
		}
	}
}
