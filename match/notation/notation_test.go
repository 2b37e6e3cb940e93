package notation_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"broadside/internal/test/need"
	"broadside/match"
	"broadside/match/audit"
	"broadside/match/notation"
)

// ruleSets returns the presets and some custom rules.
func ruleSets(t testing.TB) (all []match.Rules) {
	for _, name := range match.PresetNames() {
		r, err := match.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	big, err := match.CustomRules(26, 10, match.TouchNone)
	if err != nil {
		t.Fatal(err)
	}
	small := match.Rules{Name: `it's \ odd`, Size: 5, Contact: match.TouchAny, Salvo: true, Clock: 1500 * time.Millisecond,
		Fleet: []match.Class{{Name: "Größe", Length: 3}, {Name: "", Length: 2}}}
	moving := match.Rules{Name: "naval", Size: 8, Contact: match.TouchCorners, Moving: true, Clock: time.Minute,
		Fleet: []match.Class{{Name: "a", Length: 4}, {Name: "b", Length: 3}, {Name: "c", Length: 2}}}
	return append(all, big, small, moving)
}

// side is one side of a random match.
type side struct {
	layout match.Layout
	// truth is the fleet of a side that keeps its fleet.
	truth *match.Fleet
	liar  bool
}

// randomGame plays a random match to an end of any kind. The first side is ready first.
func randomGame(t testing.TB, rules match.Rules, seed uint64) notation.Game {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	g := match.NewGame(rules, []match.AuditMode{audit.Flag, audit.Forfeit, audit.Off}[rng.IntN(3)])
	// apply returns false if the game does not accept the command.
	apply := func(c match.Command) bool {
		_, err := g.Apply(c)
		return err == nil
	}
	var sides [2]side
	for i := range sides {
		s := &sides[i]
		s.layout = rules.RandomLayout(rng)
		ready := match.PlaceCommand(match.Side(i), s.layout)
		if rng.IntN(3) == 0 {
			ready = match.KeepCommand(match.Side(i))
			s.truth, s.liar = match.NewFleet(s.layout), rng.IntN(3) == 0
		}
		if rng.IntN(15) > 0 && !apply(ready) {
			t.Fatalf("seed %d: side %d cannot be ready", seed, i)
		}
	}
	length := rng.IntN(800)
	for turn := 0; g.Phase() == match.Battle && turn < length; turn++ {
		playBattle(g, &sides, rng, apply)
	}
	for g.Phase() != match.Over {
		endRandomly(rng, apply)
	}
	names := [...]string{"ann", "bob", "O'Neil", `back\slash`, "Böb", "tab\tnew\nline", ""}
	return notation.Game{
		ID: fmt.Sprintf("id%d", seed), Started: time.Date(2026, 5, 4, 18, 30, rng.IntN(60), 0, time.UTC), Rated: rng.IntN(2) == 0,
		Names: [2]string{names[rng.IntN(len(names))], names[rng.IntN(len(names))]}, Rules: rules, Events: g.Events(),
	}
}

// playBattle applies the next command of a battle.
func playBattle(g *match.Game, sides *[2]side, rng *rand.Rand, apply func(match.Command) bool) {
	turn := g.Turn()
	target := &sides[turn.Side.Other()]
	if turn.IsPending() && target.truth != nil {
		cell := turn.Targets[len(turn.Answers)]
		r := target.truth.Fire(cell)
		if target.liar && rng.IntN(12) == 0 {
			r = match.Result(1 + rng.IntN(4))
		}
		apply(match.AnswerCommand(turn.Side.Other(), cell, r))
		return
	}
	if turn.CanMove && rng.IntN(2) == 0 {
		c := match.MoveCommand(turn.Side, match.Move(rng.IntN(1+4*match.MaxShips)))
		c.Auto = rng.IntN(4) == 0
		apply(c)
	}
	chart := g.Chart(turn.Side)
	open := chart.Rules.Cells().Minus(chart.Shots)
	cell := match.NewCell(rng.IntN(chart.Rules.Size), rng.IntN(chart.Rules.Size))
	if n := open.Len(); n > 0 && rng.IntN(30) > 0 {
		cell = open.Nth(rng.IntN(n))
	}
	c := match.FireCommand(turn.Side, cell)
	c.Auto = rng.IntN(10) == 0
	apply(c)
}

// endRandomly applies a random command that may end a game.
func endRandomly(rng *rand.Rand, apply func(match.Command) bool) {
	s := match.Side(rng.IntN(2))
	reasons := []match.Reason{match.Resigned, match.Left, match.Silent, match.WrongCell, match.Removed, match.Removed, match.Contradiction}
	why := reasons[rng.IntN(len(reasons))]
	switch rng.IntN(3) {
	case 0:
		apply(match.AbortCommand(s, why))
	case 1:
		apply(match.VoidCommand([]match.Reason{match.Closed, match.Endless}[rng.IntN(2)]))
	case 2:
		apply(match.ForfeitCommand(s, why))
	}
}

// sweepGame returns the longest classic game in which no side fires at a cell twice, with names and
// an ID of the maximum length.
func sweepGame(t testing.TB) notation.Game {
	rules := match.Classic()
	rng := rand.New(rand.NewPCG(1, 1))
	g := match.NewGame(rules, audit.Forfeit)
	var hulls [2]match.Set
	for side := range hulls {
		layout := rules.RandomLayout(rng)
		hulls[side] = layout.Cells()
		if _, err := g.Apply(match.PlaceCommand(match.Side(side), layout)); err != nil {
			t.Fatal(err)
		}
	}
	// The sides fire at water first.
	for g.Phase() != match.Over {
		turn := g.Turn()
		chart := g.Chart(turn.Side)
		open := rules.Cells().Minus(chart.Shots)
		if water := open.Minus(hulls[turn.Side.Other()]); water.Len() > 0 {
			open = water
		}
		if _, err := g.Apply(match.FireCommand(turn.Side, open.Nth(0))); err != nil {
			t.Fatal(err)
		}
	}
	name := strings.Repeat("m", 16)
	return notation.Game{ID: strings.Repeat("w", 12), Started: time.Now(), Names: [2]string{name, name}, Rules: rules, Events: g.Events()}
}

func TestSize(t *testing.T) {
	g := sweepGame(t)
	line, err := g.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	if fired := g.Events[len(g.Events)-1]; len(g.Events) < 2*199 || fired.Reason != match.FleetSunk || len(line) > 600 {
		t.Errorf("a game of %d events has %d bytes: %s", len(g.Events), len(line), line)
	}
}

func TestUnfinished(t *testing.T) {
	g := sweepGame(t)
	g.Events = g.Events[:len(g.Events)-1]
	if _, err := g.Append(nil); !errors.Is(err, notation.ErrUnfinished) {
		t.Errorf("Append = %v, want ErrUnfinished", err)
	}
}

// TestProlog checks that Prolog reads games. Prolog writes each game again, and then its shots, as
// the program in docs/records.md decodes them.
func TestProlog(t *testing.T) {
	swipl := need.Tool(t, "swipl")
	doc, err := os.ReadFile("../../docs/records.md")
	if err != nil {
		t.Fatal(err)
	}
	_, decoder, _ := strings.Cut(string(doc), "```prolog\n")
	decoder, _, _ = strings.Cut(decoder, "```")
	const program = `
		copy(S) :- read(S, T), ( T == end_of_file -> true ; again(T), copy(S) ).
		again(T) :- T =.. [game|A], length(A, 11), writeq(T), write('.\n'),
			arg(8, T, Text), atom_codes(Text, Codes), phrase(shots(Shots), Codes), print(Shots), nl.
		main :- set_stream(user_output, encoding(utf8)),
			current_prolog_flag(argv, A), last(A, F), open(F, read, S, [encoding(utf8)]), copy(S).`
	games, file := manyGames(t)
	dir := t.TempDir()
	source, data := filepath.Join(dir, "copy.pl"), filepath.Join(dir, "games.pl")
	if err := errors.Join(os.WriteFile(source, []byte(decoder+program), 0o600), os.WriteFile(data, file, 0o600)); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), swipl, "-q", "-g", "main", "-t", "halt", source, "--", data).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := strings.Split(string(out), "\n")
	if len(lines) != 2*len(games)+1 {
		t.Fatalf("Prolog has read %d of %d games:\n%s", len(lines)/2, len(games), out)
	}
	for i, g := range games {
		if got, want := lines[2*i+1], shotText(g.Events); got != want {
			t.Errorf("the shots of game %d are\n%s\nnot\n%s", i, got, want)
		}
		if strings.ContainsAny(g.Names[0]+g.Names[1], "\t\n") {
			// Prolog writes other escape sequences.
			continue
		}
		line, err := g.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		unquote := strings.NewReplacer("'", "", "\n", "").Replace
		if got, want := unquote(lines[2*i]), unquote(string(line)); got != want {
			t.Errorf("game %d was written as %s, want %s", i, got, want)
		}
	}
}

