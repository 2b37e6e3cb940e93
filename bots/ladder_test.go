package bots

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"broadside/bots/infer"
	"broadside/match"
)

// told is a list of cells with the symbols of their answers: "C4~ D4x D5#" is water, a hit
// and a sinking.
type told string

// tell asks a bot for shots but records other ones in the chart and reports their results,
// as if the clock had fired.
func (answers told) tell(t testing.TB, chart *match.Chart, s shooter) {
	t.Helper()
	for _, a := range strings.Fields(string(answers)) {
		cell, err := match.ParseCell(a[:len(a)-1])
		if err != nil {
			t.Fatal(err)
		}
		r := match.Result(1 + strings.IndexByte("~x#", a[len(a)-1]))
		if !r.IsValid() {
			t.Fatalf("answer %q", a)
		}
		s.Fire(chart)
		chart.Record(cell, r)
	}
}

// firstChoices returns every cell that a bot may fire at next, over a hundred seeds, row by
// row.
func firstChoices(t testing.TB, rules match.Rules, answers told, make func(Config) shooter) string {
	t.Helper()
	var cells match.Set
	for seed := range uint64(100) {
		s := make(Config{Rules: rules, Rand: rand.New(rand.NewPCG(seed, 1))})
		chart := match.NewChart(rules)
		answers.tell(t, &chart, s)
		cells.Add(s.Fire(&chart))
	}
	var names []string
	for c := range cells.All() {
		names = append(names, c.String())
	}
	return strings.Join(names, " ")
}

func newShooterFunc(name string) func(Config) shooter {
	return func(c Config) shooter {
		b, err := New(name, c)
		if err != nil {
			panic(err)
		}
		return b
	}
}

// TestChase checks the original level "Mittel" after a hit. The other bots hunt
// differently but chase in the same way.
func TestChase(t *testing.T) {
	for _, c := range []struct {
		about string
		rules match.Rules
		told  told
		want  string
	}{
		{"all around a first hit", match.Classic(), "D4x", "C4 D3 D5 E4"},
		{"not off the board", match.Classic(), "A1x", "A2 B1"},
		{"not where water is", match.Classic(), "D4x D3~ C4~", "D5 E4"},
		{"two hits fix the row", match.Classic(), "D4x D5x", "D3 D6"},
		{"two hits fix the column", match.Classic(), "D4x E4x", "C4 F4"},
		{"one end closed", match.Classic(), "D4x D5x D6~", "D3"},
		{"both ends closed: the first hit alone", match.Hasbro(), "D4x D5x D6~ D3~", "C4 E4"},
		{"then the second", match.Hasbro(), "D4x D5x D6~ D3~ C4~ E4~", "C5 E5"},
		{"the second is left when the first has sunk", match.Hasbro(), "D4x D5x D6~ D3~ C4~ E4x F4#", "C5 E5"},
	} {
		for _, name := range []string{"medium", "hard", "sweep", "memory"} {
			if got := firstChoices(t, c.rules, c.told, newShooterFunc(name)); got != c.want {
				t.Errorf("%s, %s: shoots at %s, want %s", name, c.about, got, c.want)
			}
		}
	}
}

// TestGunnerChasesOnAllSides checks that gunner fires beside any hit on a ship afloat, also off its line and where only
// water can be, and anywhere once the ship has sunk.
func TestGunnerChasesOnAllSides(t *testing.T) {
	for answers, want := range map[told]string{
		"D4x":                  "C4 D3 D5 E4",
		"A1x":                  "A2 B1",
		"D4x D5x":              "C4 C5 D3 D6 E4 E5",
		"D4x D5x C4~ E5~":      "C5 D3 D6 E4",
		"D4x D5x D6~ D3#":      firstChoices(t, match.Classic(), "D3~ D4~ D5~ D6~", newShooterFunc("easy")),
		"D4x D5# D9x C9~":      "D8 D10 E9",
		"A1x A2# J9x J10# D4x": "C4 D3 D5 E4",
	} {
		if got := firstChoices(t, match.Classic(), answers, newShooterFunc("gunner")); got != want {
			t.Errorf("%s: fires at %s, want %s", answers, got, want)
		}
	}
}

