package narrate

import (
	"time"

	"broadside/internal/i18n"
	"broadside/lobby/puzzle"
)

// PuzzleAnswer says how good the player's answer to a puzzle is.
func PuzzleAnswer(l i18n.Language, p *puzzle.Puzzle) i18n.Message {
	a := p.Answer
	best := Percent(l, a.Odds(a.Best))
	if a.IsRight() {
		return i18n.NewMessage("Right! %s is the best shot: %s.", a.Best.String(), best)
	}
	return i18n.NewMessage("%s: %s, best %s: %s. That is %s of the best shot.",
		a.Cell.String(), Percent(l, a.Odds(a.Cell)), a.Best.String(), best, Percent(l, a.Share()))
}

// BriefPuzzleAnswer is like [PuzzleAnswer], but short enough for small screens.
func BriefPuzzleAnswer(l i18n.Language, p *puzzle.Puzzle) i18n.Message {
	a := p.Answer
	if a.IsRight() {
		return PuzzleAnswer(l, p)
	}
	return i18n.NewMessage("%s: %s, best %s: %s.", a.Cell.String(), Percent(l, a.Odds(a.Cell)), a.Best.String(), Percent(l, a.Odds(a.Best)))
}

// PuzzlesLine returns a day's result as a [ShareLine].
func PuzzlesLine(l i18n.Language, t *puzzle.Today, address string) string {
	var successes []bool
	solved := 0
	for _, p := range t.Puzzles {
		right := p.Answer != nil && p.Answer.IsRight()
		if right {
			solved++
		}
		successes = append(successes, right)
	}
	return ShareLine(l.Text("puzzles %s", ShortDay(l, t.Day)), l.Text("%d of %d", solved, len(successes)),
		SuccessMarks(successes), address)
}

// ShortDay returns a day in the format [time.DateOnly] as a short date.
func ShortDay(l i18n.Language, day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return l.ShortDate(at)
}
