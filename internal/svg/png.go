package svg

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"broadside/match"
)

// PNG returns the picture that [Picture] draws, as PNG, for sites that do not show SVG. It
// takes some tens of milliseconds.
func PNG(panels [2]Panel) ([]byte, error) {
	c := canvas{image.NewRGBA(image.Rect(0, 0, pictureWidth, pictureHeight)), map[faceSize]font.Face{}}
	defer c.close()
	c.rectangle(0, 0, pictureWidth, pictureHeight, "ground")
	c.text("≈ BROADSIDE", margin, logoLine, 30, bold, false, "logo")
	for i, p := range panels {
		x, cell := place(i, p.Board)
		c.text(p.Title, x+cell, above-8, 24, regular, false, "text")
		c.board(p.Board, x, above, cell)
	}
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, c.RGBA)
	return b.Bytes(), err
}

// canvas is a picture with the faces of its texts.
type canvas struct {
	*image.RGBA
	faces map[faceSize]font.Face
}

// The weights of the font.
const (
	regular = iota
	bold
)

// faceSize is a weight of the font in a size, in pixels.
type faceSize struct {
	weight int
	size   float64
}

// fonts are the weights of the font.
var fonts = sync.OnceValue(func() (all [2]*opentype.Font) {
	for weight, ttf := range [][]byte{regular: gomono.TTF, bold: gomonobold.TTF} {
		f, err := opentype.Parse(ttf)
		if err != nil {
			panic(err) // cannot happen: the fonts are embedded
		}
		all[weight] = f
	}
	return all
})

func (c *canvas) close() {
	for _, f := range c.faces {
		f.Close()
	}
}

