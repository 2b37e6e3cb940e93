package board_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
)

var update = flag.Bool("update", false, "write the golden boards anew")

// forms lists all forms.
var forms = map[string]board.Form{
	"large": board.Large.In(term.Waves), "medium": board.Medium.In(term.Shapes), "small": board.Small.In(term.Waves),
	"tiny": board.Tiny.In(term.Waves), "letters": board.Small, "letters-large": board.Large, "cells": board.Medium.In(term.Cells),
}

func cell(t testing.TB, name string) match.Cell {
	t.Helper()
	c, err := match.ParseCell(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// touching is a fleet whose ships touch in every possible way.
func touching(t testing.TB) *match.View {
	rules := match.Hasbro()
	v := &match.View{Rules: rules, Charts: [2]match.Chart{match.NewChart(rules), match.NewChart(rules)}}
	v.Fleets[match.First] = match.Layout{
		{Stern: cell(t, "C2"), Heading: match.East, Length: 5},
		{Stern: cell(t, "D2"), Heading: match.East, Length: 4},  // along the first
		{Stern: cell(t, "D6"), Heading: match.South, Length: 3}, // across its end
		{Stern: cell(t, "C7"), Heading: match.East, Length: 3},  // in line with the first
		{Stern: cell(t, "J9"), Heading: match.East, Length: 2},  // in the corner
	}
	v.Damage[match.First] = match.Damage{0: 0b10, 4: 0b11}
	enemy := &v.Charts[match.Second]
	enemy.Record(cell(t, "C3"), match.Hit)
	enemy.Record(cell(t, "A1"), match.Water)
	enemy.Record(cell(t, "J9"), match.Hit)
	enemy.Record(cell(t, "J10"), match.Sunk)
	return v
}

// TestShipsThatTouchStayApart checks hulls in every form.
func TestShipsThatTouchStayApart(t *testing.T) {
	for name, f := range forms {
		b := board.Fleet(touching(t), match.First)
		b.Aim, b.Last, b.Hover = cell(t, "G5"), []match.Cell{cell(t, "A1")}, cell(t, "B1")
		golden(t, "hulls-"+name, b.Draw(f, board.Whole(10)))
	}
}

// TestChartMarks draws a chart with deduced water and a wreck.
func TestChartMarks(t *testing.T) {
	c := match.NewChart(match.Classic())
	c.Record(cell(t, "B2"), match.Hit)
	c.Record(cell(t, "B3"), match.Sunk)
	c.Record(cell(t, "E5"), match.Hit)
	c.Record(cell(t, "F5"), match.Water)
	for _, name := range []string{"large", "medium", "tiny", "letters"} {
		b := board.Chart(&c)
		b.Last = []match.Cell{cell(t, "F5")}
		golden(t, "chart-"+name, b.Draw(forms[name], board.Whole(10)))
	}
}

// TestWindows draws parts of a large board.
func TestWindows(t *testing.T) {
	b := board.Map(match.Rules{Size: 26})
	b.Aim = cell(t, "M13")
	for _, name := range []string{"medium", "small", "tiny", "letters"} {
		w := board.Window{Columns: 9, Rows: 6}.Follow(b.Aim, 26)
		golden(t, "window-"+name, b.Draw(forms[name], w))
	}
}

func golden(t *testing.T, name string, lines []string) {
	t.Helper()
	got := ansi.Strip(strings.Join(lines, "\n")) + "\n"
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s has changed (go test -update accepts it). It is now\n%s", file, got)
	}
}

// TestForms draws random fleets in windows of every form: the lines have the size that the
// form returns, and each sign is at the position that the mouse uses.
func TestForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(5, match.MaxSize).Draw(t, "size")
		f := rapid.SampledFrom([]board.Form{board.Large, board.Medium, board.Small, board.Tiny}).Draw(t, "form").In(rapid.SampledFrom([]term.Detail{term.Letters, term.Cells, term.Shapes, term.Waves}).Draw(t, "detail"))
		w := board.Window{Columns: rapid.IntRange(1, size).Draw(t, "columns"), Rows: rapid.IntRange(1, size).Draw(t, "rows")}
		at := match.At(rapid.IntRange(0, size-1).Draw(t, "x"), rapid.IntRange(0, size-1).Draw(t, "y"))
		ship := match.Ship{
			Stern:   match.At(rapid.IntRange(0, size-1).Draw(t, "sx"), rapid.IntRange(0, size-1).Draw(t, "sy")),
			Heading: match.Heading(rapid.IntRange(0, 3).Draw(t, "heading")), Length: rapid.IntRange(2, 5).Draw(t, "length"),
		}
		w = w.Follow(at, size)
		b := board.Plan(match.Rules{Size: size}, match.Layout{ship, {Stern: at, Heading: match.East, Length: 2}}, 1, true)
		b.Aim = at
		lines := b.Draw(f, w)
		width, height := f.Outer(w.Columns, w.Rows)
		if len(lines) != height {
			t.Fatalf("%d lines, want %d", len(lines), height)
		}
		found := false
		for y, l := range lines {
			if n := ansi.StringWidth(l); n != width {
				t.Fatalf("line %d is %d wide, want %d: %q", y, n, width, l)
			}
			for x, r := range []rune(ansi.Strip(l)) {
				c, ok := f.Cell(w, x, y)
				if string(r) == board.SignWrong && ok && c == at {
					found = true
				}
				if ok && (int(c.X) < w.Left || int(c.X) >= w.Left+w.Columns || int(c.Y) < w.Top || int(c.Y) >= w.Top+w.Rows) {
					t.Fatalf("%d,%d is %v, which is not in the window", x, y, c)
				}
			}
		}
		if !found {
			t.Fatalf("the sign at %v is not where it should be:\n%s", at, ansi.Strip(strings.Join(lines, "\n")))
		}
	})
}

