package match_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"broadside/match"
	"broadside/match/audit"
)

var viewers = [...]match.Side{match.First, match.Second, match.Nobody}

// checkSameGame checks that two games are in the same state and go on in the same way.
func checkSameGame(t interface{ Fatalf(string, ...any) }, a, b *match.Game) {
	for _, viewer := range viewers {
		if v, w := a.View(viewer), b.View(viewer); !reflect.DeepEqual(v, w) {
			t.Fatalf("viewer %v: the games differ:\n%+v\n%+v", viewer, v, w)
		}
	}
	if !slices.EqualFunc(a.Events(), b.Events(), func(x, y match.Event) bool { return reflect.DeepEqual(x, y) }) {
		t.Fatalf("the games have other events")
	}
	if a.ActingSide() != b.ActingSide() {
		t.Fatalf("%v is to act, or %v", a.ActingSide(), b.ActingSide())
	}
}

func drawRules(t *rapid.T) match.Rules {
	contact := rapid.SampledFrom(contacts).Draw(t, "contact")
	ships := rapid.IntRange(1, 5).Draw(t, "ships")
	size := rapid.IntRange(8, 14).Draw(t, "size")
	if ships < 3 {
		size = rapid.IntRange(5, 9).Draw(t, "small size")
	}
	rules, err := match.CustomRules(size, ships, contact)
	if err != nil {
		t.Fatal(err)
	}
	rules.Salvo = rapid.Bool().Draw(t, "salvo")
	return rules
}

func drawCell(t *rapid.T, rules match.Rules) match.Cell {
	return match.NewCell(rapid.IntRange(-1, rules.Size).Draw(t, "x"), rapid.IntRange(-1, rules.Size).Draw(t, "y"))
}

// drawCommand returns a random command, which is usually illegal.
func drawCommand(t *rapid.T, rules match.Rules, layouts [2]match.Layout) match.Command {
	side := match.Side(rapid.IntRange(0, 3).Draw(t, "side"))
	var c match.Command
	switch rapid.IntRange(0, 13).Draw(t, "action") {
	case 0:
		c = match.PlaceCommand(side, layouts[side&1])
	case 1:
		c = match.PlaceCommand(side, layouts[side&1][1:])
	case 2:
		c = match.KeepCommand(side)
	case 3:
		c = match.ForfeitCommand(side, match.Reason(rapid.IntRange(0, 20).Draw(t, "reason")))
	case 4:
		c = match.VoidCommand(match.Reason(rapid.IntRange(0, 20).Draw(t, "reason")))
	case 5:
		c = match.Command{Action: match.Action(rapid.IntRange(0, 255).Draw(t, "number")), Side: side}
	case 13:
		c = match.AbortCommand(side, match.Reason(rapid.IntRange(0, 20).Draw(t, "reason")))
	case 6, 7:
		c = match.AnswerCommand(side, drawCell(t, rules), match.Result(rapid.IntRange(0, 5).Draw(t, "result")))
	default:
		cells := make([]match.Cell, rapid.IntRange(0, 3).Draw(t, "shots"))
		for i := range cells {
			cells[i] = drawCell(t, rules)
		}
		c = match.FireCommand(side, cells...)
	}
	return c
}

func legalCommand(t *rapid.T, g *match.Game, layouts [2]match.Layout, kept [2]bool, truth [2]*match.Fleet) match.Command {
	for _, side := range viewers[:2] {
		if g.Phase() == match.Placing && !g.IsReady(side) {
			if kept[side] {
				return match.KeepCommand(side)
			}
			return match.PlaceCommand(side, layouts[side])
		}
	}
	side := g.ActingSide()
	v := g.View(side)
	if v.Pending {
		target := nextTarget(g)
		r := truth[side].Fire(target)
		if rapid.IntRange(0, 30).Draw(t, "lie") == 0 {
			r = match.Result(rapid.IntRange(1, 4).Draw(t, "told"))
		}
		return match.AnswerCommand(side, target, r)
	}
	cells := v.Charts[side].OpenCells()
	if cells.IsEmpty() || rapid.IntRange(0, 9).Draw(t, "anywhere") == 0 {
		cells = v.Rules.Cells()
	}
	cells = cells.Minus(match.SetOf(v.Targets...))
	if cells.IsEmpty() {
		cells = v.Rules.Cells().Minus(match.SetOf(v.Targets...))
	}
	var shots []match.Cell
	for range rapid.IntRange(1, min(v.Shots-len(v.Targets), cells.Len())).Draw(t, "shots") {
		cell := cells.Nth(rapid.IntRange(0, cells.Len()-1).Draw(t, "shot"))
		cells.Remove(cell)
		shots = append(shots, cell)
	}
	c := match.FireCommand(side, shots...)
	c.Auto = rapid.Bool().Draw(t, "auto")
	return c
}

