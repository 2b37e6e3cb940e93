package export

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/text"
)

// MatchText returns a match as plain text: two shots or one salvo on each line, then the result and both
// boards. It returns an error if the events are not a match's history.
func MatchText(l i18n.Language, m store.Match) (string, error) {
	replay, err := text.NewReplay(l, m)
	if err != nil {
		return "", err
	}
	names := replay.Names()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s, %s. %s\n\n", replay.Heading(), m.Started.UTC().Format("15:04 MST"),
		durationText(l, m.Took), l.Text("%s fires first.", names[match.Second]))
	writeShots(&b, l, m, names)
	fmt.Fprintf(&b, "\n%s\n", replay.EndingText())
	writeBoards(&b, l, names, replay.FrameView(replay.Len()-1))
	b.WriteString("\n" + l.Text("~ water, ○ miss, · must be water, ■ ship, X hit, # sunk"))
	if m.Rules.Moving {
		b.WriteString(", " + l.Text("◦ and ˙ older misses") + "\n")
		b.WriteString(l.Text("[3F]: before the shot, the third ship of the fleet moved Forward (or Backward, Clockwise, Anticlockwise)"))
	}
	b.WriteString("\n")
	return b.String(), nil
}

// writeShots writes a match's shots, two or one salvo on each line.
func writeShots(b *strings.Builder, l i18n.Language, m store.Match, names [2]string) {
	narrator := narrate.Narrator{Side: match.Nobody, Names: names}
	shots, auto, move := 0, false, ""
	// width is the length of the text on the current line, or 0 at the start of a line.
	width := 0
	for i, e := range m.Events {
		if m.Rules.Salvo && e.Kind == match.ShotAnswered {
			shooter := e.Side.Other()
			if !match.ContinuesSalvo(m.Events, i) {
				fmt.Fprintf(b, "%4d  %s: %s\n", shots/2+1, names[shooter], narrate.ShotResults(match.SalvoShots(m.Events[i:])).Text(l))
				shots++
			}
			continue
		}
		switch e.Kind {
		case match.FleetMoved:
			if e.Move != match.Stay {
				move = "[" + e.Move.String() + "] "
			}
		case match.ShotFired:
			auto = e.Auto
		case match.ShotAnswered:
			shooter := e.Side.Other()
			said := fmt.Sprintf("%s %s%v %s", names[shooter], move, e.Cell, l.Text(narrate.ResultName(e.Result)))
			move = ""
			if auto {
				said += " " + l.Text("(timed out)")
			}
			if shots++; shooter == match.Second {
				fmt.Fprintf(b, "%4d  %s", (shots+1)/2, said)
				width = utf8.RuneCountInString(said)
			} else {
				fmt.Fprintf(b, "%*s%s\n", max(2, 36-width), "", said)
				width = 0
			}
		case match.AnswersDisputed:
			fmt.Fprintf(b, "\n      %s\n", narrator.DisputeLine(e.Side).Full.Text(l))
		}
	}
	if width > 0 {
		b.WriteString("\n")
	}
}

func writeBoards(b *strings.Builder, l i18n.Language, names [2]string, v *match.View) {
	for side := match.First; side <= match.Second; side++ {
		heading := l.Text("%s's fleet:", names[side])
		if v.Fleets[side] == nil {
			heading = l.Text("%s's fleet, as far as it was found:", names[side])
		}
		b.WriteString("\n" + heading + "\n" + board.NewFleet(v, side).PlainText())
	}
}

func durationText(l i18n.Language, d time.Duration) string {
	s := int(d.Round(time.Second) / time.Second)
	if s < 60 {
		return l.Text("%d second||%d seconds", s)
	}
	return l.Text("%s minutes", narrate.MinutesAndSeconds(d.Round(time.Second)))
}