// TestPairs checks that two boards side by side are drawn like single boards.
func TestPairs(t *testing.T) {
	a, b := board.Map(match.Rules{Size: 10}), board.Map(match.Rules{Size: 10})
	a.Aim, b.Last = match.At(9, 9), []match.Cell{match.At(2, 3)}
	a.Write(match.At(1, 1), "abc", term.Heat3)
	b.Set(match.At(4, 4), board.SignHit, term.Struck)
	for _, f := range forms {
		for _, w := range [][2]board.Window{
			{board.Whole(10), board.Whole(10)},
			{{Left: 2, Top: 1, Columns: 6, Rows: 5}, {Left: 0, Top: 5, Columns: 6, Rows: 5}},
		} {
			left, right := a.Draw(f, w[0]), b.Draw(f, w[1])
			pair := [2]*board.Board{a, b}
			drawn := board.DrawPair(pair, f, w, 20, 3, nil, nil)
			if len(drawn) == 0 || len(drawn) != len(left) {
				t.Fatalf("%v, %v: %d lines, want %d", f, w, len(drawn), len(left))
			}
			for i, got := range drawn {
				if want := strings.Repeat(" ", 20) + left[i] + "   " + right[i]; got != want {
					t.Errorf("%v, %v, line %d:\n%q\nwant\n%q", f, w, i, got, want)
				}
			}
		}
	}
}

// TestMemo changes boards at random: reusing lines of the previous drawing must not change
// the result.
func TestMemo(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	signs := []string{"~", "○", "·", "X"}
	styles := []term.Style{term.Unknown, term.Missed, term.Deduced, term.Struck, term.Ghost}
	for name, f := range forms {
		pair := [2]*board.Board{board.Fleet(touching(t), match.First), board.Map(match.Rules{Size: 10})}
		var memo board.Memo
		var before []string
		w := [2]board.Window{board.Whole(10), board.Whole(10)}
		for step := range 60 {
			b, at := pair[rng.IntN(2)], match.At(rng.IntN(10), rng.IntN(10))
			switch rng.IntN(7) {
			case 0:
				b.Aim = at
			case 1:
				b.Last = []match.Cell{at}
			case 2:
				b.Hover = at
			case 3:
				b.Blast(at, match.Water, rng.IntN(3))
			case 4:
				b.Write(at, " 42", term.Heat5)
			case 5:
				w = [2]board.Window{{Left: 1, Top: rng.IntN(3), Columns: 7, Rows: 6}, {Columns: 7, Rows: 6}}
			default:
				b.Set(at, signs[rng.IntN(len(signs))], styles[rng.IntN(len(styles))])
			}
			got := board.DrawPair(pair, f, w, 2, 3, before, &memo)
			if want := board.DrawPair(pair, f, w, 2, 3, nil, nil); !slices.Equal(got, want) {
				t.Fatalf("%s, step %d: a line differs", name, step)
			}
			for i := range got { // as on a screen with text beside the boards
				got[i] += "  text"
			}
			before = got
		}
	}
}