// TestAnyGame checks games of legal commands mixed with illegal ones.
func TestAnyGame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := drawRules(t)
		rng := newRand(rapid.Uint64().Draw(t, "seed"))
		mode := rapid.SampledFrom([]audit.Mode{audit.Flag, audit.Forfeit, audit.Off}).Draw(t, "audit")
		g := match.NewGame(rules, mode)
		var layouts [2]match.Layout
		var kept [2]bool
		var truth [2]*match.Fleet
		for i := range layouts {
			layouts[i] = rules.RandomLayout(rng)
			kept[i] = rapid.Bool().Draw(t, "kept")
			truth[i] = match.NewFleet(layouts[i])
		}
		now := time.Duration(0)
		legal := 0
		for g.Phase() != match.Over && legal < 400 {
			now += time.Duration(rapid.IntRange(0, 5000).Draw(t, "pause")) * time.Millisecond
			c := drawCommand(t, rules, layouts)
			// Few commands may end the game, so that most games are long.
			ends := c.Action == match.VoidGame || c.Action == match.ForfeitGame || c.Action == match.AbortGame
			if rapid.IntRange(0, 3).Draw(t, "legal") > 0 || ends && rng.IntN(20) > 0 {
				c = legalCommand(t, g, layouts, kept, truth)
				legal++
			}
			c.At = now
			before := [...]match.View{g.View(match.First), g.View(match.Second), g.View(match.Nobody)}
			events := len(g.Events())
			made, err := g.Apply(c)
			if err != nil {
				if len(made) != 0 || len(g.Events()) != events {
					t.Fatalf("%+v was refused and still made events", c)
				}
				for i, viewer := range viewers {
					if !reflect.DeepEqual(before[i], g.View(viewer)) {
						t.Fatalf("%+v was refused and still changed the game", c)
					}
				}
				continue
			}
			if len(made) == 0 || len(g.Events()) != events+len(made) {
				t.Fatalf("%+v made %d events, of %d new", c, len(made), len(g.Events())-events)
			}
			if c.Action == match.AnswerShot && !kept[c.Side] {
				t.Fatalf("side %v may answer although the game holds its fleet", c.Side)
			}
			if c.Action == match.KeepFleet || c.Action == match.PlaceFleet {
				// A random command can be legal, too.
				kept[c.Side] = c.Action == match.KeepFleet
			}
			checkViews(t, g)
		}
		checkHistory(t, g, mode)
	})
}

func checkViews(t *rapid.T, g *match.Game) {
	for _, viewer := range viewers {
		v := g.View(viewer)
		if v.Phase != g.Phase() || v.Rules.Size != g.Rules().Size || v.Viewer != viewer {
			t.Fatalf("the view is of another game: %+v", v)
		}
		if v.Targets != nil && !v.Pending && viewer != v.Turn {
			t.Fatalf("viewer %v sees the cells %v of an unfinished salvo", viewer, v.Targets)
		}
		for _, side := range viewers[:2] {
			if v.Fleets[side] != nil && side != viewer && v.Phase != match.Over {
				t.Fatalf("viewer %v sees the fleet of %v", viewer, side)
			}
			chart := v.Charts[side]
			if chart.Hits.Overlaps(&chart.Sunk) || !chart.Hits.IsSubsetOf(&chart.Shots) || !chart.Sunk.IsSubsetOf(&chart.Shots) {
				t.Fatalf("the chart is in disorder: %+v", chart)
			}
			open, board := chart.OpenCells(), chart.Rules.Cells()
			if open.Overlaps(&chart.Shots) || open.Overlaps(&chart.Deduced) || !open.IsSubsetOf(&board) || !chart.Deduced.IsSubsetOf(&board) {
				t.Fatalf("the open cells are not: %+v", chart)
			}
		}
	}
}

// checkHistory checks that the game can be rebuilt from its events, directly and encoded.
func checkHistory(t *rapid.T, g *match.Game, mode audit.Mode) {
	again, err := match.Replay(g.Rules(), mode, g.Events())
	if err != nil {
		t.Fatalf("replaying: %v", err)
	}
	checkSameGame(t, g, again)
	data, err := match.EncodeEvents(g.Rules(), g.Events())
	if err != nil {
		t.Fatal(err)
	}
	rules, events, err := match.DecodeEvents(data)
	if err != nil {
		t.Fatalf("decoding: %v", err)
	}
	if !reflect.DeepEqual(rules, g.Rules()) {
		t.Fatalf("the rules came back as %+v", rules)
	}
	if again, err = match.Replay(rules, mode, events); err != nil {
		t.Fatalf("replaying what was decoded: %v", err)
	}
	checkSameGame(t, g, again)
	if len(events) < 3 || events[2].Kind != match.BattleStarted {
		return
	}
	for n := range 3 {
		if _, err := match.Replay(rules, mode, slices.Delete(slices.Clone(events), n, n+1)); !errors.Is(err, match.ErrHistory) {
			t.Fatalf("a history without event %d: got %v, want %v", n, err, match.ErrHistory)
		}
	}
}

