package arena

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"broadside/match"
)

// ReplayGame finds a game in a tournament's folder, by its line in the records
// from 1 on, plays it again, which checks every answer, and tells its course
// and its end for a terminal. Errors are sentences for the person who asked.
func ReplayGame(dir string, line int) (string, error) {
	f, err := os.Open(filepath.Join(dir, recordsFile))
	if err != nil {
		return "", fmt.Errorf("the folder holds no records: %w", err)
	}
	defer f.Close()
	var settings Settings
	if err := readJSON(filepath.Join(dir, settingsFile), &settings); err != nil {
		return "", err
	}
	found := errors.New("found") // ends the reading
	n, text := 0, ""
	err = ReadRecords(f, func(r *Record, _ int64) error {
		if n++; n != line {
			return nil
		}
		var err error
		if text, err = r.course(settings.Rules); err != nil {
			return err
		}
		return found
	})
	switch {
	case errors.Is(err, found):
		return text, nil
	case err != nil:
		return "", fmt.Errorf("%s: %w", f.Name(), err)
	}
	return "", fmt.Errorf("there is no game %d: the folder holds %d", line, n)
}

// course tells a game.
func (r *Record) course(rules match.Rules) (string, error) {
	if len(r.Players) == 1 {
		return r.soloCourse(rules)
	}
	g, err := r.Replay()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s against %s, who shoots first\n\n", r.Players[0], r.Players[1])
	shots, width, move := 0, 0, "" // width: of what was written last
	for _, e := range g.Events() {
		switch e.Kind {
		case match.FleetMoved:
			if e.Move != match.Stay {
				move = "[" + e.Move.String() + "] "
			}
		case match.ShotAnswered:
			shooter := e.Side.Other()
			said := fmt.Sprintf("%s %s%v %v", r.Players[shooter], move, e.Cell, e.Result)
			move = ""
			if shots++; shooter == match.Second {
				fmt.Fprintf(&b, "%3d  %s", (shots+1)/2, said)
				width = utf8.RuneCountInString(said)
			} else {
				fmt.Fprintf(&b, "%*s%s\n", max(2, 30-width), "", said)
			}
		case match.AnswersDisputed:
			fmt.Fprintf(&b, "\n     the answers of %s cannot all be true", r.Players[e.Side])
		}
	}
	v := g.View(match.Nobody)
	b.WriteString("\n\n")
	if v.Winner == match.Nobody {
		fmt.Fprintf(&b, "Nobody won: %v.\n", v.Reason)
	} else {
		fmt.Fprintf(&b, "%s won: %v.\n", r.Players[v.Winner], v.Reason)
	}
	if r.Note != "" {
		fmt.Fprintf(&b, "%s\n", r.Note)
	}
	for side := match.First; side <= match.Second; side++ {
		fmt.Fprintf(&b, "\nThe fleet of %s:\n%s", r.Players[side], drawBoard(v.Rules, func(c match.Cell) match.Berth { return v.Board(side, c) }))
	}
	return b.String() + legend, nil
}

// soloCourse tells a game of a solo.
func (r *Record) soloCourse(rules match.Rules) (string, error) {
	if err := rules.Check(r.Fleet); err != nil {
		return "", fmt.Errorf("the record has no fleet: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, alone\n\n", r.Players[0])
	fleet, chart := match.NewFleet(r.Fleet), match.NewChart(rules)
	for i, name := range r.Cells {
		cell, err := match.ParseCell(name)
		if err != nil || !rules.Contains(cell) {
			return "", fmt.Errorf("shot %d is at %q, which is no cell of the board", i+1, name)
		}
		answer := fleet.Shoot(cell)
		chart.Record(cell, answer)
		fmt.Fprintf(&b, "%3d  %v %v\n", i+1, cell, answer)
	}
	v := match.View{Rules: rules, Charts: [2]match.Chart{match.NewChart(rules), chart}, Fleets: [2]match.Layout{r.Fleet}, Damage: [2]match.Damage{fleet.Damage()}}
	b.WriteString("\n" + drawBoard(rules, func(c match.Cell) match.Berth { return v.Board(match.First, c) }))
	return b.String() + legend, nil
}

// berthSigns are what a board shows.
var berthSigns = [...]string{match.Sea: "·", match.Splash: "o", match.Hull: "#", match.HullHit: "x", match.HullSunk: "X"}

const legend = "\n· water, o missed, # ship, x hit, X sunk\n"

// drawBoard draws a board with its names of rows and columns.
func drawBoard(rules match.Rules, berth func(match.Cell) match.Berth) string {
	var b strings.Builder
	b.WriteString(" ")
	for x := range rules.Size {
		fmt.Fprintf(&b, "%3d", x+1)
	}
	for y := range rules.Size {
		fmt.Fprintf(&b, "\n%c", 'A'+y)
		for x := range rules.Size {
			b.WriteString("  " + berthSigns[berth(match.At(x, y))])
		}
	}
	return b.String() + "\n"
}