func TestMediumHuntsAnywhere(t *testing.T) {
	// All but the last two rows are water.
	var answers strings.Builder
	for y := range 8 {
		for x := range 10 {
			fmt.Fprintf(&answers, "%v~ ", match.NewCell(x, y))
		}
	}
	want := "I1 I2 I3 I4 I5 I6 I7 I8 I9 I10 J1 J2 J3 J4 J5 J6 J7 J8 J9 J10"
	if got := firstChoices(t, match.Classic(), told(answers.String()), newShooterFunc("medium")); got != want {
		t.Errorf("hunts at %s", got)
	}
	// After a sinking, its neighbours are water.
	answers.WriteString("I1x I2x J9x J10# ")
	if got := firstChoices(t, match.Classic(), told(answers.String()), newShooterFunc("medium")); strings.Contains(got, "9") || strings.Contains(got, "10") {
		t.Errorf("hunts at %s", got)
	}
}

// TestHardHuntsOnGrids uses charts with a known grid.
func TestHardHuntsOnGrids(t *testing.T) {
	for _, c := range []struct {
		about string
		told  told
		want  func(match.Cell) bool
	}{
		{"the colour begun", "A1~", func(c match.Cell) bool { return (c.X+c.Y)%2 == 0 }},
		{"the colour with fewer open cells", "A1~ A2~ A4~", func(c match.Cell) bool { return (c.X+c.Y)%2 == 1 }},
		{"every third diagonal one way once the 2 is sunk", "A1x A2# A9~ C7~ E5~ G3~ I1~",
			func(c match.Cell) bool { return (c.X+c.Y)%3 == 2 }},
		{"or the other way", "A1x A2# A4~ B5~ C6~ D7~ E8~",
			func(c match.Cell) bool { return (c.X-c.Y+30)%3 == 0 }},
	} {
		for seed := range uint64(200) {
			rules := match.Classic()
			b := newHard(Config{Rules: rules, Rand: rand.New(rand.NewPCG(seed, 2))})
			chart := match.NewChart(rules)
			c.told.tell(t, &chart, b)
			if cell := b.Fire(&chart); !c.want(cell) {
				t.Errorf("%s: hunts at %v", c.about, cell)
			}
		}
	}
	if got := firstChoices(t, match.Classic(), "", newShooterFunc("hard")); len(strings.Fields(got)) < 50 {
		t.Errorf("opens at %s only", got)
	}
}

// TestSweepGoesEveryFourthThenEverySecond sweeps an empty board.
func TestSweepGoesEveryFourthThenEverySecond(t *testing.T) {
	rules := match.Hasbro()
	b := newSweeper(Config{Rules: rules, Rand: rand.New(rand.NewPCG(1, 1))})
	b.start = 0
	chart := match.NewChart(rules)
	var got []string
	for range 50 {
		cell := b.Fire(&chart)
		got = append(got, cell.String())
		chart.Record(cell, match.Miss)
	}
	order := strings.Join(got, " ")
	if want := "A1 A5 A9 B2 B6 B10 C3 C7 D4 D8 E1 E5 E9 F2"; !strings.HasPrefix(order, want) {
		t.Errorf("begins with %s", order)
	}
	if want := "J2 J6 J10 A3 A7 B4 B8 C1 C5 C9 D2"; !strings.Contains(order, want) {
		t.Errorf("does not turn to every second cell: %s", order)
	}
	for _, c := range got {
		if cell, _ := match.ParseCell(c); (cell.X+cell.Y)%2 == 1 {
			t.Errorf("shoots at %s", c)
		}
	}
}

func TestSweepSkipsSmallGaps(t *testing.T) {
	// The ship of two is sunk in a corner, so only gaps of three or more count. Row E has a
	// gap of two cells, E4 and E5, whose columns are blocked as well.
	answers := told("J9x J10# E1~ E2~ E3~ E6~ E7~ E8~ E9~ E10~ D4~ D5~ F4~ F5~")
	rules := match.Classic()
	shots := 0
	for seed := range uint64(40) {
		b := newSweeper(Config{Rules: rules, Rand: rand.New(rand.NewPCG(seed, 1))})
		chart := match.NewChart(rules)
		answers.tell(t, &chart, b)
		for !chart.OpenCells().IsEmpty() {
			worth := cellsWithRoom(&chart, chart.OpenCells())
			if worth.IsEmpty() {
				break
			}
			cell := b.Fire(&chart)
			if cell.Y == 4 && (cell.X == 3 || cell.X == 4) {
				t.Fatalf("shoots at %v, where no ship has room", cell)
			}
			shots++
			chart.Record(cell, match.Miss)
		}
	}
	if shots < 1000 {
		t.Errorf("got %d shots, want at least 1000", shots)
	}
}

// rowByRow returns a sequence file with every cell of a board, row by row.
func rowByRow(size int) []byte {
	var text strings.Builder
	for y := range size {
		for x := range size {
			fmt.Fprintf(&text, "%d%c", x, 'A'+y)
		}
	}
	return []byte(text.String())
}

