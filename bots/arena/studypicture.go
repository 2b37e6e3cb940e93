package arena

import (
	"bytes"
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"broadside/match"
)

// moverColours tell the movers apart, also for those who do not see red.
var moverColours = []color.Color{color.RGBA{0x4c, 0x72, 0xb0, 255}, color.RGBA{0xdd, 0x84, 0x52, 255}, color.RGBA{0x55, 0x55, 0x55, 255}}

// roundsPicture is the bars of the rounds that each strategy needs against each
// mover.
func (s *Study) roundsPicture() ([]byte, error) {
	p := plot.New()
	p.Title.Text = "Rounds to sink a fleet"
	p.Y.Label.Text = "rounds"
	p.Y.Min = 0
	p.Legend.Top = true
	const width = 10
	for i, mover := range studiedMovers {
		var values plotter.Values
		for _, name := range s.Config.Strategies {
			values = append(values, s.find(name, mover).Shots)
		}
		bars, err := plotter.NewBarChart(values, vg.Points(width))
		if err != nil {
			return nil, fmt.Errorf("drawing bars: %w", err)
		}
		bars.Color, bars.Offset = moverColours[i], vg.Points(float64(width*(i-1)))
		p.Add(bars)
		p.Legend.Add(mover, bars)
	}
	p.NominalX(s.Config.Strategies...)
	w, err := p.WriterTo(24*vg.Centimeter, 10*vg.Centimeter, "svg")
	if err != nil {
		return nil, fmt.Errorf("drawing: %w", err)
	}
	var b bytes.Buffer
	if _, err := w.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("drawing: %w", err)
	}
	return b.Bytes(), nil
}

// berthColours are what a board shows.
var berthColours = map[match.Berth]color.Color{
	match.Sea: color.RGBA{0xe8, 0xf1, 0xf8, 255}, match.Splash: color.RGBA{0x9c, 0xc4, 0xe0, 255},
	match.Hull: color.RGBA{0x77, 0x77, 0x77, 255}, match.HullHit: color.RGBA{0xd6, 0x4a, 0x3a, 255},
	match.HullSunk: color.RGBA{0x22, 0x22, 0x22, 255},
}

// coursePicture is the course of a game: both boards at the start, and after
// every so many rounds to the end.
func (s *Study) coursePicture() ([]byte, error) {
	const (
		columns = 4
		most    = 16 // pictures
		cell    = vg.Length(9)
		margin  = vg.Length(22)
	)
	events := s.Game.Events()
	var cuts []int // of events, before each round and at the end
	for i, e := range events {
		if e.Kind == match.ShotFired && e.Side == match.Second {
			cuts = append(cuts, i)
		}
	}
	cuts = append(cuts, len(events))
	every := max(1, (len(cuts)+most-2)/(most-1))
	var shown []int // rounds
	for round := 0; round < len(cuts)-1; round += every {
		shown = append(shown, round)
	}
	shown = append(shown, len(cuts)-1)
	board := cell * vg.Length(s.Config.Rules.Size)
	wide, high := 2*board+2*margin, board+2*margin
	rows := (len(shown) + columns - 1) / columns
	c := vgsvg.New(columns*wide, vg.Length(rows)*high)
	dc := draw.New(c)
	style := plot.New().Title.TextStyle
	style.Font.Size = 8
	for n, round := range shown {
		g, err := match.Replay(s.Config.Rules, match.AuditOff, events[:cuts[round]])
		if err != nil {
			return nil, fmt.Errorf("after round %d: %w", round, err)
		}
		v := g.Revealed()
		left := vg.Length(n%columns)*wide + margin/2
		top := vg.Length(rows-n/columns)*high - margin
		for side := match.First; side <= match.Second; side++ {
			x := left + vg.Length(side)*(board+margin)
			style.XAlign = 0
			dc.FillText(style, vg.Point{X: x, Y: top + 3}, fmt.Sprintf("%s, round %d", s.Players[side], round))
			for at := range v.Rules.Board().All() {
				x0, y0 := x+cell*vg.Length(at.X), top-cell*vg.Length(at.Y+1)
				dc.FillPolygon(berthColours[v.Board(side, at)], []vg.Point{{X: x0, Y: y0}, {X: x0 + cell - 0.5, Y: y0}, {X: x0 + cell - 0.5, Y: y0 + cell - 0.5}, {X: x0, Y: y0 + cell - 0.5}})
			}
		}
	}
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("drawing: %w", err)
	}
	return b.Bytes(), nil
}
