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

// Film is an animated GIF of screens. The zero value of its Options is ready to use. A
// Film must be used by one goroutine.
type Film struct {
	Options Options
	frames  []*image.RGBA
	pauses  []int // hundredths of a second
}

// Add shows a screen for a duration, rounded to hundredths of a second. A screen that
// looks like the last one extends its duration. All screens of a film must have the same
// size.
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

// most is the maximum number of colours of a GIF besides the transparent one.
const most = 255

// Write writes the film, which repeats forever.
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
					continue // 0: transparent
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

// colours returns the most frequent colours of the film, or all if there are few.
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
	slices.SortFunc(all, func(a, b color.RGBA) int { // deterministic order
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(number(a), number(b)))
	})
	var table color.Palette
	for _, c := range all[:min(len(all), most)] {
		table = append(table, c)
	}
	return table
}

func number(c color.RGBA) uint32 { return uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B) }

// changed returns the smallest rectangle that contains all differences from the previous
// picture: at least one pixel, and everything if there is no previous picture.
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