// TestNothingLeaks checks that the attacker and spectators see the same in two games whose layouts
// the results do not distinguish.
func TestNothingLeaks(t *testing.T) {
	for _, contact := range contacts {
		rules := fleetOf(5, contact, 3, 2)
		var all []match.Layout
		for fleet := range everyLayout(rules) {
			all = append(all, match.Layout{fleet[0].ship, fleet[1].ship})
		}
		rng := newRand(uint64(contact))
		compared := 0
		for range 60 {
			secret, own := all[rng.IntN(len(all))], all[rng.IntN(len(all))]
			cells := slices.Collect(rules.Cells().All())
			rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
			for shots := 1; shots < len(cells); shots++ {
				var twins []match.Layout
				for _, l := range all {
					if sameAnswers(secret, l, cells[:shots]) {
						twins = append(twins, l)
					}
				}
				twin := twins[rng.IntN(len(twins))]
				a, b := playBlind(t, rules, secret, own, cells[:shots]), playBlind(t, rules, twin, own, cells[:shots])
				if a.Phase() == match.Over {
					break
				}
				for _, viewer := range []match.Side{match.Second, match.Nobody} {
					v, w := a.View(viewer), b.View(viewer)
					if !reflect.DeepEqual(v, w) {
						t.Fatalf("after %d shots viewer %v can tell %v from %v", shots, viewer, secret, twin)
					}
					if len(a.Events()) != len(b.Events()) {
						t.Fatalf("%d and %d events", len(a.Events()), len(b.Events()))
					}
					for i, e := range a.Events() {
						x, xSeen := e.RedactFor(viewer)
						y, ySeen := b.Events()[i].RedactFor(viewer)
						if xSeen != ySeen || !reflect.DeepEqual(x, y) {
							t.Fatalf("viewer %v can tell event %+v from %+v", viewer, x, y)
						}
					}
					if v.Fleets[match.First] != nil {
						t.Fatalf("viewer %v sees the fleet itself", viewer)
					}
				}
				if !reflect.DeepEqual(secret, twin) {
					compared++
				}
			}
		}
		if compared < 300 {
			t.Errorf("contact %v: only %d pairs of different layouts were compared", contact, compared)
		}
	}
}

func sameAnswers(a, b match.Layout, cells []match.Cell) bool {
	x, y := match.NewFleet(a), match.NewFleet(b)
	for _, c := range cells {
		if x.Fire(c) != y.Fire(c) {
			return false
		}
	}
	return true
}

// playBlind plays the second side's shots. The first side always fires at the same cell.
func playBlind(t *testing.T, rules match.Rules, first, second match.Layout, shots []match.Cell) *match.Game {
	g := match.NewGame(rules, audit.Flag)
	commands := []match.Command{match.PlaceCommand(match.First, first), match.PlaceCommand(match.Second, second)}
	for _, c := range shots {
		commands = append(commands, match.FireCommand(match.Second, c), match.FireCommand(match.First, match.NewCell(0, 0)))
	}
	for _, c := range commands {
		if g.Phase() == match.Over {
			break
		}
		if _, err := g.Apply(c); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// TestViewsHoldValuesOnly checks that a view's type contains no pointers, maps, functions or
// interfaces, through which hidden data could be reached. An event has one
// pointer, which is nil for readers who may not see the fleet.
func TestViewsHoldValuesOnly(t *testing.T) {
	var walk func(path string, typ reflect.Type)
	walk = func(path string, typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Struct:
			for i := range typ.NumField() {
				f := typ.Field(i)
				if path == "Event" && f.Name == "layout" {
					walk(path+".Layout()", reflect.TypeFor[match.Layout]())
					continue
				}
				if !f.IsExported() {
					t.Errorf("%s.%s is out of sight", path, f.Name)
				}
				walk(path+"."+f.Name, f.Type)
			}
		case reflect.Array, reflect.Slice:
			walk(path+"[]", typ.Elem())
		case reflect.Pointer, reflect.Map, reflect.Func, reflect.Interface, reflect.Chan, reflect.UnsafePointer:
			t.Errorf("%s is a %v", path, typ.Kind())
		}
	}
	walk("View", reflect.TypeFor[match.View]())
	walk("Event", reflect.TypeFor[match.Event]())

	placed := match.NewPlacedEvent(match.First, match.Classic().RandomLayout(rand.New(rand.NewPCG(1, 1))), 0)
	for _, viewer := range []match.Side{match.Second, match.Nobody} {
		if e, seen := placed.RedactFor(viewer); !seen || e.Layout() != nil {
			t.Errorf("%v sees of a fleet that is placed: %v, %v", viewer, seen, e.Layout())
		}
	}
	if e, _ := placed.RedactFor(match.First); e.Layout() == nil {
		t.Error("the side itself does not see its fleet")
	}
}
