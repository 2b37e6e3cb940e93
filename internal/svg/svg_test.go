package svg

import (
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"broadside/match"
	"broadside/match/audit"
)

// countElements counts the elements of a picture by their classes. It fails if the picture is
// not XML.
func countElements(t *testing.T, picture string) map[string]int {
	t.Helper()
	n := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatalf("parse: %v in %s", err, picture)
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

// playGame returns a game after some shots: the second side has sunk the first ship of the
// first side, hit the next one and missed once.
func playGame(t *testing.T) *match.Game {
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
	apply(match.PlaceCommand(match.First, layout))
	apply(match.PlaceCommand(match.Second, rules.RandomLayout(rng)))
	cells := slices.Collect(layout[0].Cells().All())
	cells = append(cells, layout[1].Stern)
	for _, c := range cells {
		apply(match.FireCommand(match.Second, c))
		apply(match.FireCommand(match.First, match.NewCell(0, 0)))
	}
	water := rules.Cells().Minus(layout.Cells()).Minus(g.Chart(match.Second).Deduced)
	apply(match.FireCommand(match.Second, water.Nth(0)))
	return g
}

// TestPictureShowsEachState checks a board as spectators see it and as its owner does.
func TestPictureShowsEachState(t *testing.T) {
	g := playGame(t)
	spectators, own := g.View(match.Nobody), g.FullView()
	for name, c := range map[string]struct {
		view  match.View
		ships int
	}{"spectator": {spectators, 0}, "replay": {own, 17 - 5 - 1}} {
		got := countElements(t, string(DrawSheet("<a> & b", "", []Frame{{"c", [2]Panel{{"<d>", NewBoard(&c.view, match.First)}, {"e", NewBoard(&c.view, match.Second)}}}}, 1)))
		if got["sunk"] != 5 || got["hit"] < 1 || got["miss last"] != 2 && got["hit last"]+got["miss last"] != 2 || got["board"] != 2 {
			t.Errorf("elements of %s = %v", name, got)
		}
		var grid strings.Builder
		describe := func(at match.Cell, c Cell) string { return at.String() + string(c.State) }
		if err := NewBoard(&c.view, match.First).GridElement("b", "a's \"board\"", describe).Render(&grid); err != nil {
			t.Fatal(err)
		}
		board := countElements(t, grid.String())
		if board["ship"] != c.ships || board["sunk"] != 5 || board["hit"] != 1 || board["miss last"] != 1 {
			t.Errorf("%s: got %v, want %d cells of ships", name, board, c.ships)
		}
	}
}

// TestChangesLeadToLaterBoard checks that the changes of boards, applied to open sea, give the last board.
func TestChangesLeadToLaterBoard(t *testing.T) {
	g := playGame(t)
	v := g.View(match.Nobody)
	empty := match.View{Rules: v.Rules, Charts: [2]match.Chart{match.NewChart(v.Rules), match.NewChart(v.Rules)}}
	before, after := NewBoard(&empty, match.First), NewBoard(&v, match.First)
	changes := after.ChangesSince(nil)
	for _, c := range changes {
		at, err := match.ParseCell(c.At)
		if err != nil {
			t.Fatal(err)
		}
		before.cells[int(at.Y)*before.size+int(at.X)] = c.Cell
	}
	if !slices.Equal(before.cells, after.cells) || len(changes) < 7 || len(after.ChangesSince(before)) != 0 {
		t.Errorf("%d changes lead to another board", len(changes))
	}
}

// TestRotatedHulls checks a bow that points to each heading. Four quarter turns lead back.
func TestRotatedHulls(t *testing.T) {
	number := regexp.MustCompile(`[0-9.]+`)
	rounded := func(path string) string {
		return number.ReplaceAllStringFunc(path, func(text string) string {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Error(err)
			}
			return strconv.FormatFloat(x, 'g', 3, 64)
		})
	}
	for h, want := range map[match.Heading]string{
		match.East:  "M0 1.4 L5 1.4 Q8.4 2.2 9.7 5 Q8.4 7.8 5 8.6 L0 8.6Z",
		match.West:  "M10 1.4 L5 1.4 Q1.6 2.2 0.3 5 Q1.6 7.8 5 8.6 L10 8.6Z",
		match.South: "M1.4 0 L1.4 5 Q2.2 8.4 5 9.7 Q7.8 8.4 8.6 5 L8.6 0Z",
		match.North: "M1.4 10 L1.4 5 Q2.2 1.6 5 0.3 Q7.8 1.6 8.6 5 L8.6 10Z",
	} {
		if got := rounded(rotatePath(bowPart, h)); got != want {
			t.Errorf("bow that points %v = %s, want %s", h, got, want)
		}
	}
	path := bowPart
	for range 4 {
		path = rotatePath(path, match.North)
	}
	if got := rounded(path); got != bowPart {
		t.Errorf("bow after four turns = %s, want %s", got, bowPart)
	}
}

// TestBowsOfFixedShips checks that the bows of ships that do not move point east or north, as in the
// terminal and on charts, and that the bows of others point where they head.
func TestBowsOfFixedShips(t *testing.T) {
	for _, rules := range []match.Rules{match.Classic(), match.Naval()} {
		v := match.View{Rules: rules, Charts: [2]match.Chart{match.NewChart(rules), match.NewChart(rules)}}
		v.Fleets[match.First] = match.Layout{{Stern: match.NewCell(2, 1), Heading: match.South, Length: 3}}
		b := NewBoard(&v, match.First)
		top, bottom := rotatePath(bowPart, match.North), rotatePath(sternPart, match.North)
		if rules.Moving {
			top, bottom = rotatePath(sternPart, match.South), rotatePath(bowPart, match.South)
		}
		if b.DrawnCell(match.NewCell(2, 1)).Hull != top || b.DrawnCell(match.NewCell(2, 3)).Hull != bottom {
			t.Errorf("%s: a ship that heads south has the ends %q and %q, want %q and %q", rules.Name,
				b.DrawnCell(match.NewCell(2, 1)).Hull, b.DrawnCell(match.NewCell(2, 3)).Hull, top, bottom)
		}
	}
}
