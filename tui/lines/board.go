package lines

import (
	"slices"
	"strconv"
	"strings"

	"broadside/internal/narrate"
	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/tui/term"
)

// boardDescription describes a board in words. exactCellText has more detail than cellText.
type boardDescription struct {
	*output
	rules         match.Rules
	cellText      func(match.Cell) string
	exactCellText func(match.Cell) string
}

func (o *output) newChartDescription(c *match.Chart) boardDescription {
	mark := func(cell match.Cell) string { return o.lang.Text(narrate.MarkName(c.Mark(cell))) }
	b := boardDescription{output: o, rules: c.Rules, cellText: mark, exactCellText: mark}
	if !c.Rules.Moving {
		return b
	}
	blocked := c.BlockedCells()
	b.cellText = func(cell match.Cell) string {
		switch m := c.Mark(cell); {
		case m != match.Missed && m != match.Struck || blocked.Has(cell):
			return mark(cell)
		case c.ShotAge(cell) < match.LongAgo:
			return o.lang.Text("%s some shots ago", narrate.MarkName(m))
		default:
			return o.lang.Text("%s long ago", narrate.MarkName(m))
		}
	}
	b.exactCellText = func(cell match.Cell) string {
		age, m := c.ShotAge(cell), c.Mark(cell)
		if age <= 0 || m != match.Missed && m != match.Struck {
			return mark(cell)
		}
		return o.lang.Text("%s, %d shot ago||%s, %d shots ago", narrate.MarkName(m), age)
	}
	return b
}

// newFleetDescription describes the board of a side whose fleet is visible.
func (o *output) newFleetDescription(v *match.View, side match.Side) boardDescription {
	own := v.Board(side)
	at := func(cell match.Cell) string {
		name := narrate.ShipNameAt(v.Rules, v.Fleets[side], cell).Text(o.lang)
		switch own.Square(cell).State {
		case match.SeaMiss:
			return o.lang.Text("missed")
		case match.Hull:
			return name
		case match.HullHit:
			return o.lang.Text("%s hit", name)
		case match.HullSunk:
			return o.lang.Text("%s sunk", name)
		}
		return o.lang.Text("water")
	}
	return boardDescription{o, v.Rules, at, at}
}

// newDraftDescription describes a layout that may be incomplete.
func (o *output) newDraftDescription(r match.Rules, l match.Layout) boardDescription {
	at := func(cell match.Cell) string {
		name := narrate.ShipNameAt(r, l, cell).Text(o.lang)
		if name != "" {
			return name
		}
		return o.lang.Text("water")
	}
	return boardDescription{o, r, at, at}
}

// printBoardPart prints the whole board, or the row, column or cell that which names.
func (b boardDescription) printBoardPart(which string) {
	n := b.rules.Size
	fields := strings.Fields(strings.ToLower(which))
	if len(fields) == 2 && (slices.Contains([]string{"row", "column"}, b.englishWord(argumentWords, fields[0]))) {
		fields = fields[1:]
	}
	if len(fields) == 0 {
		b.printRows()
		return
	}
	word := ""
	if len(fields) == 1 {
		word = strings.ToLower(term.LatinCellName(fields[0]))
	}
	column, err := strconv.Atoi(word)
	cell, noCell := layoutfile.ParseCell(word)
	switch {
	case len(word) == 1 && word[0] >= 'a' && int(word[0]-'a') < n:
		b.print("Row %s: %s.", strings.ToUpper(word), b.rowText(int(word[0]-'a')))
	case err == nil && column >= 1 && column <= n:
		cells := b.combineCells(func(i int) string { return b.cellText(match.NewCell(column-1, i)) }, rowName)
		b.print("Column %d: %s.", column, cells)
	case noCell == nil && b.rules.Contains(cell):
		b.print("%s: %s.", cell.String(), b.exactCellText(cell))
	default:
		b.print("Type a row from A to %s, a column from 1 to %d, or a cell such as B7.", rowName(n-1), n)
	}
}

// printRows prints the board row by row. It combines equal rows.
func (b boardDescription) printRows() {
	for y := 0; y < b.rules.Size; {
		text, next := b.rowText(y), y+1
		for next < b.rules.Size && b.rowText(next) == text {
			next++
		}
		if next == y+1 {
			b.print("Row %s: %s.", rowName(y), text)
		} else {
			b.print("Rows %s to %s: %s.", rowName(y), rowName(next-1), text)
		}
		y = next
	}
}

func (b boardDescription) rowText(y int) string {
	return b.combineCells(func(x int) string { return b.cellText(match.NewCell(x, y)) }, columnName)
}

// combineCells describes a row or column, whose cells at and name describe and name. It combines equal neighbours.
func (b boardDescription) combineCells(at, name func(int) string) string {
	var parts []string
	for i := 0; i < b.rules.Size; {
		what, next := at(i), i+1
		for next < b.rules.Size && at(next) == what {
			next++
		}
		switch {
		case i == 0 && next == b.rules.Size:
			parts = append(parts, what)
		case next == i+1:
			parts = append(parts, name(i)+" "+what)
		default:
			parts = append(parts, b.lang.Text("%s to %s %s", name(i), name(next-1), what))
		}
		i = next
	}
	return joinList(parts)
}

func columnName(i int) string { return strconv.Itoa(i + 1) }
func rowName(i int) string    { return string(rune('A' + i)) }

// printChart prints the enemy's board.
func (g *game) printChart(which string) {
	v, other := g.view(), g.Side.Other()
	// After the match, the enemy's fleet is visible.
	if v.Fleets[other] != nil {
		g.newFleetDescription(v, other).printBoardPart(which)
		return
	}
	g.newChartDescription(g.enemyChart()).printBoardPart(which)
}

// printBoard prints the player's board.
func (g *game) printBoard(which string) {
	v := g.view()
	if v.Fleets[g.Side] != nil {
		g.newFleetDescription(v, g.Side).printBoardPart(which)
		return
	}
	g.newDraftDescription(g.Rules, g.placement.layout).printBoardPart(which)
}

// printFleet prints where the player's ships are, and where they are hit.
func (g *game) printFleet() {
	v := g.view()
	for i, l := range v.Fleets[g.Side] {
		var hit match.Set
		for n := range l.Length {
			if v.Damage[g.Side].IsHit(i, n) {
				hit.Add(l.Stern.Step(l.Heading, n))
			}
		}
		name, from, to := capitalize(g.className(v.Rules.Fleet[i])), l.Stern.String(), l.Bow().String()
		switch {
		case hit.IsEmpty():
			g.print("%s, %s to %s: not hit.", name, from, to)
		case v.Damage[g.Side].IsSunk(i, l.Length):
			g.print("%s, %s to %s: sunk.", name, from, to)
		default:
			g.print("%s, %s to %s: hit at %s.", name, from, to, setCellNames(hit))
		}
	}
}

// printChartSummary prints what the player knows about the enemy's fleet.
func (g *game) printChartSummary(string) {
	chart := g.enemyChart()
	if !chart.Hits.IsEmpty() {
		g.print("Hit but not sunk: %s.", setCellNames(chart.Hits))
	}
	if !chart.Sunk.IsEmpty() {
		g.print("Sunk: %s.", setCellNames(chart.Sunk))
	}
	open := chart.OpenCells()
	g.print("You have fired %d shot.||You have fired %d shots.", chart.Fired)
	g.print("%d cell is unknown.||%d cells are unknown.", open.Len())
	g.addMessage(narrate.ShipsLeft(chart))
}

func setCellNames(set match.Set) string { return narrate.CellNames(slices.Collect(set.All())...) }
