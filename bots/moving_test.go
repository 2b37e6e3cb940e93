package bots

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"broadside/match"
)

// sinkMoving lets a bot sink a moving fleet and returns the number of shots. Every shot
// must be useful and every move legal.
func sinkMoving(t testing.TB, rules match.Rules, shooter, target Bot) int {
	t.Helper()
	fleet, chart := match.NewFleet(target.Place()), match.NewChart(rules)
	for {
		if chart.Fired > 0 && fleet.ShipsAfloat() > match.LastShips {
			status := fleet.Status(rules, chart.Log)
			move := target.Move(status)
			if err := fleet.ApplyMove(status, move); err != nil {
				t.Fatalf("move %v after %d shots: %v", move, chart.Fired, err)
			}
		}
		cell := shooter.Fire(&chart)
		open := chart.OpenCells()
		if !open.Has(cell) {
			t.Fatalf("shot %d at %v is wasted", chart.Fired+1, cell)
		}
		r := fleet.Fire(cell)
		chart.Record(cell, r)
		if r == match.LastSunk {
			return chart.Fired
		}
		if chart.Fired > rules.ShotLimit() {
			t.Fatal("it comes to no end")
		}
	}
}

// TestBotsWhereShipsMove lets every bot play against every mover under several rules. No
// shot may be wasted and no move illegal.
func TestBotsWhereShipsMove(t *testing.T) {
	small := customRules(t, 7, 4, match.TouchCorners)
	small.Moving = true
	touching := customRules(t, 8, 4, match.TouchAny)
	touching.Moving = true
	for _, rules := range []match.Rules{match.Naval(), small, touching} {
		for _, info := range All() {
			name := info.Name + map[string]string{"grid": ":4,1,1", "sequence": ":rows"}[info.Name]
			for i, mover := range Movers() {
				rng := rand.New(rand.NewPCG(uint64(i), 5))
				rows := func(string) ([]byte, error) { return rowByRow(rules.Size), nil }
				shooter, err := New(name, Config{Rules: rules, Rand: rng, ReadFile: rows})
				if err != nil {
					t.Fatal(err)
				}
				target, err := New("easy", Config{Rules: rules, Rand: rng, Mover: mover.Name})
				if err != nil {
					t.Fatal(err)
				}
				sinkMoving(t, rules, shooter, target)
			}
		}
	}
}

func TestDriftTriesInOrder(t *testing.T) {
	rules := match.Naval()
	rng := rand.New(rand.NewPCG(1, 1))
	layout := rules.RandomLayout(rng)
	status := match.FleetStatus{Rules: rules, Layout: layout, EnemyShots: []match.Shot{{Cell: match.NewCell(0, 0), Result: match.Miss, Number: 1}}}
	legal := status.LegalMoves()
	passed, moved := 0, map[int]bool{}
	for range 500 {
		move := (&driftMover{base: base{rules: rules, rng: rng}}).Move(status)
		if move == match.Stay {
			passed++
			continue
		}
		moved[move.ShipIndex()] = true
		// This is the ship's first legal move.
		for _, m := range legal {
			if m.ShipIndex() == move.ShipIndex() {
				if m != move {
					t.Fatalf("%v before %v", move, m)
				}
				break
			}
		}
		if (&driftMover{base: base{rules: rules, rng: rng}, forced: true}).Move(status) == match.Stay {
			t.Fatal("forced, it passed although a ship can move")
		}
	}
	stuck := 0
	for i := range layout {
		if !slices.ContainsFunc(legal, func(m match.Move) bool { return m.ShipIndex() == i }) {
			stuck++
		}
	}
	if len(moved) != len(layout)-stuck || (passed > 0) != (stuck > 0) {
		t.Errorf("%d ships moved, %d passes, %d ships cannot move", len(moved), passed, stuck)
	}
}

