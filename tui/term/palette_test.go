package term

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/rogpeppe/go-internal/diff"

	"broadside/tui/term/colour"
)

var update = flag.Bool("update", false, "write testdata/themes.txt anew")

var profiles = []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI, colorprofile.ASCII, colorprofile.NoTTY}

// coloured lists the themes with colours.
var coloured = ThemeNames()[1 : len(ThemeNames())-1]

// eachPalette lists all palettes with their names.
func eachPalette(t *testing.T, test func(t *testing.T, l *Palette)) {
	for _, theme := range ThemeNames() {
		for _, p := range profiles {
			for _, g := range []Glyphs{Unicode, ASCII} {
				t.Run(fmt.Sprintf("%v/%v/%v", theme, p, g), func(t *testing.T) {
					test(t, PaletteFor(Appearance{Theme: Theme(theme), Glyphs: g}, Terminal{Profile: p}))
				})
			}
		}
	}
}

// sign is a symbol and style of a cell on a board. A test of package board compares them
// with that package's.
type sign struct {
	text  string
	style Style
}

// states lists the states that can be next to each other, on a chart or on a side's own
// board.
var states = [][]sign{
	{{"~", Unknown}, {"○", Missed}, {"·", Deduced}, {"X", Struck}, {"#", Wrecked}},
	{{"~", Sea}, {"○", Splash}, {"·", Spared}, {"■", Hull}, {"X", HullHit}, {"#", HullSunk}, {"□", Ghost}, {"!", Wrong}},
}

// aged lists the states of older shots, which fade with age.
var aged = [][]sign{
	{{"○", Missed}, {"◦", MissedOlder}, {"˙", MissedOld}, {"~", Unknown}},
	{{"X", Struck}, {"x", StruckOlder}, {"+", StruckOld}, {"~", Unknown}},
	{{"○", Splash}, {"◦", SplashOlder}, {"˙", SplashOld}, {"~", Sea}},
}

// TestAgesAreDistinct compares the appearance of shots of every age with each other and
// with all possible neighbours.
func TestAgesAreDistinct(t *testing.T) {
	eachPalette(t, func(t *testing.T, l *Palette) {
		for i, ages := range aged {
			seen := map[string]string{}
			for _, s := range append(append([]sign(nil), ages[:3]...), states[i/2]...) {
				cell := ansi.Strip(l.Paint(s.style.Render(s.text)))
				if other, taken := seen[cell]; taken && other != s.text {
					t.Errorf("%s and %s are told apart by colour alone, if at all", other, s.text)
				}
				seen[cell] = s.text
			}
		}
	})
	for _, theme := range coloured {
		for _, p := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI} {
			l := PaletteFor(Appearance{Theme: Theme(theme)}, Terminal{Profile: p})
			for _, ages := range aged {
				for i := range len(ages) - 1 {
					if a, b := ages[i], ages[i+1]; l.look(a.style.Pen().inherit(Ground)) == l.look(b.style.Pen().inherit(Ground)) {
						t.Errorf("%v, %v: %s and %s are written alike", theme, p, a.text, b.text)
					}
				}
			}
		}
	}
}

// TestStatesAreDistinct compares every pair of states, with every mark around them, in every
// palette.
func TestStatesAreDistinct(t *testing.T) {
	eachPalette(t, func(t *testing.T, l *Palette) {
		for _, board := range states {
			seen := map[string]string{}
			for _, s := range board {
				for _, around := range [][2]string{{" ", " "}, {"‹", "›"}, {"(", ")"}, {"[", "]"}} {
					style := s.style
					if around[0] == "[" {
						style = Aim
					}
					cell := l.Paint(style.Render(around[0] + s.text + around[1]))
					name := around[0] + s.text + around[1]
					if other, taken := seen[ansi.Strip(cell)]; taken {
						t.Errorf("%s and %s are told apart by colour alone, if at all: %q", other, name, cell)
					}
					seen[ansi.Strip(cell)] = name
				}
			}
		}
	})
}