func newRowSearch(c Config) shooter {
	c.ReadFile = func(string) ([]byte, error) { return rowByRow(c.Rules.Size), nil }
	return newShooterFunc("sequence:any")(c)
}

// TestSearchAndDestroy follows the original cross around the hit at 2D, which
// is the cell D3.
func TestSearchAndDestroy(t *testing.T) {
	for _, c := range []struct {
		about string
		rules match.Rules
		told  told
		want  string
	}{
		{"the sequence", match.Classic(), "A1~ A2~", "A3"},
		{"north first", match.Classic(), "D3x", "C3"},
		{"then east", match.Classic(), "D3x C3~", "D4"},
		{"then south", match.Classic(), "D3x C3~ D4~", "E3"},
		{"then west", match.Classic(), "D3x C3~ D4~ E3~", "D2"},
		{"a second hit fixes the direction", match.Classic(), "D3x C3~ D4x", "D5"},
		{"stays on that arm", match.Classic(), "D3x C3~ D4x D5x", "D6"},
		{"then the opposite arm", match.Classic(), "D3x C3~ D4x D5~", "D2"},
		{"and outward on it", match.Classic(), "D3x C3~ D4x D5~ D2x", "D1"},
		{"off the board is a miss", match.Classic(), "A3x", "A4"},
		{"off the board turns round", match.Classic(), "B3x A3x", "C3"},
		{"known water is a miss", match.Classic(), "C3~ D3x", "D4"},
		{"a sinking ends it", match.Classic(), "D3x C3#", "A1"},
		{"the other arms are not tried", match.Hasbro(), "D3x C3~ D4x D5~ D2~", "A1"},
		{"cells already hit are stepped over", match.Hasbro(), "D4x C4~ D5x D6~ D3~ D2x", "C2"},
		{"also on the arm itself", match.Hasbro(), "D4x C4~ D5x D6~ D3~ C5x", "B5"},
		{"four cells and no more", match.Hasbro(), "H3x G3x F3x E3x D3x", "I3"},
	} {
		if got := firstChoices(t, c.rules, c.told, newRowSearch); got != c.want {
			t.Errorf("%s: shoots at %s, want %s", c.about, got, c.want)
		}
	}
}

// shotOrder returns the whole order of a search.
func shotOrder(t testing.TB, name string, rules match.Rules, seed uint64) []match.Cell {
	t.Helper()
	s := newShooterFunc(name)(Config{Rules: rules, Rand: rand.New(rand.NewPCG(seed, 1))})
	return s.(*player).shooter.(*orderedSearch).order
}

// TestSearchOrdersAreComplete checks that an order has each cell of the board once.
func TestSearchOrdersAreComplete(t *testing.T) {
	for size := 5; size <= match.MaxSize; size++ {
		rules := customRules(t, size, 2, match.TouchAny)
		for _, name := range []string{"hilbert", "branch", "grid:1,1,0", "grid:2,2,1", "grid:3,2,2", "grid:4,1,1", "grid:5,5,5"} {
			for seed := range uint64(8) {
				var seen match.Set
				order := shotOrder(t, name, rules, seed)
				for _, c := range order {
					seen.Add(c)
				}
				if len(order) != size*size || seen != rules.Cells() {
					t.Fatalf("%s on %d×%d: %d cells, %d of them different", name, size, size, len(order), seen.Len())
				}
			}
		}
	}
}

func cellNames(cells []match.Cell) string {
	var s []string
	for _, c := range cells {
		s = append(s, c.String())
	}
	return strings.Join(s, " ")
}

func TestGridOrders(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"grid:4,1,1", "A1 A5 A9 B2 B6 B10 C3 C7 D4 D8 E1 E5 E9"},
		{"grid:2,1,1", "A1 A3 A5 A7 A9 B2 B4 B6 B8 B10 C1"},
		{"grid:5,3,2", "A1 A6 D3 D8 G5 G10 J2 J7 A2 A7 D4 D9"},
	} {
		order := shotOrder(t, c.name, match.Classic(), 1)
		if got := cellNames(order[:len(strings.Fields(c.want))]); got != c.want {
			t.Errorf("%s begins with %s", c.name, got)
		}
	}
}

