package play

import (
	"slices"

	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/widget"
)

// salvo holds the targets that the player has marked for a turn with several shots.
type salvo struct {
	// targets are in order of marking.
	targets []match.Cell
	// turn is the turn that targets belong to, as in [match.View.Turns].
	turn int
}

// currentTargets returns the targets of the player's current turn. It drops those of an earlier turn.
func (s *salvo) currentTargets(g *game) []match.Cell {
	turn := g.last.View.Turns[g.side]
	if turn != s.turn {
		*s = salvo{turn: turn}
	}
	return s.targets
}

// toggleTarget toggles the mark on a cell. If all targets are already marked, toggling the
// last one returns true, which means fire.
func (s *salvo) toggleTarget(m *Match, at match.Cell) (fire bool) {
	targets, shots := s.currentTargets(m.game), m.game.last.View.Shots
	switch i := slices.Index(targets, at); {
	case i >= 0 && len(targets) == shots && i == shots-1:
		return true
	case i >= 0:
		s.targets = slices.Delete(targets, i, i+1)
	case len(targets) == shots:
		m.Notice = m.Lang.Text("Your shot is marked: press f to fire, or unmark the cell.||All %d shots are marked: press f to fire, or unmark a cell.", shots)
	default:
		s.targets = append(targets, at)
	}
	return false
}

// salvoStatus returns the status line of a salvo: the number of marked shots, and the next step. If all shots
// are marked, a click on the line fires.
func (p *battlePage) salvoStatus(size widget.Size) string {
	g := p.match.game
	v := &g.last.View
	targets := p.salvo.currentTargets(g)
	count := p.Lang.Text("Marked: %d of %d", len(targets), v.Shots)
	turn := yourTurnBadge(p.Lang) + count + "  "
	rest := p.clockAndAbsence()
	if rest != "" {
		rest = "  " + rest
	}
	rest = p.aim.InputText(p.Lang) + rest
	next := ""
	switch marked := slices.Contains(targets, p.aim.Cursor); {
	case len(targets) == v.Shots:
		next = term.MakeClickable("f", 0, term.Strong.Render(p.Lang.Text("Press f to fire.")))
	case marked:
		next = p.Lang.Text("Enter unmarks %s.", p.aim.Cursor.String())
	case g.narrator.ReasonNotToFire(v, p.aim.Cursor).Key == "" && p.aim.IsValid(v.Rules):
		next = p.Lang.Text("Enter marks %s.", p.aim.Cursor.String())
	default:
		next = p.Lang.Text("Choose a target.")
	}
	return size.FirstFitting(turn+next+rest, count+"  "+next+rest)
}
