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

// board is a board to describe in words.
type board struct {
	*output
	rules match.Rules
	cell  func(match.Cell) string // the content of a cell
	exact func(match.Cell) string // the same, in more detail
}

// charted returns the board for a chart.
func (o *output) charted(c *match.Chart) board {
	mark := func(cell match.Cell) string { return o.l.Text(narrate.MarkName(c.Mark(cell))) }
	b := board{output: o, rules: c.Rules, cell: mark, exact: mark}
	if !c.Rules.Moving {
		return b
	}
	blocked := c.Blocked()
	b.cell = func(cell match.Cell) string {
		switch m := c.Mark(cell); {
		case m != match.Missed && m != match.Struck || blocked.Has(cell):
			return mark(cell)
		case c.Age(cell) < match.LongAgo:
			return o.l.Text("%s some shots ago", narrate.MarkName(m))
		default:
			return o.l.Text("%s long ago", narrate.MarkName(m))
		}
	}
	b.exact = func(cell match.Cell) string {
		age, m := c.Age(cell), c.Mark(cell)
		if age <= 0 || m != match.Missed && m != match.Struck {
			return mark(cell)
		}
		return o.l.Text("%s, %d shot ago||%s, %d shots ago", narrate.MarkName(m), age)
	}
	return b
}

// afloat returns the board of a side whose fleet is visible.
func (o *output) afloat(v *match.View, side match.Side) board {
	own := v.Board(side)
	at := func(cell match.Cell) string {
		name := narrate.ShipNameAt(v.Rules, v.Fleets[side], cell).Text(o.l)
		switch own.Square(cell).Berth {
		case match.Splash:
			return o.l.Text("missed")
		case match.Hull:
			return name
		case match.HullHit:
			return o.l.Text("%s hit", name)
		case match.HullSunk:
			return o.l.Text("%s sunk", name)
		}
		return o.l.Text("water")
	}
	return board{o, v.Rules, at, at}
}

// draft returns the board of a possibly incomplete layout.
func (o *output) draft(r match.Rules, l match.Layout) board {
	at := func(cell match.Cell) string {
		name := narrate.ShipNameAt(r, l, cell).Text(o.l)
		if name != "" {
			return name
		}
		return o.l.Text("water")
	}
	return board{o, r, at, at}
}

// describe describes the whole board, or the row, column or cell named by which.
func (b board) describe(which string) {
	n := b.rules.Size
	fields := strings.Fields(strings.ToLower(which))
	if len(fields) == 2 && (slices.Contains([]string{"row", "column"}, b.englishWord(argumentWords, fields[0]))) {
		fields = fields[1:]
	}
	if len(fields) == 0 {
		b.describeRows()
		return
	}
	word := strings.ToLower(term.LatinCellName(fields[0]))
	column, err := strconv.Atoi(word)
	cell, noCell := layoutfile.ParseCell(word)
	switch {
	case len(fields) > 1:
	case len(word) == 1 && word[0] >= 'a' && int(word[0]-'a') < n:
		b.print("Row %s: %s.", strings.ToUpper(word), b.row(int(word[0]-'a')))
		return
	case err == nil && column >= 1 && column <= n:
		b.print("Column %d: %s.", column, b.run(func(i int) string { return b.cell(match.NewCell(column-1, i)) }, letter))
		return
	case noCell == nil && b.rules.Contains(cell):
		b.print("%s: %s.", cell.String(), b.exact(cell))
		return
	}
	b.print("Type a row from A to %s, a column from 1 to %d, or a cell such as B7.", letter(n-1), n)
}

// describeRows describes the board row by row. It combines equal rows.
func (b board) describeRows() {
	for y := 0; y < b.rules.Size; {
		text, next := b.row(y), y+1
		for next < b.rules.Size && b.row(next) == text {
			next++
		}
		if next == y+1 {
			b.print("Row %s: %s.", letter(y), text)
		} else {
			b.print("Rows %s to %s: %s.", letter(y), letter(next-1), text)
		}
		y = next
	}
}

func (b board) row(y int) string {
	return b.run(func(x int) string { return b.cell(match.NewCell(x, y)) }, number)
}

// run describes a row or column. It combines equal neighbours.
func (b board) run(at, name func(int) string) string {
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
			parts = append(parts, b.l.Text("%s to %s %s", name(i), name(next-1), what))
		}
		i = next
	}
	return list(parts)
}

func number(i int) string { return strconv.Itoa(i + 1) }
func letter(i int) string { return string(rune('A' + i)) }

// describeChart describes the enemy's board.
func (g *game) describeChart(which string) {
	v, other := g.view(), g.Side.Other()
	if v.Fleets[other] != nil { // the match is over
		g.afloat(v, other).describe(which)
		return
	}
	g.charted(g.chart()).describe(which)
}

// describeBoard describes the player's board.
func (g *game) describeBoard(which string) {
	v := g.view()
	if v.Fleets[g.Side] != nil {
		g.afloat(v, g.Side).describe(which)
		return
	}
	g.draft(g.Rules, g.placement.layout).describe(which)
}

// describeFleet describes the player's ships.
func (g *game) describeFleet() {
	v := g.view()
	for i, l := range v.Fleets[g.Side] {
		var hit match.Set
		for n := range l.Length {
			if v.Damage[g.Side].Hit(i, n) {
				hit.Add(l.Stern.Step(l.Heading, n))
			}
		}
		name, from, to := capitalize(g.ship(v.Rules.Fleet[i])), l.Stern.String(), l.Bow().String()
		switch {
		case hit.Empty():
			g.print("%s, %s to %s: not hit.", name, from, to)
		case v.Damage[g.Side].Sunk(i, l.Length):
			g.print("%s, %s to %s: sunk.", name, from, to)
		default:
			g.print("%s, %s to %s: hit at %s.", name, from, to, cells(hit))
		}
	}
}

// summarizeChart summarizes the player's knowledge of the enemy.
func (g *game) summarizeChart(string) {
	chart := g.chart()
	if !chart.Hits.Empty() {
		g.print("Hit but not sunk: %s.", cells(chart.Hits))
	}
	if !chart.Sunk.Empty() {
		g.print("Sunk: %s.", cells(chart.Sunk))
	}
	open := chart.Open()
	g.print("You have fired %d shot.||You have fired %d shots.", chart.Fired)
	g.print("%d cell is unknown.||%d cells are unknown.", open.Len())
	var lengths []string
	for n := len(chart.Afloat) - 1; n > 0; n-- {
		for range chart.Afloat[n] {
			lengths = append(lengths, strconv.Itoa(n))
		}
	}
	g.print("%d ship is left to sink. Its length: %s.||%d ships are left to sink. Their lengths: %s.", chart.ShipsLeft(), list(lengths))
}

// cells returns the names of the cells in a set.
func cells(set match.Set) string { return narrate.CellNames(slices.Collect(set.All())...) }
