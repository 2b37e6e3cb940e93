package lines

import (
	"regexp"
	"slices"
	"strings"

	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/tui/term"
)

// fire fires all shots of the turn at the named cells.
func (g *game) fire(text string) {
	fired := g.chart().Fired
	cells := g.targets(text)
	if cells != nil {
		g.request(g.own.Fire(match.First, g.last.Seq, cells...), func() bool { return g.chart().Fired > fired })
	}
}

// targets returns the named cells if the player can fire at all of them. If not, it
// says why and returns nil.
func (g *game) targets(text string) []match.Cell {
	v := g.view()
	var cells []match.Cell
	for _, name := range cellNames(text) {
		cell, err := layoutfile.ParseCell(name)
		switch {
		case err != nil:
			g.fail(err)
			return nil
		case !g.isTarget(cell):
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
		g.print("You have %s this turn, but named %d. No shots were fired.", g.l.Text("%d shot||%d shots", v.Shots), len(cells))
		return nil
	}
	return cells
}

// isTarget reports whether the player can fire at a cell. If not, it says why.
func (g *game) isTarget(cell match.Cell) bool {
	if g.placing() {
		g.print("Place your fleet first: type place random, or place each ship.")
		return false
	}
	why := g.narrator.ReasonNotToFire(g.view(), cell)
	g.addMessage(why)
	return why.Key == ""
}

// cellNames returns the cell names in a text, separated by spaces or commas.
func cellNames(text string) []string {
	return strings.FieldsFunc(latinCells(text), func(r rune) bool { return r == ' ' || r == ',' })
}

// areCells reports whether a text consists only of cell names.
func areCells(text string) bool {
	names := cellNames(text)
	for _, name := range names {
		if _, err := layoutfile.ParseCell(name); err != nil {
			return false
		}
	}
	return len(names) > 0
}

// foreignCell matches a cell name in letters or digits of any keyboard, and what is before it.
var foreignCell = regexp.MustCompile(`(?:^|[^\p{L}\p{Nd}])(?:\p{L}\p{Nd}{1,2}|\p{Nd}{1,2}\p{L})`)

// latinCells returns a text with all cell names in Latin characters.
func latinCells(text string) string {
	return foreignCell.ReplaceAllStringFunc(text, term.LatinCellName)
}
