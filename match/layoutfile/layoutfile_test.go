package layoutfile_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"broadside/match"
	"broadside/match/layoutfile"
)

const (
	oneFleet  = "carrier (0,0), (4,0)\nbattleship (0,2), (3,2)\ncruiser (0,4), (2,4)\nsubmarine (0,6), (2,6)\ndestroyer (0,8), (1,8)\n"
	twoFleets = "Spieler1\n" +
		"Flugzeugträger (0,0), (4,0)\nSchlachtschiff (0,2), (3,2)\nKreuzer (0,4), (2,4)\nU-Boot (0,6), (2,6)\nZerstörer (0,8), (1,8)\n" +
		"Spieler2\n" + oneFleet
)

func TestLayoutFiles(t *testing.T) {
	rules := match.Classic()
	want, err := layoutfile.Parse(rules, oneFleet)
	if err != nil || len(want) != 1 || want[0][4] != (match.Ship{Stern: match.NewCell(0, 8), Heading: match.East, Length: 2}) {
		t.Fatalf("%v, %v", want, err)
	}
	for name, text := range map[string]string{
		"named cells":      "carrier A1 A5\nbattleship C1 C4\ncruiser E1 E3\nsubmarine G1 G3\ndestroyer I1 I2",
		"lower case":       "CARRIER a1 a5\nBattleship c1 c4\ncruiser e1 e3\nSubmarine g1 g3\ndestroyer i1 i2",
		"lengths":          "5 A1-A5\n4: C1–C4\n3 E1, E3\n3 G1;G3\n2 (0,8)(1,8)",
		"any order":        "2 I1 I2\n3 E1 E3\nsubmarine G1 G3\n5 A1 A5\n4 C1 C4",
		"comments, spaces": "# mine\r\n\r\n  carrier   ( 0 , 0 ) , ( 4 , 0 ) # big\r\nbattleship C1 C4\r\ncruiser E1 E3\r\nsubmarine G1 G3\r\ndestroyer I1 I2\r\n",
		"byte order mark":  "\ufeff" + oneFleet,
		"carriage returns": strings.ReplaceAll("# mine\n\n"+oneFleet, "\n", "\r"),
		"mixed endings":    "carrier A1 A5\r\nbattleship C1 C4\rcruiser E1 E3\n\rsubmarine G1 G3\r\r\ndestroyer I1 I2",
		"orientations":     "carrier A1 E\nbattleship (0,2), o\ncruiser: E1, Ost\nsubmarine G1 east\ndestroyer (0,8) RIGHT",
		"naval cells":      "carrier 0A 4A\nbattleship 0c Ost\ncruiser 0E-2E\nsubmarine 0G, 2G\n2 0I 1I",
		"German":           "Träger A1 A5\nschlachtschiff C1 C4\nKREUZER E1 E3\nUboot G1 G3\nZERSTÖRER I1 I2",
	} {
		if got, err := layoutfile.Parse(rules, text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	both, err := layoutfile.Parse(rules, twoFleets)
	if err != nil || len(both) != 2 || !reflect.DeepEqual(both[0], both[1]) || !reflect.DeepEqual(both[:1], want) {
		t.Errorf("two fleets: %v, %v", both, err)
	}
	if _, err := layoutfile.Parse(rules, strings.ReplaceAll(twoFleets, "Spieler", "player ")); err != nil {
		t.Errorf("English headings: %v", err)
	}
	rng := rand.New(rand.NewPCG(4, 4))
	for range 100 {
		a, b := rules.RandomLayout(rng), rules.RandomLayout(rng)
		back, err := layoutfile.Parse(rules, layoutfile.Format(rules, a, b))
		if err != nil || !reflect.DeepEqual(back, []match.Layout{a, b}) {
			t.Fatalf("%v, %v came back as %v, %v", a, b, back, err)
		}
		if back, err := layoutfile.Parse(rules, layoutfile.Format(rules, a)); err != nil || !reflect.DeepEqual(back, []match.Layout{a}) {
			t.Fatalf("%v came back as %v, %v", a, back, err)
		}
	}
}

// TestSpellings checks that fleets can be written as other programs write them.
func TestSpellings(t *testing.T) {
	rules := match.Classic()
	want, err := layoutfile.Parse(rules, oneFleet)
	if err != nil {
		t.Fatal(err)
	}
	// Each ship has a name, start, end, all cells and length.
	ships := [][5]string{
		{"carrier", "A1", "A5", "A1, A2, A3, A4, A5", "5"}, {"battleship", "C1", "C4", "C1, C2, C3, C4", "4"}, {"cruiser", "E1", "E3", "E1, E2, E3", "3"},
		{"submarine", "G1", "G3", "G1, G2, G3", "3"}, {"destroyer", "I1", "I2", "I1, I2", "2"},
	}
	for _, form := range []string{
		"NAME START-END", "NAME: START-END", "NAME START to END", "NAME from START to END", "NAME START..END", "NAME = START:END", "NAME,START,END", "NAME;START;END",
		"NAME: START -> END", "NAME at START - END", "NAME (LENGTH): START-END", "NAME (START, END)", "NAME(START-END)", "NAME: (START) (END)", "NAME,LENGTH,START,H",
		"NAME START horizontal", "NAME START H", "NAME START h", "NAME horizontal START", "NAME: right START", "NAME START waagerecht", "NAME START, r", "NAME @ START across",
		"NAME: CELLS", "NAME [CELLS]", `"NAME": ["START", "END"],`, "- NAME: START-END", "* NAME START END", "3. NAME START END", "| NAME | START | END |", "NAME START END.", "NAME START END;",
		"LENGTH: START-END", "LENGTH START H", "NAME START END // best", "NAME LENGTH START END", "NAME von START bis END",
		"START-END", "CELLS", `["START", "END"],`, "2. START..END", "NAME START END % best", "; best\nNAME START END", "NAME START horizontalement", "NAME START derecha",
	} {
		text := "{\n"
		for _, ship := range ships {
			text += strings.NewReplacer("NAME", ship[0], "START", ship[1], "END", ship[2], "CELLS", ship[3], "LENGTH", ship[4]).Replace(form) + "\n"
		}
		if got, err := layoutfile.Parse(rules, text+"---\n}\n"); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Parse with the form %s = %v, %v, want %v", form, got, err, want)
		}
	}
	for _, names := range []string{
		"Aircraft Carrier,Battleship,Cruiser,Submarine,Patrol Boat", "Carrier,Battleship,Destroyer,Submarine,Patrol Boat", "AIRCRAFT  CARRIER,battleship,cruiser,sub,destroyer",
		"carrier,battleship,destroyer,submarine,patrol", "Träger,Schlachtschiff,Kreuzer,U-Boot,Zerstörer",
		"Porte-avions,Cuirassé,Croiseur,Sous-marin,Torpilleur", "Porte-avions,Croiseur,Contre-torpilleur,Sous-marin,Torpilleur", "Portaaviones,Acorazado,Crucero,Submarino,Destructor",
	} {
		text := ""
		for i, name := range strings.Split(names, ",") {
			text += name + ": " + ships[i][1] + "-" + ships[i][2] + "\n"
		}
		if got, err := layoutfile.Parse(rules, text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Parse with the names %s = %v, %v, want %v", names, got, err, want)
		}
	}
	for line, heading := range map[string]match.Heading{
		"cruiser E6 vertical": match.South, "cruiser V E6": match.South, "cruiser E6 senkrecht": match.South, "cruiser: E6, F6, G6": match.South, "cruiser E6 D": match.South,
		"cruiser E6 L": match.West, "cruiser E6 U": match.North, "cruiser E6 E5 E4": match.West,
	} {
		if _, ship, err := layoutfile.ParseShip(rules, make(match.Layout, 5), line); err != nil || ship.Heading != heading || ship.Stern != match.NewCell(5, 4) || ship.Length != 3 {
			t.Errorf("ParseShip(%q) = %v, %v, want heading %v, stern E6 and length 3", line, ship, err, heading)
		}
	}
	for line, problem := range map[string]string{
		"cruiser E1 E2 E4": "is not a ship", "cruiser E1 E3 E2": "is not a ship", "cruiser H V": "is not a ship", "cruiser E1 E2 H": "is not a ship", "cruiser (4): E1-E3": "3 cells long, not 4",
		"cruiser 4 E1 H": "3 cells long, not 4", "destroyer E1-E3": "2 cells long, not 3", "cruiser E1 to": "is not a ship", "cruiser to E3": "is not a ship",
	} {
		if _, ship, err := layoutfile.ParseShip(rules, make(match.Layout, 5), line); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("ParseShip(%q) = %v, %v, want an error about %q", line, ship, err, problem)
		}
	}
}

