package lines

import (
	"strconv"
	"strings"

	"broadside/internal/i18n"
	"broadside/match"
)

// marks are what a chart knows of a cell, as it is said.
var marks = map[match.Mark]i18n.Text{
	match.Unknown: "unknown", match.Missed: "water", match.Deduced: "must be water", match.Struck: "hit", match.Wrecked: "sunk",
}

// waters is a board in words: what there is in each cell.
type waters struct {
	rules match.Rules
	at    func(match.Cell) string
	one   func(match.Cell) string // of a cell by itself; nil: the same
}

// chart is what the person knows of the enemy, or the enemy's fleet once the
// match is over.
func (s *Session) chart(g *game) waters {
	v := &g.last.View
	other := g.Side.Other()
	if v.Fleets[other] != nil {
		return s.fleetOf(g, other)
	}
	return s.charted(&v.Charts[g.Side])
}

// charted is what a chart knows.
func (s *Session) charted(c *match.Chart) waters {
	plain := func(cell match.Cell) string { return s.l.Say(marks[c.At(cell)]) }
	w := waters{rules: c.Rules, at: plain}
	if !c.Rules.Moving {
		return w
	}
	blocked := c.Blocked()
	w.at = func(cell match.Cell) string {
		switch mark := c.At(cell); {
		case mark != match.Missed && mark != match.Struck || blocked.Has(cell):
			return plain(cell)
		case c.Age(cell) < match.LongAgo:
			return s.l.Say("%s some shots ago", marks[mark])
		default:
			return s.l.Say("%s long ago", marks[mark])
		}
	}
	w.one = func(cell match.Cell) string {
		age, mark := c.Age(cell), c.At(cell)
		if age <= 0 || mark != match.Missed && mark != match.Struck {
			return plain(cell)
		}
		return s.l.Say("%s, %d shots ago", marks[mark], age)
	}
	return w
}

// fleetOf is the board of a side whose fleet is to be seen.
func (s *Session) fleetOf(g *game, side match.Side) waters {
	v := &g.last.View
	return waters{rules: v.Rules, at: func(cell match.Cell) string {
		of := ""
		for i, l := range v.Fleets[side] {
			if cells := l.Cells(); cells.Has(cell) {
				of = s.ship(v.Rules.Fleet[i])
			}
		}
		switch v.Board(side, cell) {
		case match.Splash:
			return s.l.Say("missed")
		case match.Hull:
			return of
		case match.HullHit:
			return s.l.Say("%s hit", of)
		case match.HullSunk:
			return s.l.Say("%s sunk", of)
		}
		return s.l.Say("water")
	}}
}

// draft is the board while the person places ships.
func (s *Session) draft(g *game) waters {
	r := g.Rules
	return waters{rules: r, at: func(cell match.Cell) string {
		for i, l := range g.layout {
			if cells := l.Cells(); cells.Has(cell) {
				return s.ship(r.Fleet[i])
			}
		}
		return s.l.Say("water")
	}}
}

func (s *Session) tellChart(which string) {
	switch {
	case s.sight != nil:
		s.sightBoards(which)
	case s.game == nil || !s.game.seen:
		s.inMatch()
	default:
		s.tellWaters(s.chart(s.game), which)
	}
}

func (s *Session) tellBoard(which string) {
	switch {
	case s.sight != nil:
		s.sightBoards(which)
	case s.game == nil || !s.game.seen:
		s.inMatch()
	case s.game.last.View.Fleets[s.game.Side] == nil:
		s.tellWaters(s.draft(s.game), which)
	default:
		s.tellWaters(s.fleetOf(s.game, s.game.Side), which)
	}
}

