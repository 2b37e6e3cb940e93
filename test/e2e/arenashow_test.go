package e2e

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"broadside/internal/cli"
)

// pictureTexts returns the texts of an SVG. It fails the test if the file is not one.
func pictureTexts(t *testing.T, file string) (texts []string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	in := ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			in = e.Name.Local
		case xml.CharData:
			if in == "text" {
				texts = append(texts, string(e))
			}
		case xml.EndElement:
			in = ""
		}
	}
}

// counted returns the number of texts with a prefix.
func counted(texts []string, begin string) (n int) {
	for _, text := range texts {
		if strings.HasPrefix(text, begin) {
			n++
		}
	}
	return n
}

// TestArenaDrawsGames draws a recorded game, and one while it is played.
func TestArenaDrawsGames(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "games")
	file := filepath.Join(t.TempDir(), "game.svg")
	for _, c := range []struct {
		args, end string
	}{
		{"duel prolog hard", "the end, in round "},
		{"duel warship evader --rules naval", "the end, in round "},
		{"solo hard", "the end, in round "},
	} {
		out := filepath.Join(dir, strings.ReplaceAll(c.args, " ", "-"))
		if _, err := try(t.Context(), append([]string{"arena"}, append(strings.Fields(c.args), "--games", "2", "--out", out)...)...); err != nil {
			t.Fatal(err)
		}
		if _, err := try(t.Context(), "arena", "replay", out, "2", "--svg", file); err != nil {
			t.Fatal(err)
		}
		texts := pictureTexts(t, file)
		moments := counted(texts, "after ") + counted(texts, "the start") + counted(texts, "the end")
		if counted(texts, "the start") != 1 || counted(texts, c.end) == 0 || moments < 10 || moments > 15 || counted(texts, "J") != moments*2 {
			t.Errorf("%s: %d moments: %q", c.args, moments, texts)
		}
	}
	if _, err := try(t.Context(), "arena", "replay", filepath.Join(dir, "solo-hard"), "1", "--svg", filepath.Join(dir, "no", "x")); err == nil || !strings.Contains(err.Error(), "writing the picture") {
		t.Errorf("a picture in no folder: %v", err)
	}
	os.Remove(file)
	out, err := try(t.Context(), "arena", "watch", "hard", "prolog", "--svg", file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out, "The start: prolog fires first\n\nhard ") || strings.Contains(out, "\x1b") {
		t.Errorf("it begins with\n%.300q", out)
	}
	rounds := strings.Count(out, "\nRound ")
	if !regexp.MustCompile(`\n(hard|prolog) won in round \d+: sunk\.\nTime to choose shots: hard \d+ µs, prolog \d+ µs\.\n$`).MatchString(out) {
		t.Errorf("it ends with\n%s", out[max(0, len(out)-200):])
	}
	var last int
	var winner string
	if _, err := fmt.Sscanf(out[strings.LastIndex(out, "\nRound "):], "\nRound %d: %s won", &last, &winner); err != nil || rounds != last {
		t.Errorf("%d rounds are shown, the last is %d: %v", rounds, last, err)
	}
	if texts := pictureTexts(t, file); counted(texts, fmt.Sprintf("the end, in round %d: %s won", last, winner)) != 1 {
		t.Errorf("the picture does not show the end: %q", texts)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, args := range [][]string{{"watch", "hard", "easy"}} {
		if _, err := try(stopped, append([]string{"arena"}, args...)...); cli.Status(err) != 130 {
			t.Errorf("%v, interrupted: %v", args, err)
		}
	}
	for _, c := range []struct{ args, want string }{
		{"watch hard", "accepts 2 arg"},
		{"watch hard kraken", "choose one of"},
		{"watch hard easy --rules chess", "choose classic"},
		{"watch hard easy --placement sideways", "choose one of uniform"},
		{"watch hard easy --svg " + dir, "writing the picture"},
	} {
		if _, err := try(t.Context(), append([]string{"arena"}, strings.Fields(c.args)...)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.args, err, c.want)
		}
	}
}
