package notation_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"broadside/internal/test/need"
	"broadside/match"
	"broadside/match/audit"
	"broadside/match/notation"
)

// ruleSets returns the presets and some custom rules.
func ruleSets(t testing.TB) (all []match.Rules) {
	for _, name := range match.Presets() {
		r, err := match.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	big, err := match.Custom(26, 10, match.TouchNone)
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
	truth  *match.Fleet // of a side that keeps its fleet
	liar   bool
}

// random plays a random match to an end of any kind. The first side is ready first.
func random(t testing.TB, rules match.Rules, seed uint64) notation.Game {
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
		ready := match.Place(match.Side(i), s.layout)
		if rng.IntN(3) == 0 {
			ready = match.Keep(match.Side(i))
			s.truth, s.liar = match.NewFleet(s.layout), rng.IntN(3) == 0
		}
		if rng.IntN(15) > 0 && !apply(ready) {
			t.Fatalf("seed %d: side %d cannot be ready", seed, i)
		}
	}
	length := rng.IntN(800)
	for turn := 0; g.Phase() == match.Battle && turn < length; turn++ {
		battle(g, &sides, rng, apply)
	}
	for g.Phase() != match.Over {
		finish(rng, apply)
	}
	names := [...]string{"ann", "bob", "O'Neil", `back\slash`, "Böb", "tab\tnew\nline", ""}
	return notation.Game{
		ID: fmt.Sprintf("id%d", seed), Started: time.Date(2026, 5, 4, 18, 30, rng.IntN(60), 0, time.UTC), Rated: rng.IntN(2) == 0,
		Names: [2]string{names[rng.IntN(len(names))], names[rng.IntN(len(names))]}, Rules: rules, Events: g.Events(),
	}
}

// battle applies the next command of a battle.
func battle(g *match.Game, sides *[2]side, rng *rand.Rand, apply func(match.Command) bool) {
	turn := g.Turn()
	target := &sides[turn.Side.Other()]
	if turn.Pending() && target.truth != nil {
		cell := turn.Targets[len(turn.Answers)]
		r := target.truth.Shoot(cell)
		if target.liar && rng.IntN(12) == 0 {
			r = match.Result(1 + rng.IntN(4))
		}
		apply(match.Answer(turn.Side.Other(), cell, r))
		return
	}
	if turn.Move && rng.IntN(2) == 0 {
		c := match.Sail(turn.Side, match.Move(rng.IntN(1+4*match.MaxShips)))
		c.Auto = rng.IntN(4) == 0
		apply(c)
	}
	chart := g.Chart(turn.Side)
	open := chart.Rules.Board().Minus(chart.Shots)
	cell := match.At(rng.IntN(chart.Rules.Size), rng.IntN(chart.Rules.Size))
	if n := open.Len(); n > 0 && rng.IntN(30) > 0 {
		cell = open.Nth(rng.IntN(n))
	}
	c := match.Fire(turn.Side, cell)
	c.Auto = rng.IntN(10) == 0
	apply(c)
}

// finish applies a random command that may end a game.
func finish(rng *rand.Rand, apply func(match.Command) bool) {
	s := match.Side(rng.IntN(2))
	reasons := []match.Reason{match.Resigned, match.Left, match.Silent, match.WrongCell, match.Removed, match.Removed, match.Contradiction}
	why := reasons[rng.IntN(len(reasons))]
	switch rng.IntN(3) {
	case 0:
		apply(match.Abort(s, why))
	case 1:
		apply(match.Void([]match.Reason{match.Closed, match.Endless}[rng.IntN(2)]))
	case 2:
		apply(match.Forfeit(s, why))
	}
}