// TestHilbertCurve checks that each point of the curve is next to the previous one.
func TestHilbertCurve(t *testing.T) {
	for _, side := range []int{2, 4, 8, 16, 32} {
		px, py := hilbertPoint(side, 0)
		if px != 0 || py != 0 {
			t.Fatalf("begins at %d,%d", px, py)
		}
		for d := 1; d < side*side; d++ {
			x, y := hilbertPoint(side, d)
			if (x-px)*(x-px)+(y-py)*(y-py) != 1 {
				t.Fatalf("side %d: from %d,%d to %d,%d", side, px, py, x, y)
			}
			px, py = x, y
		}
	}
	order := shotOrder(t, "hilbert", match.Classic(), 1)
	for i, c := range order {
		if first := order[0]; (c.X+c.Y+first.X+first.Y)%2 != 0 != (i >= 50) {
			t.Fatalf("shot %d at %v is of the wrong colour", i+1, c)
		}
	}
}

// TestBranchHalvesGaps checks that the distance from any cell to the next point halves from
// level to level.
func TestBranchHalvesGaps(t *testing.T) {
	for seed := range uint64(8) {
		order := shotOrder(t, "branch", match.Classic(), seed)
		corner := order[0]
		if (corner.X != 0 && corner.X != 9) || (corner.Y != 0 && corner.Y != 9) {
			t.Errorf("begins at %v", corner)
		}
		for _, level := range []struct{ points, gap int }{{4, 8}, {9, 4}, {25, 2}, {100, 1}} {
			for _, c := range order[:level.points] {
				dx, dy := int(c.X-corner.X), int(c.Y-corner.Y)
				if dx%level.gap != 0 || dy%level.gap != 0 {
					t.Errorf("%v is among the first %d points", c, level.points)
				}
			}
		}
	}
}

func TestSequenceFiles(t *testing.T) {
	rules := customRules(t, 5, 2, match.TouchAny)
	all := string(rowByRow(5))
	for _, c := range []struct{ about, text, want string }{
		{"run together", all, "A1 A2 A3"},
		{"lower case", strings.ToLower(all), "A1 A2 A3"},
		{"apart, from elsewhere", "\ufeff 3C\n\t2 b\r\n" + all, "C4 B3 A1"},
		{"again and again", "1A1A0A" + all, "A2 A1 A3"},
		{"actions", "2BN1 1BCCW3 0A-0 4e cw2 3EW 10\n" + all, "B3 B2 A1 E5 E4 A2"},
		{"German actions", "2BO1 1BUZ3 0aGZ2 " + all, "B3 B2 A1 A2"},
		{"actions run together", "2BN11BCCW30A-4ECW23EW10" + all, "B3 B2 A1 E5 E4 A2"},
	} {
		steps, err := ParseSequence(rules, c.text)
		order := stepCells(steps)
		if err != nil || len(order) != 25 {
			t.Errorf("%s: %d cells, %v", c.about, len(order), err)
			continue
		}
		if got := cellNames(order[:len(strings.Fields(c.want))]); got != c.want {
			t.Errorf("%s: begins with %s, want %s", c.about, got, c.want)
		}
		want := []Step{{match.NewCell(2, 1), "E", 1}, {match.NewCell(1, 1), "CW", 3}, {match.NewCell(0, 0), "CCW", 2}}
		if c.about == "German actions" && !slices.Equal(steps[:3], want) {
			t.Errorf("%s: %v", c.about, steps[:3])
		}
	}
	for _, c := range []struct{ text, want string }{
		{"", "25 cells are missing, one of them 0A"},
		{all[:48], "1 cells are missing, one of them 4E"},
		{"0A\n1A\n5A", "line 3: 5A is off the board of 5×5"},
		{"0A\n1F", "line 2: 1F is off the board"},
		{"0A A1", `line 1: there is no cell at "A1"`},
		{"0A\r1A\r\n5A", "line 3: 5A is off the board of 5×5"},
		{"0A\n\n0AX1", "line 3: there is no cell"},
		{"\n\n0A\n?", "line 4: "},
		{" \r\n\n0A\n\n 1A N2\n ?\n\n", "line 6: "},
		{strings.Repeat(" ", maxSequenceFile+1), "at most 65536 bytes"},
	} {
		if _, err := ParseSequence(rules, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q: %v, want %q", c.text, err, c.want)
		}
	}
	big := customRules(t, 26, 2, match.TouchAny)
	if order, err := ParseSequence(big, "25z12bN112b"+string(rowByRow(26))); err != nil || cellNames(stepCells(order[:3])) != "Z26 B13 A1" {
		t.Errorf("on a large board: %v", err)
	}
}

