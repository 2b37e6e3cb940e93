package arena

import (
	"fmt"

	"broadside/internal/svg"
	"broadside/match"
	"broadside/match/audit"
)

// maxFrames is the maximum number of frames in a picture.
const maxFrames = 15

// DrawCourse draws the course of a game as SVG: the start positions, and both boards at
// regular intervals until the last shot.
func DrawCourse(rules match.Rules, players [2]string, events []match.Event) ([]byte, error) {
	// cuts has the event indices before each round and after the last shot.
	var cuts []int
	for i, e := range events {
		if e.Kind == match.ShotFired && e.Side == match.Second {
			cuts = append(cuts, i)
		}
	}
	cuts = append(cuts, len(events))
	var frames []svg.Frame
	for _, round := range pickRounds(len(cuts)) {
		g, err := match.Replay(rules, audit.Off, events[:cuts[round]])
		if err != nil {
			return nil, fmt.Errorf("after round %d: %w", round, err)
		}
		v := g.FullView()
		f := svg.Frame{Title: frameTitle(&v, players)}
		for side := range f.Panels {
			f.Panels[side] = svg.Panel{Title: players[side], Board: svg.NewBoard(&v, match.Side(side))}
		}
		frames = append(frames, f)
	}
	note := "~ water, ○ miss, · must be water, ■ ship, X hit, # sunk, ‹ › last shot"
	return svg.DrawSheet(fmt.Sprintf("%s – %s", players[0], players[1]), note, frames, 1), nil
}

func frameTitle(v *match.View, players [2]string) string {
	switch {
	case v.Phase == match.Over && v.Winner == match.Nobody:
		return fmt.Sprintf("the end, in round %d: no one won", v.RoundCount())
	case v.Phase == match.Over:
		return fmt.Sprintf("the end, in round %d: %s won", v.RoundCount(), players[v.Winner])
	case v.RoundCount() == 0:
		return "the start"
	}
	return fmt.Sprintf("after round %d", v.RoundCount())
}

// pickRounds selects which of n moments to show: the first, the last, and others evenly
// spaced between them.
func pickRounds(n int) []int {
	every := max(1, (n+maxFrames-2)/(maxFrames-1))
	var shown []int
	for i := 0; i < n-1; i += every {
		shown = append(shown, i)
	}
	return append(shown, n-1)
}
