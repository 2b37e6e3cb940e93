package svg

import (
	"bytes"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"golang.org/x/image/font/sfnt"

	"broadside/match"
)

// TestPNG draws a match and compares pixels of each cell with the colours of its state.
func TestPNG(t *testing.T) {
	g := played(t)
	for name, view := range map[string]match.View{"spectator": g.View(match.Nobody), "replay": g.Revealed()} {
		panels := [2]Panel{{"ann", NewBoard(&view, match.First)}, {"medium", NewBoard(&view, match.Second)}}
		panels[1].Board.SetHeat(match.At(9, 9), 0.42, 0.42)
		data, err := PNG(panels)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if b := img.Bounds(); b.Dx() != 1200 || b.Dy() != 630 || len(data) > 150<<10 {
			t.Errorf("%s: %v, %d bytes", name, b, len(data))
		}
		for i, p := range panels {
			left, cell := place(i, p.Board)
			for at := range match.Classic().Board().All() {
				// Below the middle of a cell is its tile, its hull or the sea, and no glyph.
				x, y := left+cell+(float64(at.X)+0.56)*cell, above+cell+(float64(at.Y)+0.765)*cell
				got := color.RGBAModel.Convert(img.At(int(x), int(y))).(color.RGBA)
				c := p.Board.At(at)
				want := cellPaints[c.State].tile
				switch {
				case c.Heat > 0:
					want = "heat9"
				case c.Tile == "":
					want = cellPaints[c.State].hull
				}
				if want == "" {
					want = "sea" + strings.TrimLeft(string(rune('0'+swell(int(at.X)*patchesX+2, int(at.Y)*patchesY+3))), "0")
				}
				if got != paints()[want] {
					t.Errorf("%s: %v of board %d (%+v) has the colour %v, want %q %v", name, at, i, c, got, want, paints()[want])
				}
			}
		}
	}
}

// TestFontHasGlyphs checks that pictures show no boxes instead of glyphs.
func TestFontHasGlyphs(t *testing.T) {
	text := "≈‹›%0123456789ABCÄéßñ…"
	for _, g := range glyphs {
		text += g
	}
	for weight, f := range fonts() {
		for _, r := range text {
			if i, err := f.GlyphIndex(new(sfnt.Buffer), r); err != nil || i == 0 {
				t.Errorf("weight %d has no %q: %v", weight, r, err)
			}
		}
	}
}

// BenchmarkPNG measures how long a picture takes, and its size.
func BenchmarkPNG(b *testing.B) {
	view := match.View{Rules: match.Classic(), Charts: [2]match.Chart{match.NewChart(match.Classic()), match.NewChart(match.Classic())}}
	panels := [2]Panel{{"ann", NewBoard(&view, match.First)}, {"bob", NewBoard(&view, match.Second)}}
	for b.Loop() {
		data, err := PNG(panels)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(data)), "bytes")
	}
}
