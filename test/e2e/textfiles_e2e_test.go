//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"broadside/internal/test/textfile"
	"broadside/match"
)

const layoutText = "# Flottenaufstellung für Übungen\nAircraft Carrier: A1-A5\nbattleship C1 horizontal\ncruiser E1 E3\nsubmarine G1 G3\nZerstörer I1 I2\n"

// eachEncoding runs a test with each encoding and line ending. The given function returns a text
// in them.
func eachEncoding(t *testing.T, test func(t *testing.T, encode func(text string) string)) {
	for name := range textfile.Encodings("") {
		for ending, newline := range map[string]string{"LF": "\n", "CR LF": "\r\n", "CR": "\r"} {
			t.Run(name+", "+ending, func(t *testing.T) {
				test(t, func(text string) string {
					return textfile.Encodings(strings.ReplaceAll(text, "\n", newline))[name]
				})
			})
		}
	}
}

// TestTextFiles checks that commands without a server read text files in all encodings.
func TestTextFiles(t *testing.T) {
	t.Parallel()
	var cells strings.Builder
	for cell := range match.Classic().Board().All() {
		cells.WriteString(string('0'+rune(cell.X)) + string('A'+rune(cell.Y)) + "\n")
	}
	fleet := strings.ReplaceAll(strings.Trim(layoutText[strings.Index(layoutText, "\n"):], "\n"), "\n", "; ") + "\n"
	eachEncoding(t, func(t *testing.T, encode func(string) string) {
		dir := t.TempDir()
		write := func(name, text string) string { return writeText(t, dir, name, encode(text)) }
		works := func(want string, args ...string) {
			t.Helper()
			if out, err := try(t.Context(), args...); err != nil || !strings.Contains(out, want) {
				t.Errorf("%q: error %v, output %s", args, err, out)
			}
		}
		works(`log-level = "warn"`, "config", "--config", write("broadside.toml", "# größer\nlog-level = \"warn\"\n"))
		works("sequence", "arena", "solo", "sequence:"+write("sequence.txt", cells.String()), "--games", "1")
		starts := write("starts.txt", "# Übung\n"+fleet+fleet)
		works("Round-robin", "arena", "tournament", write("class.toml",
			fmt.Sprintf("# Übung\ngames = 2\nstarts = %q\nplayers = [\"easy\", \"medium\"]\n", starts)))
		out, err := os.ReadFile(filepath.Join(dir, "class", "games.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		works("matches replayed: 2", "replay", write("games.jsonl", string(out)))
	})
}

// TestTextFilesForServer checks that a server, and commands that connect to it, read text files in all
// encodings.
func TestTextFilesForServer(t *testing.T) {
	t.Parallel()
	h := open(t, heed)
	c := newConnector(t)
	ann := newAsker(t, h, "ann")
	ann.run("register ann")
	ann.run("token new squid")
	token := regexp.MustCompile(`bs_\w+`)
	said := ann.run("token new whale")
	if !token.MatchString(said) {
		t.Fatalf("the token is %q", said)
	}
	public, err := os.ReadFile(ann.key() + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	for _, encode := range []func(string) string{
		func(text string) string { return textfile.Encodings(text)["UTF-8 with a mark"] },
		func(text string) string {
			return textfile.Encodings(strings.ReplaceAll(text, "\n", "\r\n"))["UTF-16LE and a mark"]
		},
		func(text string) string { return textfile.Encodings(strings.ReplaceAll(text, "\n", "\r"))["UTF-16BE"] },
	} {
		dir := t.TempDir()
		write := func(name, text string) string { return writeText(t, dir, name, encode(text)) }
		plays := func(args ...string) {
			t.Helper()
			status, out, errs := c.run(args...)
			if status != 0 || !strings.HasPrefix(out, "End of game. ") {
				t.Errorf("%q: status %d, output %q, errors %q", args, status, out, errs)
			}
		}
		plays(h.relay, "--vs", "bot easy", "--token-file", write("token", token.FindString(said)+"\n"))
		if out, err := try(t.Context(), "bot", "easy", "--relay", h.relay, "--vs", "bot easy", "--layout", write("fleet.txt", layoutText)); err != nil {
			t.Errorf("bot --layout: error %v, output %s", err, out)
		}
		if out, errs := ann.askWith("fleet import mine", encode(layoutText)); !strings.HasPrefix(out, "saved: mine") {
			t.Errorf("fleet import: output %q, errors %q", out, errs)
		}
		if out, errs := ann.askWith("play --plain", encode("help\nquit\n")); !strings.Contains(out, "Matches:") {
			t.Errorf("line mode: output %q, errors %q", out, errs)
		}
		if err := os.WriteFile(filepath.Join(h.data, "admin_keys"), []byte(encode(string(public))), 0o600); err != nil {
			t.Fatal(err)
		}
		if status, out, errs := ann.ask("bans"); status != 0 {
			t.Errorf("bans with admin_keys: status %d, output %q, errors %q", status, out, errs)
		}
	}
}
