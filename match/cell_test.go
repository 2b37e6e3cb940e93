package match_test

import (
	"strings"
	"testing"

	"broadside/match"
)

func TestParseCell(t *testing.T) {
	for text, want := range map[string]match.Cell{
		"A1": match.NewCell(0, 0), "b7": match.NewCell(6, 1), "J10": match.NewCell(9, 9), "z26": match.NewCell(25, 25),
		" C3 ": match.NewCell(2, 2), "D04": match.NewCell(3, 3),
	} {
		if got, err := match.ParseCell(text); err != nil || got != want {
			t.Errorf("%q is %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "A", "7", "7B", "A0", "A27", "A-1", "A+1", "AA1", "A 1", "Ä1", "A1x", "A111", "@1", "[1", "{1", "a\x001", "(1,2)",
	} {
		got, err := match.ParseCell(text)
		if err == nil {
			t.Errorf("%q was read as %v", text, got)
		} else if !strings.Contains(err.Error(), "such as B7") {
			t.Errorf("%q: the error helps nobody: %v", text, err)
		}
	}
	if _, err := match.ParseCell("x" + strings.Repeat("ä", 10_000)); !strings.HasPrefix(err.Error(), `"xäääääääääää…" is not`) {
		t.Errorf("ParseCell = %.200v, want an error with 12 letters of the text", err)
	}
}

func TestCellsAndHeadings(t *testing.T) {
	b7 := match.NewCell(6, 1)
	if b7.String() != "B7" {
		t.Errorf("x 6, y 1 is called %v", b7)
	}
	for h, want := range map[match.Heading]match.Cell{
		match.North: match.NewCell(6, 0), match.East: match.NewCell(7, 1), match.South: match.NewCell(6, 2), match.West: match.NewCell(5, 1),
	} {
		if got := b7.Step(h, 1); got != want {
			t.Errorf("%v of B7 is %v, want %v", h, got, want)
		}
		if got := b7.Step(h, 1).Step(h.Rotate(2), 1); got != b7 {
			t.Errorf("there and back from B7 towards %v is %v", h, got)
		}
	}
	if match.North.Rotate(-1) != match.West || match.West.Rotate(1) != match.North || match.South.Rotate(6) != match.North {
		t.Error("headings do not turn clockwise")
	}
	rules := match.Classic()
	for _, c := range []match.Cell{match.NewCell(-1, 0), match.NewCell(0, -1), match.NewCell(10, 0), match.NewCell(0, 10), match.NewCell(1<<40, 3), b7.Step(match.North, 2)} {
		if rules.Contains(c) {
			t.Errorf("%v is on the board", c)
		}
	}
}

func FuzzParseCell(f *testing.F) {
	for _, s := range []string{"A1", "z26", "", "b 7", "🚢1", "J10\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := match.ParseCell(s)
		if err != nil {
			return
		}
		if again, err := match.ParseCell(c.String()); err != nil || again != c {
			t.Errorf("%q is %v, which reads as %v, %v", s, c, again, err)
		}
	})
}