// TestColoursAreDistinct compares the backgrounds of every pair of states of a board. In
// palettes with colours they must differ.
func TestColoursAreDistinct(t *testing.T) {
	for _, theme := range coloured {
		colours := colour.FindTheme(string(theme)).Theme()
		for _, p := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI} {
			for _, board := range states {
				for i, a := range board {
					for _, b := range board[:i] {
						l := PaletteFor(Appearance{Theme: Theme(theme)}, Terminal{Profile: p})
						if l.look(a.style.Pen().inherit(Ground)) == l.look(b.style.Pen().inherit(Ground)) {
							t.Errorf("%v, %v: %s and %s are written alike", theme, p, a.text, b.text)
						}
						x, y := colours[a.style.Pen().Ground], colours[b.style.Pen().Ground]
						if p == colorprofile.ANSI256 && x.Index == y.Index || p == colorprofile.TrueColor && distance(lab(x.RGB), lab(y.RGB)) < 8 {
							t.Errorf("%v, %v: the grounds of %s and %s are too much alike", theme, p, a.text, b.text)
						}
					}
				}
			}
		}
	}
}

// TestThemes compares all colours of the themes, and the sea's tones, with testdata/themes.txt. A line has
// one colour as each theme has it: in 24 bits, among 256 and among 16.
func TestThemes(t *testing.T) {
	var got strings.Builder
	for n := range colour.Count {
		for _, d := range colour.Themes {
			v := d.Theme()[n]
			fmt.Fprintf(&got, "%06x,%d,%d ", v.RGB, v.Index, v.Basic)
		}
		fmt.Fprintln(&got, n)
	}
	for row := range 8 {
		for column := range 100 {
			fmt.Fprint(&got, colour.SeaTone(column, row))
		}
		fmt.Fprintln(&got)
	}
	const file = "testdata/themes.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Error(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || got.String() != string(want) {
		t.Errorf("%v: go test -update accepts this:\n%s", err, diff.Diff("want", want, "got", []byte(got.String())))
	}
}

// TestColourVision simulates colour blindness for the colour-blind theme.
func TestColourVision(t *testing.T) {
	colours := colour.FindTheme("colour-blind").Theme()
	for name, sees := range map[string]func(linear) linear{
		"protanopia":   matrix(0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998),
		"deuteranopia": matrix(0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881),
		"tritanopia":   matrix(1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900),
	} {
		for _, board := range states {
			for i, a := range board {
				for _, b := range board[:i] {
					x, y := colours[a.style.Pen().Ground], colours[b.style.Pen().Ground]
					d := distance(labOf(sees(linearOf(x.RGB))), labOf(sees(linearOf(y.RGB))))
					if d < 12 {
						t.Errorf("%s: the grounds of %s and %s are %.0f apart", name, a.text, b.text, d)
					}
				}
			}
		}
	}
}

// TestContrast checks the contrast between signs and their backgrounds, and between text and surfaces, in
// 24 bits and among 256 colours.
func TestContrast(t *testing.T) {
	for _, theme := range coloured {
		colours := colour.FindTheme(string(theme)).Theme()
		check := func(what string, p Pen, least float64) {
			t.Helper()
			text, ground := colours[p.Text], colours[p.Ground]
			if c := contrastOf(text.RGB, ground.RGB); c < least {
				t.Errorf("%v: %s has a contrast of %.1f, want %.1f", theme, what, c, least)
			}
			if c := contrastOf(indexed(text.Index), indexed(ground.Index)); c < least {
				t.Errorf("%v, 256 colours: %s (%d on %d) has a contrast of %.1f, want %.1f", theme, what, text.Index, ground.Index, c, least)
			}
		}
		for _, board := range append(append([][]sign(nil), states...), aged...) {
			for _, s := range board {
				least := 3.0
				switch {
				case s.text == "~":
					least = 1.5 // texture, not text
				case theme == "contrast":
					least = 7
				}
				check(s.text, s.style.Pen(), least)
			}
		}
		// All text on the other surfaces is plain.
		for surface := range TopBar {
			for _, s := range []Style{Plain, Faint, Strong, Key, Cap, Chip, Mark, Info, Good, Bad, Warn} {
				check(fmt.Sprintf("style %d on surface %d", s, surface), s.Pen().inherit(surface), 3)
			}
		}
	}
}

// indexed returns one of the 256 colours of xterm.
func indexed(index uint8) uint32 {
	r, g, b, _ := ansi.IndexedColor(index).RGBA()
	return r>>8<<16 | g>>8<<8 | b>>8
}

