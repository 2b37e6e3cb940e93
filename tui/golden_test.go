package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/vt"

	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/widget"
)

// goldenSizes are the terminals whose screens are stored: a common one and the smallest one.
var goldenSizes = [][2]int{{80, 24}, {widget.MinWidth, widget.MinHeight}}

// wideGolden are the screens with another layout in a wide terminal.
var wideGolden = []string{"lobby", "battle", "result"}

// styledGolden are the screens whose styles are stored too, in a terminal of the common size.
var styledGolden = []string{
	"lobby", "battle", "result", "replay", "bow", "placing-illegal", "watch", "en-naval-old", "en-naval-hand", "profile",
	"account", "challenged", "tournament-joining", "daily", "friends", "help", "history", "opponents", "puzzle", "tutorial",
}

// golden compares the screen with the stored ones, and returns to the size that it had.
func (d *driver) golden(name string) {
	d.t.Helper()
	d.handlePending()
	for b := d.m.frame.boards; b != nil && !inspectField(b, "flashes").IsZero(); {
		d.handleFor(board.BlastInterval(match.Sunk))
	}
	if *pictures != "" {
		d.takePictures(name)
		return
	}
	was := tea.WindowSizeMsg{Width: d.m.width, Height: d.m.height}
	sizes := goldenSizes
	if slices.Contains(wideGolden, name) {
		sizes = append(slices.Clone(sizes), [2]int{130, 40})
	}
	for _, size := range sizes {
		d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		d.compare(name)
		if slices.Contains(styledGolden, name) && size == goldenSizes[0] {
			d.compareFile(name+"-styles", d.styles())
		}
	}
	d.send(was)
}

// styles returns a letter for the style of each cell of the screen, and what the letters mean. The sea has
// one tone.
func (d *driver) styles() string {
	d.t.Helper()
	f, width, height := d.m.Frame(), d.m.width, d.m.height
	f.Palette = term.PaletteFor(term.Appearance{Sea: term.PlainSea}, term.Terminal{})
	screen := vt.NewEmulator(width, height)
	if err := term.NewWriter(screen, width, height).Draw(f); err != nil {
		d.t.Fatal(err)
	}
	letters := map[string]byte{}
	var cells, meanings strings.Builder
	for y := range height {
		for x := range width {
			style := screen.CellAt(x, y).Style.String()
			letter, known := letters[style]
			if !known {
				letter = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[len(letters)]
				letters[style] = letter
				fmt.Fprintf(&meanings, "%c %q\n", letter, style)
			}
			cells.WriteByte(letter)
		}
		cells.WriteByte('\n')
	}
	return cells.String() + meanings.String()
}

// roomCode matches the codes of private matches, which are random.
var roomCode = regexp.MustCompile(`\b[0-9A-Z]{3}(-[0-9A-Z]{3}){2}\b`)

// compare compares the current screen with the stored one.
func (d *driver) compare(name string) {
	d.t.Helper()
	got := roomCode.ReplaceAllString(d.screen(), "K3F-97W-QXM")
	var lines []string
	for _, l := range strings.Split(got, "\n") {
		lines = append(lines, strings.TrimRight(l, " "))
	}
	d.compareFile(name, strings.Join(lines, "\n")+"\n")
}

// compareFile compares a text with the stored one.
func (d *driver) compareFile(name, got string) {
	d.t.Helper()
	file := filepath.Join("testdata", fmt.Sprintf("%s-%dx%d.txt", name, d.m.width, d.m.height))
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			d.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		d.t.Fatal(err)
	}
	if got != string(want) {
		d.t.Errorf("%s has changed (go test -update accepts it). It is now\n%s", file, got)
	}
}
