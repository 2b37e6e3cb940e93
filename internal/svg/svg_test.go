package svg

import (
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"broadside/match"
	"broadside/match/audit"
)

// elements counts the elements of a picture by their classes. It fails if the picture is
// not XML.
func elements(t *testing.T, picture string) map[string]int {
	t.Helper()
	n := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatalf("%v in %s", err, picture)
		}
		if e, ok := token.(xml.StartElement); ok {
			for _, a := range e.Attr {
				if a.Name.Local == "class" {
					n[a.Value]++
				}
			}
		}
	}
}

// played returns a game after some shots: the second side has sunk the first ship of the
// first side, hit the next one and missed once.
func played(t *testing.T) *match.Game {
	t.Helper()
	rules := match.Classic()
	rng := rand.New(rand.NewPCG(1, 1))
	layout := rules.RandomLayout(rng)
	g := match.NewGame(rules, audit.Off)
	apply := func(c match.Command) {
		t.Helper()
		if _, err := g.Apply(c); err != nil {
			t.Fatal(err)
		}
	}
	apply(match.Place(match.First, layout))
	apply(match.Place(match.Second, rules.RandomLayout(rng)))
	cells := slices.Collect(layout[0].Cells().All())
	cells = append(cells, layout[1].Stern)
	for _, c := range cells {
		apply(match.Fire(match.Second, c))
		apply(match.Fire(match.First, match.At(0, 0)))
	}
	water := rules.Board().Minus(layout.Cells()).Minus(g.Chart(match.Second).Deduced)
	apply(match.Fire(match.Second, water.Nth(0)))
	return g
}

// TestBoard draws a board as spectators see it and as its owner does.
func TestBoard(t *testing.T) {
	g := played(t)
	spectators, own := g.View(match.Nobody), g.Revealed()
	for name, c := range map[string]struct {
		view  match.View
		ships int
	}{"spectator": {spectators, 0}, "replay": {own, 17 - 5 - 1}} {
		got := elements(t, string(Picture([2]Panel{{"<a> & b", NewBoard(&c.view, match.First)}, {"c", NewBoard(&c.view, match.Second)}})))
		if got["sunk"] != 5 || got["hit"] < 1 || got["miss last"] != 2 && got["hit last"]+got["miss last"] != 2 || got["board"] != 2 {
			t.Errorf("%s: %v", name, got)
		}
		board := elements(t, NewBoard(&c.view, match.First).Grid("b", "a's \"board\"", func(at match.Cell, c Cell) string { return at.String() + string(c.State) }))
		if board["ship"] != c.ships || board["sunk"] != 5 || board["hit"] != 1 || board["miss last"] != 1 {
			t.Errorf("%s: %v, want %d cells of ships", name, board, c.ships)
		}
	}
}

// TestChanges applies the changes of boards to open sea and compares the result.
func TestChanges(t *testing.T) {
	g := played(t)
	v := g.View(match.Nobody)
	empty := match.View{Rules: v.Rules, Charts: [2]match.Chart{match.NewChart(v.Rules), match.NewChart(v.Rules)}}
	before, after := NewBoard(&empty, match.First), NewBoard(&v, match.First)
	changes := after.Changes(nil)
	for _, c := range changes {
		at, err := match.ParseCell(c.At)
		if err != nil {
			t.Fatal(err)
		}
		before.cells[int(at.Y)*before.size+int(at.X)] = c.Cell
	}
	if !slices.Equal(before.cells, after.cells) || len(changes) < 7 || len(after.Changes(before)) != 0 {
		t.Errorf("%d changes lead to another board", len(changes))
	}
}

// TestHullsTurn turns a hull to all headings: four turns lead back.
func TestHullsTurn(t *testing.T) {
	want := map[match.Heading]string{match.East: bowPart, match.West: "10 1.4", match.South: "1.4 0", match.North: "1.4 10"}
	for h, begins := range want {
		if got := turned(bowPart, h); !strings.HasPrefix(strings.TrimPrefix(got, "M"), strings.TrimPrefix(begins, "M")) {
			t.Errorf("a bow that points %v is %s", h, got)
		}
	}
}

// TestWrecks finds sunk ships on a chart in both directions.
func TestWrecks(t *testing.T) {
	c := match.NewChart(match.Classic())
	for _, cell := range []string{"B2", "B3", "B4", "F7", "G7"} {
		at, err := match.ParseCell(cell)
		if err != nil {
			t.Fatal(err)
		}
		c.Sunk.Add(at)
	}
	got := wrecks(&c)
	want := match.Layout{{Stern: match.At(1, 1), Heading: match.East, Length: 3}, {Stern: match.At(6, 6), Heading: match.North, Length: 2}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
