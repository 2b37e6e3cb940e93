package arena

import "fmt"

// moverColours tell the movers apart, also for people who do not see red.
var moverColours = []string{"#4c72b0", "#dd8452", "#999999"}

// roundsPicture draws, as bars, the rounds that each strategy needs against each
// mover, with their 95 % intervals.
func (s *Study) roundsPicture() []byte {
	const (
		left, right, top = 56.0, 20.0, 90.0
		height, below    = 300.0, 90.0
		bar, gap         = 16.0, 14.0
	)
	group := bar*float64(len(studiedMovers)) + gap
	width := max(group*float64(len(s.Config.Strategies)), 560)
	highest := 0.0
	for _, a := range s.Attacks {
		highest = max(highest, a.Shots+1.96*a.SE)
	}
	step, ceiling := roundAxis(highest)
	p := newSVG(left+width+right, top+height+below)
	p.title(left, "Rounds to sink a fleet that stays, moves at random, or evades", fmt.Sprintf("Mean of %d games, and its 95 %% interval", s.Config.Games))
	for i, mover := range studiedMovers {
		x := left + 110*float64(i)
		p.rect(x, 58, 14, 14, fmt.Sprintf("fill=%q", moverColours[i]))
		p.text(x+20, 70, "", mover)
	}
	y := func(rounds float64) float64 { return top + height*(1-rounds/ceiling) }
	for rounds := 0.0; rounds <= ceiling+1e-9; rounds += step {
		p.line(left, y(rounds), left+width, y(rounds), `stroke="#e4e4e4"`)
		p.text(left-8, y(rounds)+4, `text-anchor="end"`, fmt.Sprintf("%.4g", rounds))
	}
	for k, name := range s.Config.Strategies {
		at := left + gap/2 + group*float64(k)
		for i, mover := range studiedMovers {
			a, x := s.find(name, mover), at+bar*float64(i)
			p.rect(x, y(a.Shots), bar, y(0)-y(a.Shots), fmt.Sprintf("fill=%q", moverColours[i]))
			p.line(x+bar/2, y(a.Shots-1.96*a.SE), x+bar/2, y(a.Shots+1.96*a.SE), `stroke="#000"`)
		}
		x, y := at+(group-gap)/2, top+height+14
		p.text(x, y, fmt.Sprintf(`text-anchor="end" transform="rotate(-35 %.1f %.1f)"`, x, y), name)
	}
	p.line(left, y(0), left+width, y(0), `stroke="#444"`)
	return p.bytes()
}
