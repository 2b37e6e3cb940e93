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

type loggedShot struct {
	number   int16
	attacker match.Side
	cell     match.Cell
	result   match.Result
}

// maxLogged is the maximum number of shots in a log.
const maxLogged = 24

// AddShots adds an update's shots. The oldest shots beyond the maximum are dropped.
func (s *ShotLog) AddShots(u *live.Update) {
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
		if len(s.shots) == maxLogged {
			s.shots = append(s.shots[:0], s.shots[1:]...)
		}
		s.shots = append(s.shots, loggedShot{int16(numbers[by]), by, e.Cell, e.Result})
	}
}

// shotLines returns at most n lines with one shot each, newest first. Own is the player's side, or
// [match.Nobody] for spectators. The last ship is shown as sunk like any other, because the lines
// are short.
func (s *ShotLog) shotLines(l i18n.Language, names [2]string, own match.Side, n int) []string {
	width := 0
	for side := range names {
		if match.Side(side) == own {
			names[side] = l.Text("you")
		}
		width = min(8, max(width, text.Width(names[side])))
	}
	var lines []string
	for i := len(s.shots) - 1; i >= 0 && len(lines) < n; i-- {
		shot := s.shots[i]
		style := term.Bad
		switch {
		case shot.result == match.Miss:
			style = term.Faint
		case own == match.Nobody || shot.attacker == own:
			style = term.Good
		}
		lines = append(lines, term.Faint.Render(fmt.Sprintf("%2d ", shot.number))+text.Pad(names[shot.attacker], width)+" "+
			term.Strong.Render(fmt.Sprintf("%-3s ", shot.cell))+style.Render(l.Text(narrate.ResultName(min(shot.result, match.Sunk)))))
	}
	return lines
}
