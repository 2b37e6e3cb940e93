package lines

import (
	"regexp"
	"slices"
	"strings"

	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/tui/term"
)

// fireAtCells fires all shots of the turn at the named cells.
func (g *game) fireAtCells(text string) {
	fired := g.enemyChart().Fired
	cells := g.parseTargets(text)
	if cells != nil {
		err := g.session.Fire(match.First, g.lastUpdate.Seq, cells...)
		g.checkAndAwait(err, func() bool { return g.enemyChart().Fired > fired })
	}
}

// parseTargets returns the named cells if the player can fire at all of them. If not, it
// says why and returns nil.
func (g *game) parseTargets(text string) []match.Cell {
	v := g.view()
	var cells []match.Cell
	for _, name := range splitCellNames(text) {
		cell, err := layoutfile.ParseCell(name)
		switch {
		case err != nil:
			g.printError(err)
			return nil
		case !g.checkTarget(cell):
			return nil
		case slices.Contains(cells, cell):
			g.print("You named %s twice. No shots were fired.", cell.String())
			return nil
		}
		cells = append(cells, cell)
	}
	switch {
	case len(cells) == 0:
		g.print("Type: fire CELL, such as fire B7.||Type fire and %d cells, such as fire B7 C3.", max(v.Shots, 1))
	case len(cells) != v.Shots:
		shots := g.lang.Text("%d shot||%d shots", v.Shots)
		g.print("You have %s this turn, but named %d. No shots were fired.", shots, len(cells))
		return nil
	}
	return cells
}

// checkTarget reports whether the player can fire at a cell. If not, it says why.
func (g *game) checkTarget(cell match.Cell) bool {
	if g.isPlacing() {
		g.print("Place your fleet first: type place random, or place each ship.")
		return false
	}
	why := g.narrator.ReasonNotToFire(g.view(), cell)
	g.addMessage(why)
	return why.Key == ""
}

// splitCellNames returns the cell names in a text, separated by spaces or commas.
func splitCellNames(text string) []string {
	return strings.FieldsFunc(latinizeCells(text), func(r rune) bool { return r == ' ' || r == ',' })
}

// isCellList reports whether a text consists only of cell names.
func isCellList(text string) bool {
	names := splitCellNames(text)
	for _, name := range names {
		if _, err := layoutfile.ParseCell(name); err != nil {
			return false
		}
	}
	return len(names) > 0
}

// foreignCell matches a cell name in letters or digits of any keyboard, and what is before it.
var foreignCell = regexp.MustCompile(`(?:^|[^\p{L}\p{Nd}])(?:\p{L}\p{Nd}{1,2}|\p{Nd}{1,2}\p{L})`)

// latinizeCells returns a text with all cell names in Latin characters.
func latinizeCells(text string) string {
	return foreignCell.ReplaceAllStringFunc(text, term.LatinCellName)
}
