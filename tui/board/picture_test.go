package board_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/vt"

	"broadside/internal/test/picture"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
)

// sampleBoards returns a chart and a fleet that show every state, and two fleets that are being placed.
func sampleBoards(t *testing.T) []*board.Board {
	rules, err := match.CustomRules(6, 2, match.TouchCorners)
	if err != nil {
		t.Fatal(err)
	}
	v := match.View{Rules: rules, Charts: [2]match.Chart{match.NewChart(rules), match.NewChart(rules)}}
	v.Fleets[match.First] = match.Layout{
		{Stern: parseCell(t, "B2"), Heading: match.East, Length: 3},
		{Stern: parseCell(t, "E2"), Heading: match.East, Length: 2},
		{Stern: parseCell(t, "D5"), Heading: match.South, Length: 3},
	}
	v.Damage[match.First] = match.Damage{0: 0b10, 1: 0b11}
	enemy := &v.Charts[match.Second]
	for name, r := range map[string]match.Result{"B3": match.Hit, "A6": match.Miss, "F1": match.Miss, "E2": match.Hit} {
		enemy.Record(parseCell(t, name), r)
	}
	enemy.Record(parseCell(t, "E3"), match.Sunk)
	chart, fleet := board.NewChart(enemy), board.NewFleet(&v, match.First)
	chart.Aim, chart.LastShots, fleet.LastShots, fleet.Hover = parseCell(t, "C5"), []match.Cell{parseCell(t, "F1")}, []match.Cell{parseCell(t, "A6")}, parseCell(t, "A2")
	good := board.NewPlacement(rules, v.Fleets[match.First], 1, false)
	bad := board.NewPlacement(rules, v.Fleets[match.First], 2, true)
	return []*board.Board{chart, fleet, good, bad}
}

// TestGoldenPictures checks that every state looks as in the stored pictures, with fewer and fewer colours and
// characters.
func TestGoldenPictures(t *testing.T) {
	navy, ascii := term.Appearance{Theme: term.Navy}, term.Appearance{Glyphs: term.ASCII}
	checkPicture(t, "truecolor", term.PaletteFor(navy, term.Terminal{Profile: colorprofile.TrueColor}))
	checkPicture(t, "ansi", term.PaletteFor(navy, term.Terminal{Profile: colorprofile.ANSI}))
	checkPicture(t, "ascii", term.PaletteFor(ascii, term.Terminal{}))
	checkPicture(t, "ascii-nocolour", term.PaletteFor(ascii, term.Terminal{Profile: colorprofile.NoTTY}))
}

func checkPicture(t *testing.T, name string, palette *term.Palette) {
	t.Helper()
	var lines []string
	all := sampleBoards(t)
	for _, f := range []board.Form{board.Medium, board.Small} {
		f = f.WithDetail(palette.Detail())
		rows := make([]string, len(all[0].Draw(f, board.WholeWindow(6))))
		for _, b := range all {
			for y, line := range b.Draw(f, board.WholeWindow(6)) {
				rows[y] += palette.Paint(line) + " "
			}
		}
		lines = append(lines, rows...)
	}
	em := vt.NewEmulator(4*28, len(lines))
	em.WriteString(strings.Join(lines, "\r\n"))
	var got bytes.Buffer
	if err := picture.Write(&got, em); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", name+".svg")
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%s has changed. If that is right, run go test -update and look at it.", file)
	}
}
