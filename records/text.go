package records

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"broadside/lobby/store"
	"broadside/match"
	"broadside/tui"
)

// Text tells the course of a match in plain text: two shots a line, then the
// end and what is known of both boards. The error is that its events are not
// the history of a match.
func Text(m store.Match) (string, error) {
	film, err := tui.NewFilm(m)
	if err != nil {
		return "", err
	}
	names := film.Names()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s, %s. %s shoots first.\n\n", film.Heading(), m.Started.UTC().Format("15:04 MST"), length(m.Took), names[match.Second])
	shots, width, auto, move := 0, 0, false, "" // width: of what was written last
	for _, e := range m.Events {
		switch e.Kind {
		case match.FleetMoved:
			if e.Move != match.Stay {
				move = "[" + e.Move.String() + "] "
			}
		case match.ShotFired:
			auto = e.Auto
		case match.ShotAnswered:
			shooter := e.Side.Other()
			said := fmt.Sprintf("%s %s%v %v", names[shooter], move, e.Cell, e.Result)
			move = ""
			if auto {
				said += " (clock)"
			}
			if shots++; shooter == match.Second {
				fmt.Fprintf(&b, "%4d  %s", (shots+1)/2, said)
				width = utf8.RuneCountInString(said)
			} else {
				fmt.Fprintf(&b, "%*s%s\n", max(2, 36-width), "", said)
				width = 0
			}
		case match.AnswersDisputed:
			fmt.Fprintf(&b, "\n      The answers of %s cannot all be true.\n", names[e.Side])
		}
	}
	if width > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\n%s\n", film.Ending())
	v := film.View(film.Len() - 1)
	for side := match.First; side <= match.Second; side++ {
		fmt.Fprintf(&b, "\nThe fleet of %s", names[side])
		if v.Fleets[side] == nil {
			b.WriteString(", as far as it was found")
		}
		b.WriteString(":\n" + board(&v, side))
		if seal := m.Seats[side].Commitment; seal != "" && v.Fleets[side] != nil {
			fmt.Fprintf(&b, "sealed  %s\nopening %s\n", seal, match.Opening(m.Seats[side].Salt, film.View(0).Fleets[side]))
		}
	}
	b.WriteString("\n· water, o missed, # ship, x hit, X sunk\n")
	if m.Rules.Moving {
		b.WriteString("[3F]: before the shot the third ship of the fleet moved Forward (Backward, Clockwise, Anticlockwise)\n")
	}
	return b.String(), nil
}

// length is how long something took, in words.
func length(d time.Duration) string {
	s := int(d.Round(time.Second) / time.Second)
	if s < 60 {
		return fmt.Sprintf("%d seconds", s)
	}
	return fmt.Sprintf("%d:%02d minutes", s/60, s%60)
}

// signs are what a board shows.
var signs = [...]string{match.Sea: "·", match.Splash: "o", match.Hull: "#", match.HullHit: "x", match.HullSunk: "X"}

// board draws a side's board with its names of rows and columns.
func board(v *match.View, side match.Side) string {
	var b strings.Builder
	b.WriteString(" ")
	for x := range v.Rules.Size {
		fmt.Fprintf(&b, "%3d", x+1)
	}
	for y := range v.Rules.Size {
		fmt.Fprintf(&b, "\n%c", 'A'+y)
		for x := range v.Rules.Size {
			b.WriteString("  " + signs[v.Board(side, match.At(x, y))])
		}
	}
	return b.String() + "\n"
}
