package picture

import (
	"errors"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/gomonobolditalic"
	"golang.org/x/image/font/gofont/gomonoitalic"
	"golang.org/x/image/font/opentype"
)

// faces holds the four styles of the font in one size, and the matching size of a cell in
// pixels.
type faces struct {
	cuts          [4]font.Face // regular, bold, italic, both
	width, height int
	baseline      int // distance from the top of a cell
}

func newFaces(size int) (*faces, error) {
	f := new(faces)
	for i, ttf := range [...][]byte{gomono.TTF, gomonobold.TTF, gomonoitalic.TTF, gomonobolditalic.TTF} {
		parsed, err := opentype.Parse(ttf)
		if err != nil {
			return nil, err
		}
		f.cuts[i], err = opentype.NewFace(parsed, &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingFull})
		if err != nil {
			return nil, err
		}
	}
	advance, ok := f.cuts[0].GlyphAdvance('M')
	if !ok {
		return nil, errors.New("the font has no letters")
	}
	m := f.cuts[0].Metrics()
	f.width = advance.Round()
	// The line height is 1.2 times the font size, with equal space above and below the
	// capitals.
	f.height = size * 6 / 5
	f.height += f.height % 2
	f.baseline = (f.height + m.CapHeight.Round()) / 2
	return f, nil
}

func (f *faces) close() {
	for _, cut := range f.cuts {
		cut.Close()
	}
}

func (f *faces) face(attrs uint8) font.Face {
	i := 0
	if attrs&uv.AttrBold != 0 {
		i |= 1
	}
	if attrs&uv.AttrItalic != 0 {
		i |= 2
	}
	return f.cuts[i]
}