func TestLayoutFileErrors(t *testing.T) {
	rules := match.Classic()
	none := rules
	none.Contact = match.TouchNone
	for _, c := range []struct {
		name, text string
		line       int
		want       string
	}{
		{"unknown type", "carrier A1 A5\nkraken C1 C3", 2, `"kraken" is not a type of ship in these rules: they have carrier`},
		{"type of other rules", "cutter A1 A2", 1, `"cutter" is not a type`},
		{"length of no ship", "6 A1 A6", 1, `"6" is not a type`},
		{"not straight", "cruiser A1 C3", 1, "the cruiser from A1 to C3 is not straight"},
		{"wrong length", "cruiser A1 A4", 1, "the cruiser is 3 cells long, not 4"},
		{"off the board", "cruiser (8,0), (10,0)", 1, `"(10,0)" is off the board of 10×10`},
		{"row off the board", "cruiser K1 K3", 1, `"K1" is off the board`},
		{"column off the board", "cruiser A9 A11", 1, `"A11" is off the board`},
		{"cells not straight", "A1-C3", 1, "the ship from A1 to C3 is not straight"},
		{"cells of no ship", "A1-A6", 1, `"6" is not a type`},
		{"cells off the board", "(8,0) (10,0)", 1, `"(10,0)" is off the board`},
		{"cells between cells", "A1 C1 A3", 1, "is not a ship"},
		{"huge number", "cruiser (99999999999999999999999,0), (2,0)", 1, "is off the board"},
		{"touches", "\n\ncarrier A1 A5\nbattleship B1 B4", 4, "the battleship touches the carrier: ships may touch at corners only"},
		{"overlaps", "carrier A1 A5\nbattleship A2 D2", 2, "the battleship overlaps the carrier"},
		{"one too many", "destroyer A1 A2\ndestroyer C1 C2", 2, `one ship too many: this fleet has no other "destroyer"`},
		{"missing", "carrier A1 A5", 0, "the battleship (4 cells) is not placed"},
		{"missing in the second", "Player 1\n" + oneFleet + "Player 2\ncarrier A1 A5", 0, "player 2: the battleship"},
		{"empty", "# nothing\n\n", 0, "no ships found"},
		{"one heading", "Spieler1\n" + oneFleet, 0, "the heading for player 2 is missing"},
		{"late heading", oneFleet + "Spieler1\n" + oneFleet, 6, "player 1 first"},
		{"second first", "Spieler2\n" + oneFleet, 1, "player 1 first"},
		{"heading twice", "Spieler1\n" + oneFleet + "Spieler1\n", 7, "player 1 first"},
		{"third fleet", twoFleets + "Spieler1\n", 13, "write each heading once"},
		{"line after CR", "carrier A1 A5\r\rkraken C1 C3", 3, `"kraken" is not a type`},
		{"direction over the edge", "carrier A1 N", 1, "the carrier is off the board"},
		{"direction into a ship", "carrier A1 A5\nbattleship D3 Nord", 2, "the battleship overlaps the carrier"},
		{"start off the board", "carrier K1 N", 1, `"K1" is off the board`},
		{"no direction", "carrier A1 X", 1, `"carrier A1 X" is not a ship: write its type`},
		{"direction without a cell", "carrier N", 1, "is not a ship"},
		{"no cells", "carrier", 1, `"carrier" is not a ship: write its type`},
		{"one cell", "carrier A1", 1, "is not a ship"},
		{"three cells", "carrier A1 A5 A6", 1, "is not a ship"},
		{"controls", "carrier \x1b[2J A5", 1, `"carrier \x1b[2J A5" is not a ship`},
		{"long line", strings.Repeat("x", 5000), 1, "…\" is not a ship"},
		{"long file", strings.Repeat("\n", 70_000), 0, "at most 65536 bytes"},
	} {
		got, err := layoutfile.Parse(rules, c.text)
		if err == nil {
			t.Errorf("%s: read as %v", c.name, got)
			continue
		}
		var in *match.Problem
		line := 0
		if errors.As(err, &in) && in.Sentence == layoutfile.WrongLine {
			line = in.Args[0].(int)
		}
		if line != c.line || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 300 {
			t.Errorf("%s: got %q in line %d, want %q in line %d", c.name, err, line, c.want, c.line)
		}
	}
	if _, err := layoutfile.Parse(none, "carrier A1 A5\nbattleship B6 B9"); err == nil || !strings.Contains(err.Error(), "not even at corners") {
		t.Errorf("corners: %v", err)
	}
}