// TestExact checks that random games of all rule sets are read back as they were.
func TestExact(t *testing.T) {
	ends := map[match.Reason]int{}
	for _, rules := range ruleSets(t) {
		for seed := range uint64(40) {
			g := random(t, rules, seed)
			ends[g.Events[len(g.Events)-1].Reason]++
			line, err := g.Append(nil)
			if err != nil {
				t.Fatal(err)
			}
			back, err := notation.Parse(string(line))
			if err != nil {
				t.Fatalf("%s, seed %d: %v\n%s", rules.Name, seed, err, line)
			}
			if !reflect.DeepEqual(back, g) {
				t.Fatalf("%s, seed %d: the game was read as\n%+v\nnot\n%+v\n%s", rules.Name, seed, back, g, line)
			}
		}
	}
	for _, r := range []match.Reason{match.FleetSunk, match.Resigned, match.Closed, match.Contradiction, match.Aborted, match.Removed} {
		if ends[r] == 0 {
			t.Errorf("no game has ended with %v: %v", r, ends)
		}
	}
}

// sweep returns the longest classic game in which no side fires at a cell twice, with names and
// an ID of the maximum length.
func sweep(t testing.TB) notation.Game {
	rules := match.Classic()
	rng := rand.New(rand.NewPCG(1, 1))
	g := match.NewGame(rules, audit.Forfeit)
	var hulls [2]match.Set
	for side := range hulls {
		layout := rules.RandomLayout(rng)
		hulls[side] = layout.Cells()
		if _, err := g.Apply(match.Place(match.Side(side), layout)); err != nil {
			t.Fatal(err)
		}
	}
	for g.Phase() != match.Over { // at water first
		turn := g.Turn()
		chart := g.Chart(turn.Side)
		open := rules.Board().Minus(chart.Shots)
		if water := open.Minus(hulls[turn.Side.Other()]); water.Len() > 0 {
			open = water
		}
		if _, err := g.Apply(match.Fire(turn.Side, open.Nth(0))); err != nil {
			t.Fatal(err)
		}
	}
	name := strings.Repeat("m", 16)
	return notation.Game{ID: strings.Repeat("w", 12), Started: time.Now(), Names: [2]string{name, name}, Rules: rules, Events: g.Events()}
}

func TestSize(t *testing.T) {
	g := sweep(t)
	line, err := g.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	if fired := g.Events[len(g.Events)-1]; len(g.Events) < 2*199 || fired.Reason != match.FleetSunk || len(line) > 600 {
		t.Errorf("a game of %d events has %d bytes: %s", len(g.Events), len(line), line)
	}
}

func TestErrors(t *testing.T) {
	g := random(t, match.Classic(), 3)
	g.Names, g.Rated = [2]string{"ann", "bob"}, true
	b, err := g.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	line := string(b)
	replace := func(old, by string) string {
		if !strings.Contains(line, old) {
			t.Fatalf("%s does not contain %s", line, old)
		}
		return strings.Replace(line, old, by, 1)
	}
	for name, bad := range map[string]string{
		"empty":                 "",
		"cut off":               line[:len(line)/2],
		"no full stop":          strings.TrimSuffix(line, ".\n"),
		"two games":             line + line,
		"another term":          replace("game(", "match("),
		"other rules":           replace(",classic,", ",hasbrö,"),
		"a missing name":        replace("'ann',", ""),
		"a name that is a list": replace("'ann'", "[]"),
		"an unknown escape":     replace("ann", `a\nn`),
		"a date that is none":   replace("2026-05", "2026-25"),
		"a clock that is none":  replace(",classic,0", ",classic,x"),
		"another stake":         replace(",rated,", ",maybe,"),
		"deep":                  "game(" + strings.Repeat("[", 1000),
		"too long":              line + strings.Repeat(" ", 1<<20),
		"not UTF-8":             replace("ann", "a\xffn"),
	} {
		if _, err := notation.Parse(bad); err == nil {
			t.Errorf("%s: %s was read without an error", name, bad)
		}
	}
	g.Events = g.Events[:len(g.Events)-1]
	if _, err := g.Append(nil); !errors.Is(err, notation.ErrUnfinished) {
		t.Errorf("an unfinished game was written: %v", err)
	}
}

// TestRead reads lines with all line endings, one byte at a time.
func TestRead(t *testing.T) {
	g := sweep(t)
	game, err := g.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll("% comment\r\n\rGAME\r\nbad\nGAME\rGAME", "GAME", strings.TrimSpace(string(game)))
	var good, bad []int
	err = notation.Read(iotest.OneByteReader(strings.NewReader(text)), func(line int, _ *notation.Game, err error) error {
		if err != nil {
			bad = append(bad, line)
		} else {
			good = append(good, line)
		}
		return nil
	})
	if err != nil || !slices.Equal(good, []int{3, 5, 6}) || !slices.Equal(bad, []int{4}) {
		t.Errorf("games in lines %v, errors in lines %v, %v", good, bad, err)
	}
}

