package widget

import (
	"fmt"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/match"
	"broadside/match/live"
	"broadside/tui/term"
	"broadside/tui/text"
)

// ShotLog holds the latest shots of a match.
type ShotLog struct{ shots []loggedShot }

// loggedShot is a shot in a log.
type loggedShot struct {
	number int16
	side   match.Side // that fired
	cell   match.Cell
	result match.Result
}

// maxLogged is the maximum number of shots in a log.
const maxLogged = 24

// AddShots adds the shots of an update.
func (g *ShotLog) AddShots(u *live.Update) {
	numbers := [2]int{u.View.Charts[0].Fired, u.View.Charts[1].Fired}
	for _, e := range u.Events {
		if e.Kind == match.ShotAnswered {
			numbers[e.Side.Other()]--
		}
	}
	for _, e := range u.Events {
		if e.Kind != match.ShotAnswered {
			continue
		}
		by := e.Side.Other()
		numbers[by]++
		if len(g.shots) == maxLogged {
			g.shots = append(g.shots[:0], g.shots[1:]...)
		}
		g.shots = append(g.shots, loggedShot{int16(numbers[by]), by, e.Cell, e.Result})
	}
}

// shotLines returns at most n lines with a shot each, newest first. Own is the player's side;
// match.Nobody for spectators. The last ship is shown as sunk like any other, because the lines
// are short.
func (g *ShotLog) shotLines(l i18n.Language, names [2]string, own match.Side, n int) []string {
	width := 0
	for side := range names {
		if match.Side(side) == own {
			names[side] = l.Text("you")
		}
		width = min(8, max(width, text.Width(names[side])))
	}
	var lines []string
	for i := len(g.shots) - 1; i >= 0 && len(lines) < n; i-- {
		s := g.shots[i]
		style := term.Faint
		switch {
		case s.result == match.Miss:
		case own == match.Nobody || s.side == own:
			style = term.Good
		default:
			style = term.Bad
		}
		lines = append(lines, term.Faint.Render(fmt.Sprintf("%2d ", s.number))+text.Pad(names[s.side], width)+" "+
			term.Strong.Render(fmt.Sprintf("%-3s ", s.cell))+style.Render(l.Text(narrate.ResultName(min(s.result, match.Sunk)))))
	}
	return lines
}