// face returns a weight of the font in a size.
func (c *canvas) face(s faceSize) font.Face {
	if c.faces[s] == nil {
		f, err := opentype.NewFace(fonts()[s.weight], &opentype.FaceOptions{Size: s.size, DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			panic(err) // cannot happen: the options are valid
		}
		c.faces[s] = f
	}
	return c.faces[s]
}

// paints are the colours of pictures, by the names of their variables in navy.css.
var paints = sync.OnceValue(func() map[string]color.RGBA {
	all := map[string]color.RGBA{"logo": paint("#74bdff"), "on-heat": paint("#fff"), "on-hot": paint("#0a1420")}
	for _, m := range regexp.MustCompile(`--([a-z0-9-]+):(#[0-9a-f]+)`).FindAllStringSubmatch(colours, -1) {
		all[m[1]] = paint(m[2])
	}
	for _, m := range regexp.MustCompile(`\.(heat\d) \.tile\{fill:(#[0-9a-f]+)`).FindAllStringSubmatch(Stylesheet, -1) {
		all[m[1]] = paint(m[2])
	}
	return all
})

// paint returns a colour of CSS in hexadecimal.
func paint(hex string) color.RGBA {
	hex = hex[1:]
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	n, _ := strconv.ParseUint(hex, 16, 32) // the style sheets have only valid colours
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
}

// rectangle fills a rectangle, whose edges are rounded to pixels.
func (c *canvas) rectangle(x, y, width, height float64, paint string) {
	round := func(v float64) int { return int(v + 0.5) }
	r := image.Rect(round(x), round(y), round(x+width), round(y+height))
	draw.Draw(c.RGBA, r, image.NewUniform(paints()[paint]), image.Point{}, draw.Src)
}

// text writes a text on a base line. It begins at x, or is centred there.
func (c *canvas) text(s string, x, y, size float64, weight int, centred bool, paint string) {
	d := font.Drawer{Dst: c.RGBA, Src: image.NewUniform(paints()[paint]), Face: c.face(faceSize{weight, size})}
	at := fixed.Int26_6(x * 64)
	if centred {
		at -= d.MeasureString(s) / 2
	}
	d.Dot = fixed.Point26_6{X: at, Y: fixed.Int26_6(y * 64)}
	d.DrawString(s)
}

// board draws a board with its headings, as [Board.Draw] does.
func (c *canvas) board(b *Board, x, y, cell float64) {
	unit := cell / 10
	x, y = x+cell, y+cell // of the first cell
	for i := range b.size {
		at := (float64(i) + 0.5) * cell
		c.text(strconv.Itoa(i+1), x+at, y-3*unit, 5*unit, regular, true, "muted")
		c.text(string(rune('A'+i)), x-5*unit, y+at+2*unit, 5*unit, regular, true, "muted")
	}
	for py := range b.size * patchesY {
		for px := range b.size * patchesX {
			paint := "sea"
			if tone := swell(px, py); tone > 0 {
				paint += strconv.Itoa(tone)
			}
			width, height := cell/patchesX, cell/patchesY
			c.rectangle(x+float64(px)*width, y+float64(py)*height, width, height, paint)
		}
	}
	for row := range b.size {
		for column := range b.size {
			c.cell(b.At(match.At(column, row)), x+float64(column)*cell, y+float64(row)*cell, unit)
		}
	}
}

// cell draws a cell: its hull, tile and glyph. unit is a tenth of its width.
func (c *canvas) cell(cell Cell, x, y, unit float64) {
	p := cellPaints[cell.State]
	if cell.Heat > 0 {
		p.tile, p.text, p.size = "heat"+strconv.Itoa(cell.Heat), "on-heat", 4.6
		if cell.Heat > 6 {
			p.text = "on-hot"
		}
	}
	if cell.Last {
		p.size = 4.6
	}
	c.path(cell.Hull, x, y, unit, p.hull)
	c.path(cell.Tile, x, y, unit, p.tile)
	c.text(cell.Glyph, x+5*unit, y+7*unit, p.size*unit, p.weight, true, p.text)
}

// cellPaint has the colours of a cell and the size and weight of its glyph.
type cellPaint struct {
	hull, tile, text string
	size             float64
	weight           int
}

var cellPaints = map[State]cellPaint{
	Sea:   {"", "", "wave", 6, regular},
	Miss:  {"", "miss", "on-miss", 6, bold},
	Clear: {"", "ded", "on-ded", 6, bold},
	Ship:  {"ship", "ship", "on-ship", 4, bold},
	Hit:   {"ship", "hit", "on-hit", 6, bold},
	Sunk:  {"sunk", "sunk", "on-sunk", 6, bold},
}

// pathTokens matches the commands and numbers of a path.
var pathTokens = regexp.MustCompile(`[A-Za-z]|-?[0-9.]+`)

// path fills a path of a cell. Like the paths of this package, it has the commands M, L, Q, h,
// H, v and z.
func (c *canvas) path(data string, x, y, unit float64, paint string) {
	if data == "" {
		return
	}
	// The rasterizer covers the cell and a pixel around it.
	left, top, edge := int(x)-1, int(y)-1, int(10*unit)+4
	r := vector.NewRasterizer(edge, edge)
	ex, ey := float32(x-float64(left)), float32(y-float64(top))
	s := &pathReader{tokens: pathTokens.FindAllString(data, -1), unit: float32(unit), x: ex, y: ey}
	var penX, penY float32
	for len(s.tokens) > 0 {
		switch s.command() {
		case "M":
			penX, penY = s.point()
			r.MoveTo(penX, penY)
		case "L":
			penX, penY = s.point()
			r.LineTo(penX, penY)
		case "Q":
			bx, by := s.point()
			penX, penY = s.point()
			r.QuadTo(bx, by, penX, penY)
		case "h":
			penX += s.length()
			r.LineTo(penX, penY)
		case "H":
			penX = s.x + s.length()
			r.LineTo(penX, penY)
		case "v":
			penY += s.length()
			r.LineTo(penX, penY)
		case "z", "Z":
			r.ClosePath()
		}
	}
	r.Draw(c.RGBA, image.Rect(left, top, left+edge, top+edge), image.NewUniform(paints()[paint]), image.Point{})
}

// pathReader reads the tokens of a path in pixels.
type pathReader struct {
	tokens     []string
	last       string // command
	unit, x, y float32
}

// command returns the next command, or the last one if numbers follow without a command.
func (s *pathReader) command() string {
	if t := s.tokens[0]; strings.ContainsAny(t, "MLQhHvzZ") {
		s.last, s.tokens = t, s.tokens[1:]
	}
	return s.last
}

// length reads the next number of the path.
func (s *pathReader) length() float32 {
	if len(s.tokens) == 0 {
		return 0
	}
	v, _ := strconv.ParseFloat(s.tokens[0], 32) // the pattern matches numbers
	s.tokens = s.tokens[1:]
	return float32(v) * s.unit
}

func (s *pathReader) point() (x, y float32) {
	x = s.x + s.length()
	return x, s.y + s.length()
}