// manyGames returns games of all rule sets, and the file of their lines.
func manyGames(t *testing.T) (games []notation.Game, file []byte) {
	for _, rules := range ruleSets(t) {
		for seed := range uint64(8) {
			g := randomGame(t, rules, seed)
			var err error
			if file, err = g.Append(file); err != nil {
				t.Fatal(err)
			}
			games = append(games, g)
		}
	}
	return games, file
}

// shotText returns the shots and their results as a list of Prolog.
func shotText(events []match.Event) string {
	results := [...]string{"none", "water", "hit", "sunk", "last"}
	var all []string
	var waiting []match.Cell
	write := func(r match.Result) {
		all = append(all, fmt.Sprintf("shot(%d,%d,%s)", waiting[0].Y+1, waiting[0].X+1, results[r]))
		waiting = waiting[1:]
	}
	for _, e := range events {
		switch e.Kind {
		case match.ShotFired:
			waiting = append(waiting, e.Cell)
		case match.ShotAnswered:
			write(e.Result)
		}
	}
	for len(waiting) > 0 {
		write(0)
	}
	return "[" + strings.Join(all, ",") + "]"
}

func BenchmarkAppend(b *testing.B) {
	g := sweepGame(b)
	var line []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if line, err = g.Append(line[:0]); err != nil {
			b.Fatal(err)
		}
	}
}
