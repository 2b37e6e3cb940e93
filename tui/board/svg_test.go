package board_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"broadside/match"
	"broadside/tui/board"
)

// elements counts the elements of a picture by name, and by name and value of some
// attributes. It fails the test if the picture is not XML.
func elements(t *testing.T, picture string) map[string]int {
	t.Helper()
	n := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(picture))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatalf("%v in %s", err, picture)
		}
		if e, ok := token.(xml.StartElement); ok {
			n[e.Name.Local]++
			for _, a := range e.Attr {
				if a.Name.Local == "fill" || a.Name.Local == "stroke" || a.Name.Local == "transform" {
					n[e.Name.Local+" "+a.Name.Local+" "+a.Value]++
				}
			}
		}
	}
}

// TestSVG draws a fleet with one ship hit, one sunk and one untouched.
func TestSVG(t *testing.T) {
	all := samples(t)
	got := elements(t, all[1].SVG(0, 0, 10))
	for what, want := range map[string]int{
		"text":                         12,
		"rect fill #8a8f94":            5, // hulls
		"rect fill #d64a3a":            1, // hit
		"rect fill #222":               2, // sunk
		"rect fill #9cc4e0":            2, // missed
		"rect fill none":               3, // outlines
		"circle fill none":             1, // the last shot
		"g transform translate(30 20)": 1,
	} {
		if got[what] != want {
			t.Errorf("%d of %q, want %d: %v", got[what], what, want, got)
		}
	}
}

// TestSVGOfALargeBoard marks the last cell of the largest board.
func TestSVGOfALargeBoard(t *testing.T) {
	rules, err := match.Custom(26, 5, match.TouchCorners)
	if err != nil {
		t.Fatal(err)
	}
	chart := match.NewChart(rules)
	chart.Record(match.At(25, 25), match.Water)
	got := elements(t, board.Chart(&chart).SVG(0, 0, 10))
	if got["g transform translate(260 260)"] != 1 || got["text"] != 52 {
		t.Errorf("%v", got)
	}
}
