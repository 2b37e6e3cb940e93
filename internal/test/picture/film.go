package picture

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"io"
	"slices"
	"time"
)

// Film is a row of screens that are shown one after another, each for a while:
// an animated GIF. The zero value of its Options is good. It is for one goroutine.
type Film struct {
	Options Options
	frames  []*image.RGBA
	pauses  []int // hundredths of a second
}

// Add shows a screen for a while, rounded to hundredths of a second. One that
// looks as the one before prolongs it. All screens of a film have the same size.
func (f *Film) Add(s Screen, long time.Duration) error {
	img, err := Draw(s, f.Options)
	if err != nil {
		return err
	}
	pause := int(long / (10 * time.Millisecond))
	if n := len(f.frames); n > 0 {
		if last := f.frames[n-1]; last.Rect != img.Rect {
			return fmt.Errorf("a screen of %v in a film of %v", img.Rect.Size(), last.Rect.Size())
		} else if slices.Equal(last.Pix, img.Pix) {
			f.pauses[n-1] += pause
			return nil
		}
	}
	f.frames, f.pauses = append(f.frames, img), append(f.pauses, pause)
	return nil
}

// most is how many colours a GIF has besides the one that leaves a pixel as it is.
const most = 255

// Write writes the film. It begins anew after its end.
func (f *Film) Write(w io.Writer) error {
	if len(f.frames) == 0 {
		return fmt.Errorf("a film without a screen")
	}
	g := &gif.GIF{Delay: f.pauses, Config: image.Config{
		Width: f.frames[0].Rect.Dx(), Height: f.frames[0].Rect.Dy(),
	}}
	colours := f.colours()
	table := append(color.Palette{color.RGBA{}}, colours...)
	g.Config.ColorModel = table
	index := map[color.RGBA]uint8{}
	var last *image.RGBA
	for _, img := range f.frames {
		part := changed(last, img)
		frame := image.NewPaletted(part, table)
		for y := part.Min.Y; y < part.Max.Y; y++ {
			for x := part.Min.X; x < part.Max.X; x++ {
				c := img.RGBAAt(x, y)
				if last != nil && last.RGBAAt(x, y) == c {
					continue // 0: as it is
				}
				i, known := index[c]
				if !known {
					i = uint8(1 + colours.Index(c))
					index[c] = i
				}
				frame.SetColorIndex(x, y, i)
			}
		}
		g.Image, g.Disposal = append(g.Image, frame), append(g.Disposal, gif.DisposalNone)
		last = img
	}
	if err := gif.EncodeAll(w, g); err != nil {
		return fmt.Errorf("encoding a film: %w", err)
	}
	return nil
}

// colours are those that most pixels of the film have: all, if there are few.
func (f *Film) colours() color.Palette {
	count := map[color.RGBA]int{}
	for _, img := range f.frames {
		for i := 0; i < len(img.Pix); i += 4 {
			count[color.RGBA{img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3]}]++
		}
	}
	all := make([]color.RGBA, 0, len(count))
	for c := range count {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int { // the same for the same film
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(number(a), number(b)))
	})
	var table color.Palette
	for _, c := range all[:min(len(all), most)] {
		table = append(table, c)
	}
	return table
}

func number(c color.RGBA) uint32 { return uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B) }

// changed is the smallest part of a picture that holds all that is not as in the
// one before; one pixel at least, and everything without one before.
func changed(last, img *image.RGBA) image.Rectangle {
	if last == nil {
		return img.Rect
	}
	var part image.Rectangle
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		for x := img.Rect.Min.X; x < img.Rect.Max.X; x++ {
			if last.RGBAAt(x, y) != img.RGBAAt(x, y) {
				part = part.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return part
}
