package picture_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"

	"broadside/internal/test/picture"
)

// With Size 10 and Scale 2, a cell is 12 pixels wide and 24 high.
const (
	width, height = 12, 24
	pad           = 8
)

var options = picture.Options{Size: 10, Padding: pad / 2}

var (
	ink   = color.RGBA{0xd8, 0xdc, 0xe3, 0xff}
	paper = color.RGBA{0x14, 0x17, 0x1c, 0xff}
)

// pictureOf draws the screen that an emulator shows for a text, and decodes the picture.
func pictureOf(t *testing.T, w, h int, text string) image.Image {
	t.Helper()
	em := vt.NewEmulator(w, h)
	em.WriteString(text)
	var file bytes.Buffer
	if err := picture.Write(&file, em, options); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// cell returns the rectangle of a cell in the picture.
func cell(x, y int) image.Rectangle {
	return image.Rect(0, 0, width, height).Add(image.Pt(pad+x*width, pad+y*height))
}

func at(img image.Image, x, y int) color.RGBA {
	return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
}

// inked counts the pixels of an area that differ from the background.
func inked(img image.Image, part image.Rectangle) (n int) {
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if at(img, x, y) != paper {
				n++
			}
		}
	}
	return n
}

func TestCells(t *testing.T) {
	img := pictureOf(t, 8, 3, "a\x1b[1mb\x1b[m \x1b[48;2;10;200;30m \x1b[m\x1b[7m \x1b[m█\x1b[41m \x1b[m\x1b[48;5;21m \x1b[m\r\n漢x\x1b[8mhid\x1b[m")
	if got, want := img.Bounds(), image.Rect(0, 0, 8*width+2*pad, 3*height+2*pad); got != want {
		t.Fatalf("picture is %v, want %v", got, want)
	}
	for _, c := range []struct {
		name string
		x, y int
		want color.RGBA
	}{
		{"padding", -1, 0, paper}, {"empty", 2, 0, paper}, {"below", 0, 2, paper},
		{"own ground", 3, 0, color.RGBA{10, 200, 30, 255}}, {"reversed", 4, 0, ink}, {"block", 5, 0, ink},
		{"red", 6, 0, color.RGBA{0xd0, 0x4b, 0x4b, 255}}, {"blue of 256", 7, 0, color.RGBA{0, 0, 255, 255}},
		{"hidden", 4, 1, paper},
	} {
		in := cell(c.x, c.y).Intersect(img.Bounds())
		for _, p := range []image.Point{in.Min, in.Max.Sub(image.Pt(1, 1))} {
			if got := at(img, p.X, p.Y); got != c.want {
				t.Errorf("%s: %v at %v, want %v", c.name, got, p, c.want)
			}
		}
	}
	regular, bold := inked(img, cell(0, 0)), inked(img, cell(1, 0))
	if regular == 0 || bold <= regular {
		t.Errorf("a letter has %d pixels, a bold one %d", regular, bold)
	}
	if inked(img, cell(2, 1)) == 0 {
		t.Error("nothing where the letter after a wide one should be")
	}
}

// TestLinesJoin checks that lines join without a gap in all cells.
func TestLinesJoin(t *testing.T) {
	for _, box := range []string{
		"┌┬┐\r\n├┼┤\r\n└┴┘", "┏┳┓\r\n┣╋┫\r\n┗┻┛", "╔╦╗\r\n╠╬╣\r\n╚╩╝", "╭┬╮\r\n├┼┤\r\n╰┴╯", "╒╤╕\r\n╞╪╡\r\n╘╧╛", "╓╥╖\r\n╟╫╢\r\n╙╨╜",
	} {
		img := pictureOf(t, 3, 3, box)
		frame := image.Rectangle{cell(0, 0).Min, cell(2, 2).Max}
		var down, across int // pixel columns and rows that lead from one outer line to the other
		middle := func(r image.Rectangle) image.Point { return r.Min.Add(r.Max).Div(2) }
		top, bottom := middle(cell(0, 0)), middle(cell(2, 2))
		for x := frame.Min.X; x < frame.Max.X; x++ {
			if inked(img, image.Rect(x, top.Y+height/2, x+1, bottom.Y-height/2)) == height {
				down++
			}
		}
		for y := frame.Min.Y; y < frame.Max.Y; y++ {
			if inked(img, image.Rect(top.X+width/2, y, bottom.X-width/2, y+1)) == width {
				across++
			}
		}
		want := 3
		if box[:3] == "╔" {
			want = 2 // the strokes in the middle turn at the crossing
		}
		if down < want || across < want {
			t.Errorf("%d lines go down and %d across without a gap, want at least %d of each:\n%s", down, across, want, box)
		}
		if n := inked(img, img.Bounds()) - inked(img, frame); n != 0 {
			t.Errorf("%d pixels are outside of the frame:\n%s", n, box)
		}
	}
}

// TestShapesStayInTheirCells checks that every line, block and shape draws something, and
// only in its own cell.
func TestShapesStayInTheirCells(t *testing.T) {
	shapes := []rune("●○◉◎•·■□▪▫▲▼▶►▸◀◄◂◆♦◇×✕✗✓")
	for r := rune(0x2500); r <= 0x259f; r++ {
		shapes = append(shapes, r)
	}
	seen := make(map[string]rune)
	for _, r := range shapes {
		s := uv.NewBuffer(3, 3)
		s.Lines[1][1] = uv.Cell{Content: string(r), Width: 1}
		img, err := picture.Draw(s, options)
		if err != nil {
			t.Fatal(err)
		}
		in := inked(img, cell(1, 1))
		if all := inked(img, img.Bounds()); in == 0 || all != in {
			t.Errorf("%c leaves %d pixels in its cell and %d around it", r, in, all-in)
		}
		look := string(img.Pix)
		if other, ok := seen[look]; ok && r <= 0x259f && other <= 0x259f && r >= 0x2500 && other >= 0x2500 {
			t.Errorf("%c and %c look alike", other, r)
		}
		seen[look] = r
	}
}

func TestSameScreenSamePicture(t *testing.T) {
	var files [2]bytes.Buffer
	for i := range files {
		em := vt.NewEmulator(20, 2)
		em.WriteString("\x1b[1;3;4;9;31mAll ○ ╬\x1b[m of it")
		if err := picture.Write(&files[i], em, picture.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("two pictures of one screen differ")
	}
}

func TestWriteFails(t *testing.T) {
	broken := errors.New("broken")
	if err := picture.Write(writer{broken}, uv.NewBuffer(1, 1), picture.Options{}); !errors.Is(err, broken) {
		t.Errorf("error is %v", err)
	}
}

type writer struct{ err error }

func (w writer) Write([]byte) (int, error) { return 0, w.err }
