package picture_test

import (
	"bytes"
	"image"
	"image/draw"
	"image/gif"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"

	"broadside/internal/test/picture"
)

// TestFilm checks that each screen of a film looks like its picture and has the right
// duration, and that only changes are written.
func TestFilm(t *testing.T) {
	em := vt.NewEmulator(20, 4)
	film := picture.Film{Options: options}
	var want []*image.RGBA
	add := func(text string, long time.Duration) {
		t.Helper()
		em.WriteString(text)
		if err := film.Add(em, long); err != nil {
			t.Fatal(err)
		}
		img, err := picture.Draw(em, options)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, img)
	}
	add("\x1b[31mone\x1b[m", time.Second)
	add("", time.Second/2) // the same once more
	want = want[:1]
	add("\x1b[2;3H#", 300*time.Millisecond)
	add("\x1b[2;3H \x1b[4;20H\x1b[44m=\x1b[m", time.Second)

	var file bytes.Buffer
	if err := film.Write(&file); err != nil {
		t.Fatal(err)
	}
	got, err := gif.DecodeAll(&file)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Image) != 3 || got.Delay[0] != 150 || got.Delay[1] != 30 || got.Delay[2] != 100 {
		t.Fatalf("%d pictures, shown for %v", len(got.Image), got.Delay)
	}
	screen := image.NewRGBA(want[0].Rect)
	for i, frame := range got.Image {
		draw.Draw(screen, frame.Rect, frame, frame.Rect.Min, draw.Over)
		if !bytes.Equal(screen.Pix, want[i].Pix) {
			t.Errorf("picture %d is not that of its screen", i)
		}
	}
	if part := got.Image[1].Rect; part.Dx() > width || part.Dy() > height {
		t.Errorf("one cell has changed, and %v is written", part)
	}
	if err := film.Add(vt.NewEmulator(19, 4), time.Second); err == nil {
		t.Error("a film has screens of two sizes")
	}
	if err := new(picture.Film).Write(&file); err == nil {
		t.Error("a film of nothing is written")
	}
}
