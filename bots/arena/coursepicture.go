package arena

import (
	"fmt"

	"broadside/internal/svg"
	"broadside/match"
	"broadside/match/audit"
)

// Columns and maximum number of the frames in a picture.
const (
	frameColumns = 3
	mostFrames   = 15
)

// CoursePicture draws the course of a game as SVG: the start positions, and both boards at
// regular intervals until the last shot.
func CoursePicture(rules match.Rules, players [2]string, events []match.Event) ([]byte, error) {
	var cuts []int // event indices: before each round, and after the last shot
	for i, e := range events {
		if e.Kind == match.ShotFired && e.Side == match.Second {
			cuts = append(cuts, i)
		}
	}
	cuts = append(cuts, len(events))
	var frames []frame
	for _, round := range framesOf(len(cuts)) {
		g, err := match.Replay(rules, audit.Off, events[:cuts[round]])
		if err != nil {
			return nil, fmt.Errorf("after round %d: %w", round, err)
		}
		v := g.Revealed()
		f := frame{title: fmt.Sprintf("after round %d", round)}
		switch {
		case v.Phase == match.Over && v.Winner == match.Nobody:
			f.title = fmt.Sprintf("the end, in round %d: nobody won", v.Rounds())
		case v.Phase == match.Over:
			f.title = fmt.Sprintf("the end, in round %d: %s won", v.Rounds(), players[v.Winner])
		case round == 0:
			f.title = "the start"
		}
		for side := match.First; side <= match.Second; side++ {
			f.names, f.boards = append(f.names, players[side]), append(f.boards, svg.NewBoard(&v, side))
		}
		frames = append(frames, f)
	}
	return drawFrames(fmt.Sprintf("%s – %s", players[0], players[1]), rules, frames), nil
}

// framesOf selects which of n moments to show: the first, the last, and others evenly
// spaced between them.
func framesOf(n int) []int {
	every := max(1, (n+mostFrames-2)/(mostFrames-1))
	var shown []int
	for i := 0; i < n-1; i += every {
		shown = append(shown, i)
	}
	return append(shown, n-1)
}

// frame is a moment of a game.
type frame struct {
	title  string
	names  []string // board names
	boards []*svg.Board
}

// drawFrames draws frames row by row.
func drawFrames(title string, rules match.Rules, frames []frame) []byte {
	const cell, margin, above = 14.0, 20.0, 44.0
	size := svg.Extent(rules.Size, cell)
	width := float64(len(frames[0].boards))*(size+margin) + margin
	rows := (len(frames) + frameColumns - 1) / frameColumns
	s := newSVG(float64(min(frameColumns, len(frames)))*width, 60+float64(rows)*(size+above)+margin)
	s.b.WriteString(svg.Style())
	s.title(margin, title, "~ water, ○ miss, · must be water, ■ ship, X hit, # sunk, ‹ › last shot")
	for n, f := range frames {
		left := float64(n%frameColumns)*width + margin
		top := 60 + float64(n/frameColumns)*(size+above) + above
		s.text(left, top-22, `font-weight="bold"`, f.title)
		for i, b := range f.boards {
			x := left + float64(i)*(size+margin)
			s.text(x, top-6, `fill="#666"`, f.names[i])
			s.b.WriteString(b.Draw(x, top, cell))
		}
	}
	return s.bytes()
}