// TestTampered checks that a game with another result, winner or reason is refused.
func TestTampered(t *testing.T) {
	g := sweep(t)
	b, err := g.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	line := string(b)
	results := strings.Index(line, "]],'")
	if results < 0 {
		t.Fatalf("the line has no results: %s", line)
	}
	from := results + len("]],'")
	to := from + strings.IndexByte(line[from:], '\'')
	for i := from; i < to; i++ {
		if c := line[i]; c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			if _, err := notation.Parse(line[:i] + string(c^0x20) + line[i+1:]); err == nil {
				t.Fatalf("another result at %d was accepted", i)
			}
		}
	}
	for _, bad := range []string{
		strings.NewReplacer("1,sunk).", "2,sunk).", "2,sunk).", "1,sunk).").Replace(line),
		strings.Replace(line, ",sunk).", ",resigned).", 1),
		strings.Replace(line, ",[],", ",[void(closed)],", 1),
	} {
		if _, err := notation.Parse(bad); err == nil {
			t.Errorf("another ending was accepted: %s", bad[to:])
		}
	}
}

// TestProlog lets Prolog read games. Prolog writes each game again, and then its shots, as the
// program in docs/records.md decodes them.
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
		if got, want := lines[2*i+1], shotsOf(g.Events); got != want {
			t.Errorf("the shots of game %d are\n%s\nnot\n%s", i, got, want)
		}
		if strings.ContainsAny(g.Names[0]+g.Names[1], "\t\n") {
			continue // Prolog writes other escape sequences
		}
		if back, err := notation.Parse(lines[2*i]); err != nil || !reflect.DeepEqual(back, g) {
			t.Errorf("game %d was written as %s: %v", i, lines[2*i], err)
		}
	}
}

// manyGames returns games of all rule sets, and the file of their lines.
func manyGames(t *testing.T) (games []notation.Game, file []byte) {
	for _, rules := range ruleSets(t) {
		for seed := range uint64(8) {
			g := random(t, rules, seed)
			var err error
			if file, err = g.Append(file); err != nil {
				t.Fatal(err)
			}
			games = append(games, g)
		}
	}
	return games, file
}

// shotsOf returns the shots and their results as a list of Prolog.
func shotsOf(events []match.Event) string {
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

// FuzzParse reads any line. A game that can be read is written and read again unchanged.
func FuzzParse(f *testing.F) {
	for _, rules := range ruleSets(f) {
		if rules.Size > 10 {
			continue
		}
		for seed := range uint64(4) {
			g := random(f, rules, seed)
			line, err := g.Append(nil)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(line))
		}
	}
	f.Add("game('','',rules(x,5,any,single,[ship(a,2)]),0.5,casual,[a,b],[[a1e],[]],'',[forfeit(2,left)],1,left).")
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Count(line, "ship(") > 3 {
			return // the rules are given a bounded number of tries to place their fleet, which is slow
		}
		g, err := notation.Parse(line)
		if err != nil {
			return
		}
		once, err := g.Append(nil)
		if err != nil {
			t.Fatalf("%q was read but cannot be written: %v", line, err)
		}
		back, err := notation.Parse(string(once))
		if err != nil || !reflect.DeepEqual(g, back) {
			t.Fatalf("%q became %q: %v", line, once, err)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	benchmark(b, func(line string, _ notation.Game) error { _, err := notation.Parse(line); return err })
}

func BenchmarkAppend(b *testing.B) {
	var room []byte
	benchmark(b, func(_ string, g notation.Game) (err error) { room, err = g.Append(room[:0]); return err })
}

func benchmark(b *testing.B, f func(line string, g notation.Game) error) {
	g := sweep(b)
	line, err := g.Append(nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := f(string(line), g); err != nil {
			b.Fatal(err)
		}
	}
}
