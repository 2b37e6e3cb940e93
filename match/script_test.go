package match_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"broadside/match"
	"broadside/match/audit"
	"broadside/match/layoutfile"
)

// TestScripts runs the matches in testdata/*.txt. A script has one line for each command and one
// line for each condition that must hold then:
//
//	rules NAME                     the rule set; first line
//	audit flag|forfeit|off         what a contradiction leads to
//	place SIDE SHIP; SHIP; …       a fleet, as in layout files
//	keep SIDE                      the side reports results itself
//	fire SIDE CELL…                fires at cells
//	answer SIDE CELL RESULT        gives a shot's result
//	move SIDE MOVE                 moves a ship, such as 3F; - stays
//	resign SIDE                    resigns
//	refused TEXT                   the previous line was refused, with this text in the error
//	results RESULT, …              the results of the last turn
//	shots SIDE N                   how many shots the turn has
//	phase placing|battle|over      the game's phase
//	turn SIDE                      whose turn it is
//	chart SIDE CELL… = MARK        what a side knows of the cells
//	row SIDE LETTER MARKS          its marks of a row: . unknown, o missed, ~ deduced, x hit, # sunk
//	age SIDE CELL N                how many shots ago the side fired there, -1 for never
//	may SIDE MOVE…                 all legal moves of a side that may move
//	afloat SIDE N                  ships that the side still has to sink
//	own SIDE CELL… = STATE         what a side's own board shows
//	disputed SIDE                  the side's results cannot all be true
//	winner SIDE REASON             who won, and why
//	abort SIDE                     ends the match before it counts
//	remove SIDE                    removes the other side before the battle
//
// A side is first, second or nobody. Lines that start with # are comments.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var s script
			for i, line := range strings.Split(string(text), "\n") {
				if strings.HasPrefix(line, "#") {
					continue
				}
				words := strings.Fields(line)
				if len(words) == 0 {
					continue
				}
				if words[0] != "refused" && s.err != nil {
					t.Fatalf("line %d: %v", i, s.err)
				}
				if err := s.run(words); err != nil {
					t.Fatalf("line %d: %s: %v", i+1, line, err)
				}
			}
			if s.err != nil {
				t.Fatal(s.err)
			}
			// Every script's events must also replay.
			again, err := match.Replay(s.rules, s.mode, s.game().Events())
			if err != nil {
				t.Fatal(err)
			}
			checkSameGame(t, s.game(), again)
		})
	}
}

type script struct {
	rules match.Rules
	mode  audit.Mode
	g     *match.Game
	// err is the last command's error, until a line says that it was refused.
	err error

	// shooter fired the last shot.
	shooter match.Side
}

func (s *script) game() *match.Game {
	if s.g == nil {
		s.g = match.NewGame(s.rules, s.mode)
	}
	return s.g
}