func FuzzSequence(f *testing.F) {
	f.Add(string(rowByRow(5)))
	f.Add("0AN11ACW2 3B-")
	rules := customRules(f, 5, 2, match.TouchAny)
	f.Fuzz(func(t *testing.T, text string) {
		steps, err := ParseSequence(rules, text)
		order := stepCells(steps)
		if err == nil && match.SetOf(order...) != rules.Cells() {
			t.Errorf("%q: incomplete", text)
		}
	})
}

// TestMemoryShootsWhereItHit gives the bot the memory of three games.
func TestMemoryShootsWhereItHit(t *testing.T) {
	rules := match.Classic()
	m := infer.NewMemory(rules)
	m.Learn(infer.Game{Struck: match.SetOf(match.NewCell(0, 0), match.NewCell(5, 5), match.NewCell(7, 2))})
	m.Learn(infer.Game{Struck: match.SetOf(match.NewCell(5, 5), match.NewCell(7, 2), match.NewCell(4, 9))})
	m.Learn(infer.Game{Struck: match.SetOf(match.NewCell(5, 5))})
	learned := func(c Config) shooter {
		c.Memory = m
		return newShooterFunc("memory")(c)
	}
	for _, c := range []struct {
		about string
		told  told
		want  string
	}{
		{"the most fruitful", "", "F6"},
		{"the next", "F6~", "C8"},
		{"ties", "F6~ C8~", "A1 J5"},
		{"also in a chase", "F5x", "F6"},
		{"not where no ship has room", "F6~ C8~ A2~ B1~", "J5"},
	} {
		if got := firstChoices(t, rules, c.told, learned); got != c.want {
			t.Errorf("%s: shoots at %s, want %s", c.about, got, c.want)
		}
	}
	// With an empty memory, it plays like hard.
	for _, answers := range []told{"", "A1~", "D4x"} {
		if got, want := firstChoices(t, rules, answers, newShooterFunc("memory")), firstChoices(t, rules, answers, newShooterFunc("hard")); got != want {
			t.Errorf("without memory it shoots at %s, hard at %s", got, want)
		}
	}
}

// TestParameters parses the text after a bot's name.
func TestParameters(t *testing.T) {
	failing := func(string) ([]byte, error) { return nil, errors.New("open x.txt: gone") }
	for _, c := range []struct {
		name string
		read func(string) ([]byte, error)
		want string
	}{
		{"grid", nil, "write grid:STEPX,STEPY,OFFSET"},
		{"grid:", nil, "write grid:STEPX,STEPY,OFFSET"},
		{"grid:2,2", nil, "two steps from 1 to 10"},
		{"grid:2,0,1", nil, "two steps from 1 to 10"},
		{"grid:2,11,1", nil, "two steps from 1 to 10"},
		{"grid:2,2,-1", nil, "an offset from 0 to 10"},
		{"grid:a,b,c", nil, "two steps"},
		{"grid:1,2,3,4", nil, "two steps"},
		{"sequence", nil, "write sequence:FILE"},
		{"sequence:x.txt", nil, "files cannot be read here"},
		{"sequence:x.txt", failing, "open x.txt: gone"},
		{"sequence:x.txt", func(string) ([]byte, error) { return []byte("0A"), nil }, "x.txt: 99 cells are missing"},
	} {
		_, err := New(c.name, Config{Rules: match.Classic(), Rand: rand.New(rand.NewPCG(1, 1)), ReadFile: c.read})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	for _, i := range Opponents(match.Classic()) {
		if i.Argument != "" {
			t.Errorf("%s is offered, but takes %s", i.Name, i.Argument)
		}
	}
}

// TestPrologWhereShipsTouch sinks ships that touch others.
func TestPrologWhereShipsTouch(t *testing.T) {
	for _, c := range []struct {
		about string
		told  told
		want  string
	}{
		{"a hit beside the ship that sank is listed anew", "D4x D5x D6~ D3~ E4x F4#", "C5"},
		{"and is not forgotten", "D4x D5x D6~ D3~ E4x F4# C5~", "E5"},
		{"a run longer than any ship is not one", "D1x D2x D3x D4x D5x D6#", "C1"},
	} {
		if got := firstChoices(t, match.Hasbro(), c.told, newShooterFunc("prolog")); got != c.want {
			t.Errorf("%s: shoots at %s, want %s", c.about, got, c.want)
		}
	}
	if got := firstChoices(t, match.Hasbro(), "D4x E4x F4# D5~", newShooterFunc("prolog")); len(strings.Fields(got)) < 40 {
		t.Errorf("after a ship has sunk it shoots at %s only", got)
	}
}
