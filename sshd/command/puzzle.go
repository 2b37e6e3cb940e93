package command

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby/puzzle"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/board"
)

// showPuzzle opens the puzzles, or writes one of them, or answers it.
func (c *Call) showPuzzle() error {
	if c.opensScreen && len(c.args) == 0 {
		return c.requestScreen(session.StartScreen{Puzzles: true})
	}
	today, err := c.session.Puzzles(c.ctx)
	if err != nil {
		return err
	}
	// 0 stands for the easiest puzzle that is not one of today's.
	number, cell := 0, c.argument(1)
	next := today.NextIndex()
	if next < len(today.Puzzles) {
		number = today.Puzzles[next].Number
	}
	switch n, err := strconv.Atoi(c.argument(0)); {
	case c.argument(0) == "more" && cell == "":
		number = 0
	case err == nil && n > 0:
		number = n
	case cell != "":
		return usageErrorf("%q is not the number of a puzzle", c.argument(0))
	default:
		cell = c.argument(0)
	}
	p, err := c.session.Puzzle(c.ctx, number)
	if errors.Is(err, puzzle.ErrNone) && len(c.args) == 0 && today.IsDone() {
		p, err = today.Puzzles[next-1], nil
	}
	if err != nil || cell == "" {
		return c.writePuzzle(&today, &p, err)
	}
	at, err := match.ParseCell(cell)
	if err != nil {
		return usageError{err}
	}
	p, err = c.session.AnswerPuzzle(c.ctx, p.Number, at)
	if err != nil {
		return err
	}
	// The answer may have been today's last one.
	today, err = c.session.Puzzles(c.ctx)
	return c.writePuzzle(&today, &p, err)
}

// writePuzzle writes a puzzle, its answer if there is one, and today's result. It returns err if that is not nil.
func (c *Call) writePuzzle(today *puzzle.Today, p *puzzle.Puzzle, err error) error {
	if err != nil {
		return err
	}
	c.printLine("Puzzle %d, %s. %s", p.Number, narrate.RulesSummary(c.lang, p.Rules()), narrate.ShipsLeft(&p.Chart))
	b := board.NewChart(&p.Chart)
	if p.Answer != nil {
		b.ShowOdds(&p.Chart, p.Answer.Odds, []match.Cell{p.Answer.Best}, match.Set{})
	}
	if c.forLineMode {
		c.describeChart(&p.Chart)
	} else {
		fmt.Fprint(c.out, b.PlainText())
	}
	if p.Answer == nil {
		return c.printLine("Which shot hits most likely? To answer: puzzle %d CELL", p.Number)
	}
	fmt.Fprintln(c.out, narrate.PuzzleAnswer(c.lang, p).Text(c.lang))
	isToday := slices.ContainsFunc(today.Puzzles, func(other puzzle.Puzzle) bool { return other.Number == p.Number })
	if !isToday || !today.IsDone() {
		return nil
	}
	if c.session.State().Me.Account != "" {
		c.printLine("Your streak: %s, longest %d.", c.lang.Text("%d day||%d days", today.Streak), today.Longest)
	}
	_, err = fmt.Fprintln(c.out, narrate.PuzzlesLine(c.lang, today, c.publicAddress("/puzzles")))
	return err
}

// describeChart writes a chart in words.
func (c *Call) describeChart(chart *match.Chart) {
	for _, part := range []struct {
		text  i18n.Key
		cells match.Set
	}{
		{"Missed: %s.", chart.Shots.Minus(chart.Hits).Minus(chart.Sunk)},
		{"Hit but not sunk: %s.", chart.Hits},
		{"Sunk: %s.", chart.Sunk},
	} {
		if !part.cells.IsEmpty() {
			c.printLine(part.text, narrate.CellNames(slices.Collect(part.cells.All())...))
		}
	}
}
