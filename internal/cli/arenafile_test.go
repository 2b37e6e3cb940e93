package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"broadside/match"
)

// writeTempFile writes a file to a new folder.
func writeTempFile(t *testing.T, text string) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "file.toml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestFileSetsFlags checks that a file sets numbers, texts, lists and tables, and that it keeps the flags of
// the command line.
func TestFileSetsFlags(t *testing.T) {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	games, seed := f.Int("games", 1, ""), f.Int("seed", 1, "")
	players, externals := f.StringArray("players", nil, ""), f.StringArray("external", nil, "")
	if err := f.Parse([]string{"--seed", "7"}); err != nil {
		t.Fatal(err)
	}
	file := writeTempFile(t, "games = 20\nseed = 3\nplayers = [\"hard\", \"a b\"]\n[external]\nmine = \"stdio:./x --fast\"\n")
	if err := setFlagsFromFile(f, file); err != nil {
		t.Fatal(err)
	}
	got, want := fmt.Sprintf("%d %d %q %q", *games, *seed, *players, *externals), `20 7 ["hard" "a b"] ["mine=stdio:./x --fast"]`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestStartLayouts(t *testing.T) {
	const one = "carrier A1 A5; battleship C1 C4; cruiser E1 E3; submarine G1 G3; destroyer I1 I2"
	const two = "carrier B1 B5; battleship D1 D4; cruiser F1 F3; submarine H1 H3; destroyer J1 J2"
	starts, err := readStartLayouts(match.Classic(), writeTempFile(t, "# two fleets\r\r"+one+" # first\r\n"+two+"\r"))
	if err != nil {
		t.Fatal(err)
	}
	if len(starts) != 1 || starts[0][0][0].Cells().Nth(0) != match.NewCell(0, 0) || starts[0][1][0].Cells().Nth(0) != match.NewCell(0, 1) {
		t.Errorf("got %v, want one pair with carriers in rows A and B", starts)
	}
	for text, want := range map[string]string{
		"carrier A1 A9\n": "file.toml, line 1: ",
		one + "\n":        "has 1 fleets: write two",
		"player 1; " + two + "; player 2; " + two: "line 1: the line has two fleets",
		"": "has 0 fleets",
	} {
		if _, err := readStartLayouts(match.Classic(), writeTempFile(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("readStartLayouts(%q): %v, want %q", text, err, want)
		}
	}
}

func TestParseSPRT(t *testing.T) {
	for text, want := range map[string]string{"0,10": "&{0 10 0 0}", "-5,5,0.01,0.1": "&{-5 5 0.01 0.1}", "10": "", "0,10,": "", "0,10,0.1": "", "0,x": "", "0,10,0.1,x": ""} {
		got, err := parseSPRT(text)
		if (err != nil) != (want == "") || err == nil && fmt.Sprint(got) != want {
			t.Errorf("parseSPRT(%q) = %v, %v, want %q", text, got, err, want)
		}
	}
}
