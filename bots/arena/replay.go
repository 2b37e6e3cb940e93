package arena

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"broadside/match"
	"broadside/tui/board"
)

// FindRecord returns the record on a line, counted from 1, of the records file in a tournament's folder.
func FindRecord(dir string, line int) (found *Record, err error) {
	f, err := os.Open(filepath.Join(dir, recordsFile))
	if err != nil {
		return nil, fmt.Errorf("the folder contains no records: %w", err)
	}
	defer f.Close()
	n := 0
	err = ReadRecords(f, func(r *Record, _ int64) error {
		if n++; n == line {
			found = r
			return errStopReading
		}
		return nil
	})
	switch {
	case found != nil:
		return found, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return nil, fmt.Errorf("there is no game %d: the folder holds %d", line, n)
}

// errStopReading ends reading.
var errStopReading = errors.New("found")

// CourseText replays the game, checks every result, and returns all moves and shots, the end and the
// fleets as text.
func (r *Record) CourseText() (string, error) {
	g, err := r.Replay()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s against %s, who fires first\n\n", r.Players[0], r.Players[1])
	r.writeRounds(&b, g.Events())
	v := g.View(match.Nobody)
	fmt.Fprintf(&b, "\n\n%s\n", EndingText(&v, [2]string{r.Players[0], r.Players[1]}, r.ThinkingTime))
	if r.Note != "" {
		fmt.Fprintf(&b, "%s\n", r.Note)
	}
	for side := match.First; side <= match.Second; side++ {
		fmt.Fprintf(&b, "\n%s's fleet:\n%s", r.Players[side], board.NewFleet(&v, side).PlainText())
	}
	return b.String() + "\n" + BoardLegend(v.Rules), nil
}

// writeRounds writes a line per round, with both players' moves, shots and results.
func (r *Record) writeRounds(b *strings.Builder, events []match.Event) {
	shots, width, move := 0, 0, ""
	for _, e := range events {
		switch e.Kind {
		case match.FleetMoved:
			if e.Move != match.Stay {
				move = "[" + e.Move.String() + "] "
			}
		case match.ShotAnswered:
			attacker := e.Side.Other()
			text := fmt.Sprintf("%s %s%v %v", r.Players[attacker], move, e.Cell, e.Result)
			move = ""
			shots++
			if attacker == match.Second {
				fmt.Fprintf(b, "%3d  %s", (shots+1)/2, text)
				width = utf8.RuneCountInString(text)
			} else {
				fmt.Fprintf(b, "%*s%s\n", max(2, 30-width), "", text)
			}
		case match.AnswersDisputed:
			fmt.Fprintf(b, "\n     the results of %s cannot all be true", r.Players[e.Side])
		}
	}
}

// EndingText describes the end of a game: the winner, the rounds, and how long each side took to choose
// its moves and shots, if that is known.
func EndingText(v *match.View, players [2]string, thought []time.Duration) string {
	winner := "No one"
	if v.Winner != match.Nobody {
		winner = players[v.Winner]
	}
	text := fmt.Sprintf("%s won in round %d: %v.", winner, v.RoundCount(), v.Reason)
	if len(thought) == 2 {
		text += fmt.Sprintf("\nTime to choose shots: %s %d µs, %s %d µs.", players[0], thought[0].Microseconds(), players[1], thought[1].Microseconds())
	}
	return text
}

// DrawCourse replays the game and draws it like [DrawCourse].
func (r *Record) DrawCourse() ([]byte, error) {
	g, err := r.Replay()
	if err != nil {
		return nil, err
	}
	return DrawCourse(g.Rules(), [2]string{r.Players[0], r.Players[1]}, g.Events())
}

// BoardLegend explains the characters on boards under rules.
func BoardLegend(rules match.Rules) string {
	text := "~ unknown or water, ○ miss, · known to be water, ■ ship, X hit, # sunk"
	if rules.Moving {
		text += ", ◦ and ˙ older misses, x and + older hits"
	}
	return text + "\n"
}
