package match_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"broadside/match"
)

func TestPresets(t *testing.T) {
	for _, name := range match.PresetNames() {
		r, err := match.Preset(strings.ToUpper(name))
		if err != nil || r.Name != name {
			t.Fatalf("%s: %v, %v", name, r.Name, err)
		}
		if err := r.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct {
		rules                match.Rules
		size, ships, cells   int
		moving, severalShots bool
	}{
		{match.Classic(), 10, 5, 17, false, false},
		{match.Hasbro(), 10, 5, 17, false, false},
		{match.Naval(), 10, 10, 30, true, false},
		{match.Salvo(), 10, 5, 17, false, true},
	} {
		r := c.rules
		if r.Size != c.size || len(r.Fleet) != c.ships || r.FleetCellCount() != c.cells || r.Moving != c.moving || r.Salvo != c.severalShots {
			t.Errorf("%s has another fleet or board: %+v", r.Name, r)
		}
	}
	if _, err := match.Preset("chess"); err == nil || !strings.Contains(err.Error(), "classic") {
		t.Errorf("the error does not name the rules there are: %v", err)
	}
}

func TestIllegalRules(t *testing.T) {
	change := func(f func(*match.Rules)) match.Rules {
		r := fleetOf(10, match.TouchCorners, 5, 4, 3, 3, 2)
		f(&r)
		return r
	}
	for want, r := range map[string]match.Rules{
		"choose 5 to 26 cells per side":   change(func(r *match.Rules) { r.Size = 4 }),
		"board size 27×27":                change(func(r *match.Rules) { r.Size = 27 }),
		"0 ships: choose 1 to 10":         change(func(r *match.Rules) { r.Fleet = nil }),
		"11 ships: choose 1 to 10":        fleetOf(26, match.TouchAny, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2),
		"ships must be 2 to 5 cells long": fleetOf(10, match.TouchAny, 6),
		"has length 1":                    fleetOf(10, match.TouchAny, 1),
		"list the longest first":          fleetOf(10, match.TouchAny, 2, 3),
		"unknown contact rule":            change(func(r *match.Rules) { r.Contact = 3 }),
		"cannot be combined":              change(func(r *match.Rules) { r.Salvo, r.Moving = true, true }),
		"clock ":                          change(func(r *match.Rules) { r.Clock = -time.Second }),
	} {
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

func TestCustomRules(t *testing.T) {
	for _, c := range []struct {
		size, ships int
		contact     match.Contact
		refused     string
	}{
		{10, 5, match.TouchCorners, ""},
		{10, 10, match.TouchNone, ""},
		{26, 10, match.TouchNone, ""},
		{5, 1, match.TouchNone, ""},
		{5, 10, match.TouchAny, "not fit on"}, // 30 cells of 25
		{5, 8, match.TouchNone, "not fit on"}, // proved by search
		{6, 10, match.TouchCorners, "ships"},  // too dense or impossible
		{5, 6, match.TouchAny, ""},            // dense, but ships may touch
		{4, 2, match.TouchAny, "5 to 26"},
		{10, 0, match.TouchAny, "1 to 10"},
		{10, 11, match.TouchAny, "1 to 10"},
	} {
		r, err := match.CustomRules(c.size, c.ships, c.contact)
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%d ships on %d×%d, contact %v: want a refusal with %q, got %v", c.ships, c.size, c.size, c.contact, c.refused, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%d ships on %d×%d, contact %v: %v", c.ships, c.size, c.size, c.contact, err)
			continue
		}
		if again := r.Validate(); again != nil {
			t.Errorf("the same rules are accepted and then refused: %v", again)
		}
		if err := r.CheckLayout(r.RandomLayout(newRand(1))); err != nil {
			t.Errorf("%d ships on %d×%d: %v", c.ships, c.size, c.size, err)
		}
	}
	if r, _ := match.CustomRules(10, 5, match.TouchCorners); !r.IsEquivalent(match.Classic()) {
		t.Errorf("five ships on 10×10 are not classic's: %+v", r)
	}
	if match.Classic().IsEquivalent(match.Hasbro()) || !match.Classic().IsEquivalent(match.Classic().WithClock(time.Minute)) {
		t.Error("Same compares the wrong things")
	}
}

func TestLayoutErrors(t *testing.T) {
	ship := func(cell string, h match.Heading, n int) match.Ship {
		c, err := match.ParseCell(cell)
		if err != nil {
			t.Fatal(err)
		}
		return match.Ship{Stern: c, Heading: h, Length: n}
	}
	legal := func() match.Layout {
		return match.Layout{
			ship("A1", match.East, 5), ship("C1", match.East, 4), ship("E3", match.West, 3),
			// This ship touches the carrier corner to corner.
			ship("J10", match.North, 3), ship("B6", match.South, 2),
		}
	}
	classic := match.Classic()
	if err := classic.CheckLayout(legal()); err != nil {
		t.Fatal(err)
	}
	none := classic
	none.Contact = match.TouchNone
	for _, c := range []struct {
		name  string
		rules match.Rules
		ship  int
		lies  match.Ship
		text  string
	}{
		{"missing", classic, 2, match.Ship{}, "the cruiser (3 cells) is not placed"},
		{"long", classic, 4, ship("J1", match.East, 3), "the destroyer is 2 cells long, not 3"},
		{"east", classic, 0, ship("J7", match.East, 5), "the carrier is off the board"},
		{"north", classic, 1, ship("C9", match.North, 4), "the battleship is off the board"},
		{"heading", classic, 1, match.Ship{Stern: match.NewCell(5, 5), Heading: 9, Length: 4}, "the battleship"},
		{"stern", classic, 4, match.Ship{Stern: match.Cell{X: 10, Y: 9}, Heading: match.West, Length: 2}, "the destroyer"},
		{"across", classic, 4, ship("C3", match.South, 2), "the destroyer overlaps the battleship"},
		{"edge", classic, 4, ship("B1", match.East, 2), "touches the carrier: ships may touch at corners only"},
		{"corner", none, 4, ship("B6", match.South, 2), "touches the carrier: ships may not touch, not even at corners"},
	} {
		l := legal()
		l[c.ship] = c.lies
		var got *match.Problem
		if err := c.rules.CheckShip(l, c.ship); !errors.As(err, &got) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.text)
		}
		if err := c.rules.CheckLayout(l); !errors.As(err, &got) {
			t.Errorf("%s: the whole layout: %v", c.name, err)
		}
	}
	hasbro := match.Hasbro()
	l := legal()
	l[4] = ship("B1", match.East, 2)
	if err := hasbro.CheckLayout(l); err != nil {
		t.Errorf("ships may touch: %v", err)
	}
	if err := classic.CheckLayout(legal()[:4]); !errors.Is(err, match.ErrFleetSize) {
		t.Errorf("four ships: %v", err)
	}
	if err := classic.CheckShip(nil, 0); !errors.Is(err, match.ErrFleetSize) {
		t.Errorf("no ships: %v", err)
	}
}
