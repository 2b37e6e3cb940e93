package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/widget"
)

// goldenSizes are the terminals whose screens are stored: a common one and the smallest one.
var goldenSizes = [][2]int{{80, 24}, {widget.MinWidth, widget.MinHeight}}

// wideGolden are the screens with another layout in a wide terminal.
var wideGolden = []string{"lobby", "battle", "result"}

// golden compares the screen with the stored ones, and returns to the size that it had.
func (d *driver) golden(name string) {
	d.t.Helper()
	d.settle()
	for b := d.m.frame.boards; b != nil && !inspect(b, "flashes").IsZero(); {
		d.pass(board.BlastInterval(match.Sunk))
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
	}
	d.send(was)
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
	got = strings.Join(lines, "\n") + "\n"
	file := filepath.Join("testdata", fmt.Sprintf("%s-%dx%d.txt", name, d.m.width, d.m.height))
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			d.t.Fatal(err)
		}
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
