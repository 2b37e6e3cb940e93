package lines

import (
	"slices"
	"strings"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
)

// fire fires all shots of the turn at the named cells.
func (s *Session) fire(text string) {
	if !s.inMatch() {
		return
	}
	chart := &s.game.last.View.Charts[s.game.Side]
	fired := chart.Fired
	if cells := s.targets(text); cells != nil && s.do(session.Fire{Cell: cells[0], More: cells[1:]}) {
		s.ask(func(g *game) bool { return g.last.View.Charts[g.Side].Fired > fired })
	}
}

// targets returns the named cells if the player can shoot at all of them, or says why
// not.
func (s *Session) targets(text string) []match.Cell {
	v := &s.game.last.View
	var cells []match.Cell
	for _, name := range cellNames(text) {
		cell, err := match.ParseCell(name)
		switch {
		case err != nil:
			s.fail(err)
			return nil
		case !s.canTarget(cell):
			return nil
		case slices.Contains(cells, cell):
			s.say("You named %s twice. Nothing was fired.", cell.String())
			return nil
		}
		cells = append(cells, cell)
	}
	switch {
	case len(cells) == 0 && v.Shots > 1:
		s.say("Say fire and %d cells, such as fire B7 C3.", v.Shots)
	case len(cells) == 0:
		s.say("Say where: fire and a cell, such as fire B7.")
	case len(cells) != v.Shots:
		s.say("You have %s this turn, and named %d. Nothing was fired.", s.l.Say("%d shots", v.Shots), len(cells))
		return nil
	}
	return cells
}

// canTarget reports whether the player can shoot at a cell, or says why not.
func (s *Session) canTarget(cell match.Cell) bool {
	v := &s.game.last.View
	chart := &v.Charts[s.game.Side]
	switch {
	case !v.Rules.Contains(cell):
		s.say("%s is off the board: rows go to %s, columns to %d.", cell.String(), lastRow(v.Rules), v.Rules.Size)
	case v.Phase == match.Placing:
		s.say("Place your fleet first: say place random, or place each ship.")
	case v.Rules.Moving:
		return true
	case chart.Shots.Has(cell):
		s.say("You have fired at %s already: %s. Choose another cell.", cell.String(), marks[chart.At(cell)])
	case chart.Deduced.Has(cell) && chart.Open().Len() >= v.Shots:
		s.say("%s must be water, beside a sunk ship. Choose another cell.", cell.String())
	default:
		return true
	}
	return false
}

// cellNames returns the names of cells in a text, separated by spaces or commas.
func cellNames(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
}

// areCells reports whether a text is nothing but the names of cells.
func areCells(text string) bool {
	names := cellNames(text)
	for _, name := range names {
		if _, err := match.ParseCell(name); err != nil {
			return false
		}
	}
	return len(names) > 0
}

// tellSalvo says what the shots of a turn did, the answers of a side.
func (s *Session) tellSalvo(g *game, side match.Side, shots []match.Shot, auto bool) {
	own := side != g.Side
	switch {
	case auto && own:
		s.note(g, "Your time is over: random shots.")
	case auto:
		s.note(g, "The time of %s is over: random shots.", g.opponent)
	}
	v := &g.last.View
	if own {
		s.note(g, "Your salvo: %s.", phrase.Results(shots).In(s.l))
	} else {
		s.note(g, "%s fires a salvo: %s.", g.opponent, s.hitShips(v, side, shots))
	}
	sunk := slices.ContainsFunc(shots, func(shot match.Shot) bool { return shot.Result == match.Sunk })
	switch left := v.Charts[side.Other()].ShipsLeft(); {
	case !sunk || v.Phase == match.Over:
	case own:
		s.say("%d ships are left to sink.", left)
	default:
		s.say("You have %d ships left.", left)
	}
}

// hitShips returns what shots at a side's fleet did, with the names of its ships.
func (s *Session) hitShips(v *match.View, side match.Side, shots []match.Shot) string {
	all := make([]string, len(shots))
	for i, shot := range shots {
		ship := ""
		for n, l := range v.Fleets[side] {
			if cells := l.Cells(); cells.Has(shot.Cell) {
				ship = s.ship(v.Rules.Fleet[n])
			}
		}
		did := s.l.Say(i18n.Text("water"))
		switch {
		case shot.Result == match.Hit:
			did = s.l.Say("%s hit", ship)
		case shot.Result != match.Water:
			did = s.l.Say("%s sunk", ship)
		}
		all[i] = shot.Cell.String() + " " + did
	}
	return strings.Join(all, ", ")
}
