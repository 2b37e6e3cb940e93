package arena

import (
	"bytes"
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"broadside/match"
)

// moverColours tell the movers apart, also for those who do not see red.
var moverColours = []color.Color{color.RGBA{0x4c, 0x72, 0xb0, 255}, color.RGBA{0xdd, 0x84, 0x52, 255}, color.RGBA{0x55, 0x55, 0x55, 255}}

// roundsPicture is the bars of the rounds that each strategy needs against each
// mover, with their 95 % intervals.
func (s *Study) roundsPicture() ([]byte, error) {
	const width, high = 24 * vg.Centimeter, 11 * vg.Centimeter
	n := len(s.Config.Strategies)
	bar := width / vg.Length(len(studiedMovers)+1) / vg.Length(n+1)
	p := plot.New()
	p.Title.Text = "Rounds to sink a fleet that stays, moves at random, or evades"
	p.Y.Label.Text = "rounds, mean and 95 % interval"
	for _, style := range []*text.Style{&p.Title.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		style.Font.Variant = "Sans"
	}
	p.Title.Padding = vg.Points(6)
	p.Legend.Top, p.Legend.Left = true, true // text of any width has room there
	p.Legend.XOffs = vg.Points(8)
	highest := 0.0
	for i, mover := range studiedMovers {
		values := make(plotter.Values, n)
		for k, name := range s.Config.Strategies {
			a := s.find(name, mover)
			values[k] = a.Shots
			highest = max(highest, a.Shots+1.96*a.SE)
		}
		bars, err := plotter.NewBarChart(values, bar)
		if err != nil {
			return nil, fmt.Errorf("drawing bars: %w", err)
		}
		bars.Color, bars.Offset, bars.LineStyle.Width = moverColours[i], bar*vg.Length(i-1), 0
		p.Add(bars, &intervals{study: s, mover: mover, offset: bars.Offset})
		p.Legend.Add(mover, bars)
	}
	p.NominalX(s.Config.Strategies...)
	p.X.Min, p.X.Max = -0.6, float64(n)-0.4
	p.Y.Min, p.Y.Max = 0, 1.25*highest
	w, err := p.WriterTo(width, high, "svg")
	if err != nil {
		return nil, fmt.Errorf("drawing: %w", err)
	}
	var b bytes.Buffer
	if _, err := w.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("drawing: %w", err)
	}
	return b.Bytes(), nil
}

// intervals are the lines on bars that say how sure they are.
type intervals struct {
	study  *Study
	mover  string
	offset vg.Length
}

// Plot implements [plot.Plotter].
func (v *intervals) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	line := draw.LineStyle{Color: color.Black, Width: vg.Points(0.8)}
	for k, name := range v.study.Config.Strategies {
		a := v.study.find(name, v.mover)
		at := x(float64(k)) + v.offset
		c.StrokeLine2(line, at, y(a.Shots-1.96*a.SE), at, y(a.Shots+1.96*a.SE))
	}
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
		columns = 3
		most    = 15 // pictures
		cell    = vg.Length(11)
		margin  = vg.Length(16)
		head    = vg.Length(40) // above each picture
		foot    = vg.Length(24)
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
	wide, high := 2*board+3*margin, board+head
	rows := (len(shown) + columns - 1) / columns
	c := vgsvg.New(columns*wide, vg.Length(rows)*high+foot)
	dc := draw.New(c)
	title := plot.New().Title.TextStyle
	title.Font.Variant, title.Font.Size = "Sans", 10
	title.XAlign, title.YAlign = draw.XLeft, draw.YBottom
	name := title
	name.Font.Size = 8
	for n, round := range shown {
		g, err := match.Replay(s.Config.Rules, match.AuditOff, events[:cuts[round]])
		if err != nil {
			return nil, fmt.Errorf("after round %d: %w", round, err)
		}
		v := g.Revealed()
		left := vg.Length(n%columns)*wide + margin
		top := vg.Length(rows-n/columns)*high + foot - head
		when := fmt.Sprintf("after round %d", round)
		switch n {
		case 0:
			when = "the start"
		case len(shown) - 1:
			when = fmt.Sprintf("the end, in round %d: %s has won", v.Rounds(), s.Players[v.Winner])
		}
		dc.FillText(title, vg.Point{X: left, Y: top + 18}, when)
		for side := match.First; side <= match.Second; side++ {
			x := left + vg.Length(side)*(board+margin)
			dc.FillText(name, vg.Point{X: x, Y: top + 4}, s.Players[side])
			paintBoard(dc, &v, side, vg.Point{X: x, Y: top}, cell)
		}
	}
	dc.FillText(name, vg.Point{X: margin, Y: 8}, "Light: water, blue: shot at, grey: a ship, red: hit, black: sunk. A white dot is at the bow.")
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("drawing: %w", err)
	}
	return b.Bytes(), nil
}

// paintBoard paints the board of a side, its top left corner at a point.
func paintBoard(dc draw.Canvas, v *match.View, side match.Side, at vg.Point, cell vg.Length) {
	square := func(x, y, w, h vg.Length) []vg.Point {
		return []vg.Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y - h}, {X: x, Y: y - h}}
	}
	corner := func(c match.Cell) (x, y vg.Length) {
		return at.X + cell*vg.Length(c.X), at.Y - cell*vg.Length(c.Y)
	}
	for c := range v.Rules.Board().All() {
		x, y := corner(c)
		dc.FillPolygon(berthColours[v.Board(side, c)], square(x, y, cell-0.5, cell-0.5))
	}
	for _, ship := range v.Fleets[side] {
		bow := ship.Bow()
		a := match.At(min(int(ship.Stern.X), int(bow.X)), min(int(ship.Stern.Y), int(bow.Y)))
		b := match.At(max(int(ship.Stern.X), int(bow.X)), max(int(ship.Stern.Y), int(bow.Y)))
		x, y := corner(a)
		w, h := cell*vg.Length(b.X-a.X+1)-0.5, cell*vg.Length(b.Y-a.Y+1)-0.5
		outline := square(x, y, w, h)
		dc.StrokeLines(draw.LineStyle{Color: color.Black, Width: vg.Points(1)}, append(outline, outline[0]))
		x, y = corner(bow)
		dc.FillPolygon(color.White, square(x+cell/2-1.75, y-cell/2+1.75, 3, 3))
	}
}
