package board_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
)

var update = flag.Bool("update", false, "rewrite the golden boards")

var forms = map[string]board.Form{
	"large": board.Large.WithDetail(term.Waves), "medium": board.Medium.WithDetail(term.Shapes), "small": board.Small.WithDetail(term.Waves),
	"tiny": board.Tiny.WithDetail(term.Waves), "letters": board.Small, "letters-large": board.Large, "cells": board.Medium.WithDetail(term.Cells),
}

func parseCell(t testing.TB, name string) match.Cell {
	t.Helper()
	c, err := match.ParseCell(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// touchingFleet returns a view of a fleet whose ships touch in every possible way.
func touchingFleet(t testing.TB) *match.View {
	rules := match.Hasbro()
	v := &match.View{Rules: rules, Charts: [2]match.Chart{match.NewChart(rules), match.NewChart(rules)}}
	v.Fleets[match.First] = match.Layout{
		{Stern: parseCell(t, "C2"), Heading: match.East, Length: 5},
		// This one is along the first, the next across its end, and the third in line with it.
		{Stern: parseCell(t, "D2"), Heading: match.East, Length: 4},
		{Stern: parseCell(t, "D6"), Heading: match.South, Length: 3},
		{Stern: parseCell(t, "C7"), Heading: match.East, Length: 3},
		// This one is in the corner.
		{Stern: parseCell(t, "J9"), Heading: match.East, Length: 2},
	}
	v.Damage[match.First] = match.Damage{0: 0b10, 4: 0b11}
	enemy := &v.Charts[match.Second]
	enemy.Record(parseCell(t, "C3"), match.Hit)
	enemy.Record(parseCell(t, "A1"), match.Miss)
	enemy.Record(parseCell(t, "J9"), match.Hit)
	enemy.Record(parseCell(t, "J10"), match.Sunk)
	return v
}

// TestTouchingHullsStayDistinct checks that each form draws touching ships as separate hulls.
func TestTouchingHullsStayDistinct(t *testing.T) {
	for name, f := range forms {
		b := board.NewFleet(touchingFleet(t), match.First)
		b.Aim, b.LastShots, b.Hover = parseCell(t, "G5"), []match.Cell{parseCell(t, "A1")}, parseCell(t, "B1")
		checkGolden(t, "hulls-"+name, b.Draw(f, board.WholeWindow(10)))
	}
}

// TestChartShowsDeductions checks how each form draws a chart with deduced water and a sunk ship.
func TestChartShowsDeductions(t *testing.T) {
	c := match.NewChart(match.Classic())
	c.Record(parseCell(t, "B2"), match.Hit)
	c.Record(parseCell(t, "B3"), match.Sunk)
	c.Record(parseCell(t, "E5"), match.Hit)
	c.Record(parseCell(t, "F5"), match.Miss)
	for _, name := range []string{"large", "medium", "tiny", "letters"} {
		b := board.NewChart(&c)
		b.LastShots = []match.Cell{parseCell(t, "F5")}
		checkGolden(t, "chart-"+name, b.Draw(forms[name], board.WholeWindow(10)))
	}
}

// TestWindowShowsPart checks how each form draws a part of a large board.
func TestWindowShowsPart(t *testing.T) {
	chart := match.NewChart(match.Rules{Size: 26})
	b := board.NewChart(&chart)
	b.Aim = parseCell(t, "M13")
	for _, name := range []string{"medium", "small", "tiny", "letters"} {
		w := board.Window{Columns: 9, Rows: 6}.ScrollTo(b.Aim, 26)
		checkGolden(t, "window-"+name, b.Draw(forms[name], w))
	}
}

func checkGolden(t *testing.T, name string, lines []string) {
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
		t.Errorf("%s has changed. If that is right, run go test -update. Got:\n%s", file, got)
	}
}

// TestFormsAgreeWithMouse checks that drawn lines have the size that the form returns, and that each sign is at
// the position that the mouse uses.
func TestFormsAgreeWithMouse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(5, match.MaxSize).Draw(t, "size")
		f := rapid.SampledFrom([]board.Form{board.Large, board.Medium, board.Small, board.Tiny}).Draw(t, "form").WithDetail(rapid.SampledFrom([]term.Detail{term.Letters, term.Cells, term.Shapes, term.Waves}).Draw(t, "detail"))
		w := board.Window{Columns: rapid.IntRange(1, size).Draw(t, "columns"), Rows: rapid.IntRange(1, size).Draw(t, "rows")}
		at := match.NewCell(rapid.IntRange(0, size-1).Draw(t, "x"), rapid.IntRange(0, size-1).Draw(t, "y"))
		ship := match.Ship{
			Stern:   match.NewCell(rapid.IntRange(0, size-1).Draw(t, "sx"), rapid.IntRange(0, size-1).Draw(t, "sy")),
			Heading: match.Heading(rapid.IntRange(0, 3).Draw(t, "heading")), Length: rapid.IntRange(2, 5).Draw(t, "length"),
		}
		w = w.ScrollTo(at, size)
		b := board.NewPlacement(match.Rules{Size: size}, match.Layout{ship, {Stern: at, Heading: match.East, Length: 2}}, 1, true)
		b.Aim = at
		lines := b.Draw(f, w)
		width, height := f.OuterSize(w.Columns, w.Rows)
		if len(lines) != height {
			t.Fatalf("%d lines, want %d", len(lines), height)
		}
		found := false
		for y, l := range lines {
			if n := ansi.StringWidth(l); n != width {
				t.Fatalf("line %d is %d wide, want %d: %q", y, n, width, l)
			}
			for x, r := range []rune(ansi.Strip(l)) {
				c, ok := f.CellAt(w, x, y)
				if string(r) == board.SignWrong && ok && c == at {
					found = true
				}
				if ok && (int(c.X) < w.Left || int(c.X) >= w.Left+w.Columns || int(c.Y) < w.Top || int(c.Y) >= w.Top+w.Rows) {
					t.Fatalf("CellAt(%d, %d) = %v, want a cell in the window", x, y, c)
				}
			}
		}
		if !found {
			t.Fatalf("the sign of %v is not at its position for the mouse:\n%s", at, ansi.Strip(strings.Join(lines, "\n")))
		}
	})
}