func TestShipByOrientation(t *testing.T) {
	rules := match.Classic()
	for _, c := range []struct {
		words   string
		heading match.Heading
	}{
		{"N n north Nord norden up hoch", match.North},
		{"E e O o east Ost ost OSTEN right across rechts", match.East},
		{"S s south Süd SÜD sued süden down runter", match.South},
		{"W w west westen left links", match.West},
	} {
		for _, word := range strings.Fields(c.words) {
			i, ship, err := layoutfile.ParseShip(rules, make(match.Layout, len(rules.Fleet)), "Kreuzer E6 "+word)
			if want := (match.Ship{Stern: match.NewCell(5, 4), Heading: c.heading, Length: 3}); err != nil || i != 2 || ship != want {
				t.Errorf("%s: ship %d is %v, %v; want %v", word, i, ship, err, want)
			}
		}
	}
}

func FuzzParseLayouts(f *testing.F) {
	f.Add(oneFleet)
	f.Add(twoFleets)
	f.Add("5 A1-A5\n4: C1–C4\n3 E1, E3\n3 G1;G3\n2 (0,8)(1,8)")
	f.Add("Spieler1\nSpieler2\n")
	f.Add("5 A1 E\r4 C1 ost\r\n3 E1 O\n3 (0,6),E\r2 I1 east")
	rules := match.Classic()
	f.Fuzz(func(t *testing.T, text string) {
		layouts, err := layoutfile.Parse(rules, text)
		if err != nil {
			if len(err.Error()) > 400 || strings.ContainsAny(err.Error(), "\x00\x07\x1b\r\n") {
				t.Errorf("the error cannot be shown to anyone: %q", err)
			}
			return
		}
		for _, l := range layouts {
			if err := rules.CheckLayout(l); err != nil {
				t.Errorf("an illegal layout: %v", err)
			}
		}
		again, err := layoutfile.Parse(rules, layoutfile.Format(rules, layouts...))
		if err != nil || !reflect.DeepEqual(again, layouts) {
			t.Errorf("%v came back as %v, %v", layouts, again, err)
		}
	})
}