func (s *script) run(words []string) error {
	var err error
	arg := strings.Join(words[1:], " ")
	switch words[0] {
	case "rules":
		s.rules, err = match.Preset(arg)
		return err
	case "audit":
		mode, ok := map[string]audit.Mode{"flag": audit.Flag, "forfeit": audit.Forfeit, "off": audit.Off}[arg]
		if !ok {
			return fmt.Errorf("no audit mode")
		}
		s.mode = mode
		return nil
	case "refused":
		if s.err == nil || !strings.Contains(s.err.Error(), arg) {
			return fmt.Errorf("the error is %v", s.err)
		}
		s.err = nil
		return nil
	case "phase":
		return checkEqual([...]string{"placing", "battle", "over"}[s.game().Phase()], arg)
	case "results":
		turn := s.game().View(match.Nobody).Last[s.shooter]
		results := make([]string, len(turn))
		for i, shot := range turn {
			results[i] = shot.Result.String()
		}
		return checkEqual(strings.Join(results, ", "), arg)
	}
	side, err := parseSide(words[1])
	if err != nil {
		return err
	}
	v := s.game().View(side)
	rest := words[2:]
	switch words[0] {
	case "place":
		layouts, err := layoutfile.Parse(s.rules, strings.ReplaceAll(strings.Join(rest, " "), ";", "\n"))
		if err != nil {
			s.err = err
			return nil
		}
		s.apply(match.PlaceCommand(side, layouts[0]))
	case "keep":
		s.apply(match.KeepCommand(side))
	case "move":
		move, err := match.ParseMove(rest[0])
		if err != nil {
			s.err = err
			return nil
		}
		s.apply(match.MoveCommand(side, move))
	case "age":
		cell, err := match.ParseCell(rest[0])
		if err != nil {
			return err
		}
		return checkEqual(strconv.Itoa(v.Charts[side].ShotAge(cell)), rest[1])
	case "may":
		status := v.FleetStatus(side)
		var moves []string
		for _, m := range status.LegalMoves() {
			moves = append(moves, m.String())
		}
		return checkEqual(fmt.Sprint(v.CanMove, moves), fmt.Sprint(true, rest))
	case "abort":
		s.apply(match.AbortCommand(side, match.Resigned))
	case "remove":
		s.apply(match.AbortCommand(side, match.Removed))
	case "resign":
		s.apply(match.ForfeitCommand(side, match.Resigned))
	case "fire":
		cells := make([]match.Cell, len(rest))
		for i, text := range rest {
			if cells[i], err = match.ParseCell(text); err != nil {
				return err
			}
		}
		s.apply(match.FireCommand(side, cells...))
		s.shooter = side
	case "answer":
		cell, err := match.ParseCell(rest[0])
		if err != nil {
			return err
		}
		for r := match.Miss; r <= match.LastSunk; r++ {
			if r.String() == strings.Join(rest[1:], " ") {
				s.apply(match.AnswerCommand(side, cell, r))
				return nil
			}
		}
		return fmt.Errorf("unknown result")
	case "shots":
		return checkEqual(strconv.Itoa(v.Shots), rest[0])
	case "turn":
		if v.Phase != match.Battle || v.Turn != side {
			return fmt.Errorf("phase %v, turn %v", v.Phase, v.Turn)
		}
	case "chart", "own":
		cells, want, _ := strings.Cut(strings.Join(rest, " "), " = ")
		for _, text := range strings.Fields(cells) {
			cell, err := match.ParseCell(text)
			if err != nil {
				return err
			}
			got := markNames[v.Charts[side].Mark(cell)]
			if words[0] == "own" {
				own := v.Board(side)
				got = [...]string{"sea", "splash", "sea", "hull", "hit", "sunk"}[own.Square(cell).State]
			}
			if got != want {
				return fmt.Errorf("%v is %s", cell, got)
			}
		}
	case "row":
		return checkEqual(chartRow(&v.Charts[side], int(rest[0][0]-'A')), rest[1])
	case "afloat":
		return checkEqual(strconv.Itoa(v.Charts[side].ShipsAfloat()), rest[0])
	case "disputed":
		if !v.Disputed[side] {
			return fmt.Errorf("side %s is not disputed", words[1])
		}
	case "winner":
		if v.Phase != match.Over || v.Winner != side {
			return fmt.Errorf("phase %v, winner %v", v.Phase, v.Winner)
		}
		return checkEqual(v.Reason.String(), rest[0])
	default:
		return fmt.Errorf("not a line of a script")
	}
	return nil
}

func (s *script) apply(c match.Command) { _, s.err = s.game().Apply(c) }

func checkEqual(got, want string) error {
	if got != want {
		return fmt.Errorf("got %q, want %q", got, want)
	}
	return nil
}

func parseSide(s string) (match.Side, error) {
	for side, name := range [...]string{"first", "second", "nobody"} {
		if s == name {
			return match.Side(side), nil
		}
	}
	return 0, fmt.Errorf("no side %q", s)
}

var markNames = [...]string{match.Unknown: "unknown", match.Missed: "missed", match.Deduced: "deduced", match.Struck: "hit", match.Wrecked: "sunk"}

// chartRow draws a row of a chart.
func chartRow(c *match.Chart, y int) string {
	row := make([]byte, c.Rules.Size)
	for x := range row {
		row[x] = ".o~x#"[c.Mark(match.NewCell(x, y))]
	}
	return string(row)
}