// tellWaters tells a whole board, or the row, the column or the cell that is
// named.
func (s *Session) tellWaters(w waters, which string) {
	n := w.rules.Size
	fields := strings.Fields(strings.ToLower(which))
	if len(fields) == 2 && (fields[0] == "row" || fields[0] == "column" || fields[0] == "reihe" || fields[0] == "spalte") {
		fields = fields[1:]
	}
	if len(fields) == 0 {
		s.tellRows(w)
		return
	}
	word := fields[0]
	column, err := strconv.Atoi(word)
	cell, noCell := match.ParseCell(word)
	switch {
	case len(fields) > 1:
	case len(word) == 1 && word[0] >= 'a' && int(word[0]-'a') < n:
		y := int(word[0] - 'a')
		s.say("Row %s: %s.", strings.ToUpper(word), s.run(n, func(i int) string { return w.at(match.At(i, y)) }, number))
		return
	case err == nil && column >= 1 && column <= n:
		s.say("Column %d: %s.", column, s.run(n, func(i int) string { return w.at(match.At(column-1, i)) }, letter))
		return
	case noCell == nil && w.rules.Contains(cell) && w.one != nil:
		s.say("%s: %s.", cell.String(), w.one(cell))
		return
	case noCell == nil && w.rules.Contains(cell):
		s.say("%s: %s.", cell.String(), w.at(cell))
		return
	}
	s.say("Say a row from A to %s, a column from 1 to %d, or a cell such as B7.", lastRow(w.rules), n)
}

// tellRows tells a board row by row. Rows that are the same throughout are
// taken together.
func (s *Session) tellRows(w waters) {
	n := w.rules.Size
	row := func(y int) string {
		return s.run(n, func(i int) string { return w.at(match.At(i, y)) }, number)
	}
	for y := 0; y < n; {
		text, to := row(y), y+1
		for to < n && row(to) == text {
			to++
		}
		if to == y+1 {
			s.say("Row %s: %s.", letter(y), text)
		} else {
			s.say("Rows %s to %s: %s.", letter(y), letter(to-1), text)
		}
		y = to
	}
}

func number(i int) string { return strconv.Itoa(i + 1) }
func letter(i int) string { return string(rune('A' + i)) }

// run tells n cells, those that are the same one after another taken together.
func (s *Session) run(n int, at func(int) string, name func(int) string) string {
	var parts []string
	for i := 0; i < n; {
		what, to := at(i), i+1
		for to < n && at(to) == what {
			to++
		}
		switch {
		case i == 0 && to == n:
			parts = append(parts, what)
		case to == i+1:
			parts = append(parts, name(i)+" "+what)
		default:
			parts = append(parts, s.l.Say("%s to %s %s", name(i), name(to-1), what))
		}
		i = to
	}
	return strings.Join(parts, ", ")
}

// cells are some cells by name.
func (s *Session) cells(set match.Set) string {
	var names []string
	for c := range set.All() {
		names = append(names, c.String())
	}
	return strings.Join(names, ", ")
}

func (s *Session) tellFleet(string) {
	switch {
	case s.game == nil:
		s.inMatch()
		return
	case s.placing():
		if lies := s.lies(s.game.Rules, s.game.layout); lies != "" {
			s.said = append(s.said, lies)
		}
		s.tellPlacing(s.game)
		return
	}
	g := s.game
	v := &g.last.View
	for i, l := range v.Fleets[g.Side] {
		var hit match.Set
		for n := range l.Length {
			if v.Damage[g.Side].Hit(i, n) {
				hit.Add(l.Stern.Step(l.Heading, n))
			}
		}
		name, from, to := sentenceCase(s.ship(v.Rules.Fleet[i])), l.Stern.String(), l.Bow().String()
		switch {
		case hit.Empty():
			s.say("%s, %s to %s: not hit.", name, from, to)
		case v.Damage[g.Side].Sunk(i, l.Length):
			s.say("%s, %s to %s: sunk.", name, from, to)
		default:
			s.say("%s, %s to %s: hit at %s.", name, from, to, s.cells(hit))
		}
	}
}

// known tells in short what the person knows of the enemy.
func (s *Session) known(string) {
	if s.game == nil || !s.game.seen {
		s.inMatch()
		return
	}
	g := s.game
	v := &g.last.View
	chart := &v.Charts[g.Side]
	if !chart.Hits.Empty() {
		s.say("Hit, and not sunk yet: %s.", s.cells(chart.Hits))
	}
	if !chart.Sunk.Empty() {
		s.say("Sunk: %s.", s.cells(chart.Sunk))
	}
	open := chart.Open()
	s.say("You have fired %d shots.", chart.Fired)
	s.say("%d cells are unknown.", open.Len())
	var lengths []string
	for n := len(chart.Afloat) - 1; n > 0; n-- {
		for range chart.Afloat[n] {
			lengths = append(lengths, strconv.Itoa(n))
		}
	}
	s.say("%d ships are left to sink. Their lengths: %s.", chart.ShipsLeft(), strings.Join(lengths, ", "))
}