func TestSequences(t *testing.T) {
	rules := match.Naval()
	rng := rand.New(rand.NewPCG(2, 3))
	for _, distances := range [][]int{{1}, {7}, {3, 11}, {99}, {50}} {
		order, err := PatternSequence(rules, distances)
		if err != nil || len(order) != 100 || match.SetOf(order...) != rules.Cells() {
			t.Errorf("distances %v: %d cells, %v", distances, len(order), err)
		}
	}
	for _, bad := range [][]int{nil, {0}, {-3}, {100}} {
		if _, err := PatternSequence(rules, bad); err == nil {
			t.Errorf("distances %v were taken", bad)
		}
	}
	steps := RandomSteps(rules, RandomSequence(rules, rng), rng)
	for _, line := range []int{1, 10, 100} {
		back, err := ParseSequence(rules, FormatSequence(steps, line))
		if err != nil {
			t.Fatal(err)
		}
		for i := range back {
			want := steps[i]
			if want.Action == "-" {
				want.Ship = 0
			}
			if back[i] != want {
				t.Fatalf("step %d came back as %+v, not %+v", i+1, back[i], want)
			}
		}
	}
}

// TestSequencePlacement runs the sequence files of placements and strategies.
func TestSequencePlacement(t *testing.T) {
	rules := match.Naval()
	file := filepath.Join(t.TempDir(), "start.txt")
	order, err := PatternSequence(rules, []int{7})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(FormatSequence(RandomSteps(rules, order, rand.New(rand.NewPCG(1, 2))), 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 4))
	seen := map[match.Ship]bool{}
	for _, offset := range []string{"0", "25", "99"} {
		bot, err := New("sequence:"+file, Config{Rules: rules, Rand: rng, Placement: "sequence:" + file + ":" + offset, ReadFile: os.ReadFile})
		if err != nil {
			t.Fatal(err)
		}
		l := bot.Place()
		if err := rules.CheckLayout(l); err != nil {
			t.Error(err)
		}
		seen[l[0]] = true
		target, err := New("easy", Config{Rules: rules, Rand: rng})
		if err != nil {
			t.Fatal(err)
		}
		// The bot fires by the file.
		sinkMoving(t, rules, bot, target)
		// The bot moves by the file.
		sinkMoving(t, rules, target, bot)
		another, err := New("sequence:"+file, Config{Rules: rules, Rand: rng, ReadFile: os.ReadFile})
		if err != nil {
			t.Fatal(err)
		}
		moved, chart := false, match.NewChart(rules)
		for range 30 {
			chart.Record(another.Fire(&chart), match.Miss)
			status := match.FleetStatus{Rules: rules, Layout: l, EnemyShots: chart.Log}
			moved = moved || another.Move(status) != match.Stay
		}
		if !moved {
			t.Error("the file moves no ship")
		}
	}
	if len(seen) != 3 {
		t.Error("the offset makes no difference")
	}
	for offset, same := range map[int]int{125: 25, 100: 0, 1000099: 99, -1: 99, -100: 0} {
		want, err1 := SequenceLayout(rules, order, same)
		bot, err2 := New("easy", Config{Rules: rules, Rand: rng, Placement: fmt.Sprintf("sequence:%s:%d", file, offset), ReadFile: os.ReadFile})
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if got := bot.Place(); !slices.Equal(got, want) {
			t.Errorf("offset %d places %v, offset %d %v", offset, got, same, want)
		}
	}
	for _, bad := range []string{"sequence", "sequence:", "sequence:" + file, "sequence:" + file + ":99999999999999999999", "sequence:" + file + ":x", "sequence:nowhere:1"} {
		if _, err := New("easy", Config{Rules: rules, Rand: rng, Placement: bad, ReadFile: os.ReadFile}); err == nil {
			t.Errorf("the placement %s was taken", bad)
		}
	}
	if _, err := New("easy", Config{Rules: rules, Rand: rng, Mover: "swim"}); err == nil || !strings.Contains(err.Error(), "evade") {
		t.Errorf("an unknown mover: %v", err)
	}
}

// TestStepMoves checks that north and the other directions are forward or backward along
// the keel.
func TestStepMoves(t *testing.T) {
	l := match.Layout{{Stern: match.NewCell(2, 2), Heading: match.East, Length: 3}}
	for action, want := range map[string]match.Move{
		"E": match.NewMove(0, match.Forward), "W": match.NewMove(0, match.Backward), "N": match.Stay, "S": match.Stay,
		"CW": match.NewMove(0, match.Clockwise), "CCW": match.NewMove(0, match.Anticlockwise), "-": match.Stay, "": match.Stay,
	} {
		if got := (Step{Action: action, Ship: 1}).Move(l); got != want {
			t.Errorf("%q moves %v, not %v", action, got, want)
		}
	}
	if got := (Step{Action: "E", Ship: 2}).Move(l); got != match.Stay {
		t.Errorf("a ship that there is not moves %v", got)
	}
}
