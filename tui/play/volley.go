package play

import (
	"slices"

	"broadside/internal/session"
	"broadside/internal/term"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/component"
	"broadside/tui/format"
)

// salvo is the targets that the player has marked for a turn with several shots.
type salvo struct {
	targets []match.Cell // in the order in which they were marked
	turn    int          // the turn that they are for, see [match.View.Turns]
}

// marks returns the targets of the player's turn so far. Those of an earlier turn are
// forgotten.
func (a *salvo) marks(g *game) []match.Cell {
	if turn := g.last.View.Turns[g.side]; turn != a.turn {
		*a = salvo{turn: turn}
	}
	return a.targets
}

// ready reports whether the player has marked a target for each shot of the turn, and
// can fire them.
func (a *salvo) ready(g *game) bool {
	v := &g.last.View
	return v.Phase == match.Battle && v.Turn == g.side && !v.Pending && v.Shots > 1 && len(a.marks(g)) == v.Shots
}

// press marks a cell as a target, or takes the mark back. It returns true for the target
// that was marked last if all are marked: then it is time to fire.
func (a *salvo) press(m *shared, at match.Cell) (fire bool) {
	targets, shots := a.marks(m.game), m.game.last.View.Shots
	switch i := slices.Index(targets, at); {
	case i >= 0 && len(targets) == shots && i == shots-1:
		return true
	case i >= 0:
		a.targets = slices.Delete(targets, i, i+1)
	case len(targets) == shots:
		m.Notice = m.Lang.Text("all-n-shots-are-marked", shots)
	default:
		a.targets = append(targets, at)
	}
	return false
}

// mark shows the targets on the opponent's board, numbered.
func (a *salvo) mark(g *game, b *board.Board) {
	for i, cell := range a.marks(g) {
		b.Set(cell, shipKeys[i], term.Ghost)
	}
}

// salvoStatus returns how many shots are marked, and what to do next, with a zone to click if
// that is to fire.
func (s *battle) salvoStatus(size component.Size) (string, []component.Zone) {
	g := s.game
	v := &g.last.View
	targets := s.salvo.marks(g)
	count := s.Lang.Text("n-of-n-shots", len(targets), v.Shots)
	turn := term.Good.Render(s.Lang.Text("your-turn")) + " " + count + "  "
	rest := s.rest()
	if rest != "" {
		rest = "  " + rest
	}
	if typed := s.typing.View(s.Lang); typed != "" {
		rest = "  " + typed + rest
	}
	next := ""
	switch marked := slices.Contains(targets, s.at); {
	case len(targets) == v.Shots:
		next = term.Strong.Render(s.Lang.Text("press-f-to-fire"))
	case marked:
		next = s.Lang.Text("enter-unmarks-x", s.at.String())
	case s.canMark(s.at) && s.typing.Valid(v.Rules):
		next = s.Lang.Text("enter-marks-x", s.at.String())
	default:
		next = s.Lang.Text("choose-a-target")
	}
	line := size.Fit(turn+next+rest, count+"  "+next+rest)
	if len(targets) < v.Shots {
		return line, nil
	}
	left := format.Width(line) - format.Width(next+rest)
	return line, []component.Zone{{Left: left, Width: format.Width(next), Key: "f"}}
}

// canMark reports whether a cell can be a target. Cells that must be water can, once
// there are fewer others than shots.
func (s *battle) canMark(at match.Cell) bool {
	v := &s.game.last.View
	chart := &v.Charts[s.game.side]
	return component.WorthFiring(chart, at) || !chart.Shots.Has(at) && chart.Open().Len() < v.Shots
}

// shoot fires at cells.
func (s *battle) shoot(cells ...match.Cell) {
	g := s.game
	if s.Do(session.Fire{Side: g.side, Cell: cells[0], More: cells[1:]}) {
		s.fired = g.last.View.Charts[g.side].Fired + 1
	}
}