type linear [3]float64

func linearOf(rgb uint32) (l linear) {
	for i, v := range [...]uint32{rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff} {
		x := float64(v) / 255
		if x <= 0.04045 {
			l[i] = x / 12.92
		} else {
			l[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return l
}

func matrix(m ...float64) func(linear) linear {
	return func(l linear) (out linear) {
		for i := range out {
			out[i] = min(1, max(0, m[3*i]*l[0]+m[3*i+1]*l[1]+m[3*i+2]*l[2]))
		}
		return out
	}
}

func lab(rgb uint32) [3]float64 { return labOf(linearOf(rgb)) }

func labOf(l linear) [3]float64 {
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124564*l[0] + 0.3575761*l[1] + 0.1804375*l[2]) / 0.95047)
	y := f(0.2126729*l[0] + 0.7151522*l[1] + 0.0721750*l[2])
	z := f((0.0193339*l[0] + 0.1191920*l[1] + 0.9503041*l[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

func contrastOf(a, b uint32) float64 {
	luminance := func(rgb uint32) float64 {
		l := linearOf(rgb)
		return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2]
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestPaint(t *testing.T) {
	line := "a" + Strong.Render("b") + "c" + Struck.Render("X") + "ä–■漢"
	on := func(plain, hit, after string) string { // the line where the screen has a colour
		return "\x1b[" + plain + "ma\x1b[1mb\x1b[22mc\x1b[" + hit + "mX\x1b[" + after + ";22mä–■漢\x1b[m"
	}
	for _, c := range []struct {
		choice Appearance
		term   Terminal
		want   string
	}{
		{Appearance{}, Terminal{Profile: colorprofile.TrueColor}, on("48;2;6;17;31;38;2;221;232;243", "48;2;207;53;46;38;2;255;255;255;1", "48;2;6;17;31;38;2;221;232;243")},
		{Appearance{}, Terminal{Profile: colorprofile.ANSI256}, on("48;5;16;38;5;254", "48;5;160;38;5;231;1", "48;5;16;38;5;254")},
		{Appearance{}, Terminal{Profile: colorprofile.ANSI}, on("40;97", "41;1", "40")},
		{Appearance{}, Terminal{Profile: colorprofile.ASCII}, "a\x1b[1mb\x1b[mc\x1b[7;1mX\x1b[mä–■漢"},
		{Appearance{}, Terminal{Profile: colorprofile.NoTTY, ASCII: true}, "abcXa-@??"},
		{Appearance{Theme: Mono}, Terminal{ASCII: true}, "a\x1b[1mb\x1b[mc\x1b[7;1mX\x1b[ma-@??"},
		{Appearance{Glyphs: Unicode}, Terminal{Profile: colorprofile.NoTTY, ASCII: true}, "abcXä–■漢"},
	} {
		if got := PaletteFor(c.choice, c.term).Paint(line); got != c.want {
			t.Errorf("%+v at %+v: %q, want %q", c.choice, c.term, got, c.want)
		}
	}
}

// TestSurfaces checks that text has the colours of the innermost surface.
func TestSurfaces(t *testing.T) {
	l := PaletteFor(Appearance{Theme: "classic"}, Terminal{Profile: colorprofile.ANSI256})
	got := l.Paint("a" + Card.Fill("b"+Selected.Fill(Faint.Render("c"), 2)+"d", 6) + "e" + Card.Fill("fgh", 2))
	want := "\x1b[48;5;234;38;5;255ma\x1b[48;5;235mb\x1b[48;5;221;38;5;233;1mc \x1b[48;5;235;38;5;255;22md  \x1b[48;5;234me\x1b[48;5;235mf…\x1b[m"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPaintKeepsWidths replaces all drawn characters with ASCII.
func TestPaintKeepsWidths(t *testing.T) {
	l := PaletteFor(Appearance{Glyphs: ASCII}, Terminal{})
	for r := rune(0xa0); r < 0x30000; r++ {
		s := "a" + string(r) + "b"
		got := l.Paint(s)
		if !isASCII(got) || Width(got) != Width(s) {
			t.Fatalf("%q becomes %q", s, got)
		}
	}
	for _, s := range []string{"👩‍✈️!", "e\u0301x", "🇩🇪", Good.Render("é│") + "…"} {
		if got := l.Paint(s); !isASCII(got) || Width(got) != Width(s) {
			t.Errorf("%q of %d cells becomes %q of %d", s, Width(s), got, Width(got))
		}
	}
}

func FuzzPaint(f *testing.F) {
	f.Add("a\x1b[?3mb\x1b[m■")
	f.Add("\x1b[?\x1b[?99999999999999m\x1b[?-1m")
	f.Add(fmt.Sprintf("\x1b[?%d;1;0mb\x1b[?1;%[1]d;0mc\x1b[?%dmd\x1b[?1", colour.Count, surfaceCount))
	plain, ascii := PaletteFor(Appearance{}, Terminal{Profile: colorprofile.NoTTY}), PaletteFor(Appearance{Glyphs: ASCII}, Terminal{})
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "")
		if got := plain.Paint(s); !strings.Contains(s, "\x1b") && got != s {
			t.Errorf("%q became %q", s, got)
		}
		if got := ascii.Paint(s); !strings.Contains(s, "\x1b") && !isASCII(got) {
			t.Errorf("%q became %q", s, got)
		}
	})
}

func TestReadTerminal(t *testing.T) {
	for _, c := range []struct {
		term string
		env  []string
		want Terminal
	}{
		{"xterm-256color", nil, Terminal{Profile: colorprofile.ANSI256}},
		{"xterm-256color", []string{"COLORTERM=truecolor", "LANG=de_DE.UTF-8"}, Terminal{Profile: colorprofile.TrueColor}},
		{"xterm", []string{"COLORFGBG=0;15"}, Terminal{Profile: colorprofile.ANSI, Background: LightBackground}},
		{"xterm", []string{"COLORFGBG=15;default;0"}, Terminal{Profile: colorprofile.ANSI, Background: DarkBackground}},
		{"xterm", []string{"COLORFGBG=0;7"}, Terminal{Profile: colorprofile.ANSI, Background: LightBackground}},
		{"xterm", []string{"COLORFGBG=0;300"}, Terminal{Profile: colorprofile.ANSI}},
		{"xterm", []string{"COLORFGBG=15;default"}, Terminal{Profile: colorprofile.ANSI}},
		{"xterm-256color", []string{"NO_COLOR=yes", "COLORTERM=truecolor"}, Terminal{Profile: colorprofile.ASCII}},
		{"xterm-256color", []string{"NO_COLOR="}, Terminal{Profile: colorprofile.ANSI256}},
		{"dumb", nil, Terminal{Profile: colorprofile.NoTTY}},
		{"dumb", []string{"NO_COLOR=1"}, Terminal{Profile: colorprofile.NoTTY}},
		{"vt100", []string{"LANG=C"}, Terminal{Profile: colorprofile.ANSI, ASCII: true}},
		{"xterm", []string{"LANG=en_US.UTF-8", "LC_ALL=C"}, Terminal{Profile: colorprofile.ANSI, ASCII: true}},
		{"linux", nil, Terminal{Profile: colorprofile.ANSI, ASCII: true}},
		{"linux-16color", []string{"LANG=de_DE.UTF-8"}, Terminal{Profile: colorprofile.ANSI, ASCII: true}},
		{"cygwin", nil, Terminal{Profile: colorprofile.ANSI, ASCII: true}},
		{"vt220", nil, Terminal{Profile: colorprofile.ANSI, ASCII: true}},
		{"vte-256color", nil, Terminal{Profile: colorprofile.ANSI256}},
		{"xterm", []string{"LANG=de_DE", "LC_CTYPE=C.utf8"}, Terminal{Profile: colorprofile.ANSI}},
		{"xterm", []string{"LANG=de_DE@euro"}, Terminal{Profile: colorprofile.ANSI, ASCII: true}},
	} {
		if got := DetectTerminal(c.term, c.env); got != c.want {
			t.Errorf("%s %q: %+v, want %+v", c.term, c.env, got, c.want)
		}
	}
}

func TestUnknownTheme(t *testing.T) {
	if PaletteFor(Appearance{Theme: "pink"}, Terminal{}) != PaletteFor(Appearance{}, Terminal{}) {
		t.Error("a theme that does not exist is not the usual one")
	}
}
