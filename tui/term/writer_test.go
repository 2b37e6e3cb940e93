package term_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"

	"broadside/tui/term"
	"broadside/tui/term/colour"
)

// terminal is an emulator and the writer that draws on it.
type terminal struct {
	t      *testing.T
	screen *vt.Emulator
	*term.Writer
	palette *term.Palette
	last    *bytes.Buffer // what the last frame took
}

func open(t *testing.T, width, height int) *terminal {
	tty := &terminal{t: t, screen: vt.NewEmulator(width, height), last: &bytes.Buffer{}}
	tty.Writer = term.NewWriter(tty, width, height)
	return tty
}

func (tty *terminal) Write(p []byte) (int, error) {
	tty.last.Write(p)
	return tty.screen.Write(p)
}

func (tty *terminal) show(lines ...string) string {
	tty.t.Helper()
	tty.last.Reset()
	if err := tty.Draw(term.Frame{Lines: slices.Clone(lines), Palette: tty.palette}); err != nil {
		tty.t.Fatal(err)
	}
	return tty.last.String()
}

// same reports whether two emulators show the same text and styles.
func (tty *terminal) same(other *terminal) bool {
	for y := range tty.screen.Height() {
		for x := range tty.screen.Width() {
			a, b := tty.screen.CellAt(x, y).Clone(), other.screen.CellAt(x, y).Clone()
			for _, c := range []*uv.Cell{a, b} { // colours may be exchanged and reversed
				if s := &c.Style; s.Attrs&uv.AttrReverse != 0 && s.Fg != nil && s.Bg != nil {
					s.Fg, s.Bg, s.Attrs = s.Bg, s.Fg, s.Attrs&^uv.AttrReverse
				}
			}
			if strings.TrimSpace(a.Content+b.Content) == "" { // the style of text does not show
				for _, c := range []*uv.Cell{a, b} {
					c.Style.Fg, c.Content, c.Width = nil, "", 1
					c.Style.Attrs &^= uv.AttrBold
				}
			}
			if !a.Equal(b) {
				return false
			}
		}
	}
	return true
}

// scraps lists the parts of random lines.
var scraps = []string{
	"a", "battle", " ", "          ", "│", "■", "‹X›", "·  ·  ·", "ä", "é", "漢字", "🚢", "👩‍✈️", "🇩🇪", "e\u0301", "\u200d",
	term.Strong.Render("YOUR FLEET"),
	term.Pen{Text: colour.Bad, Ground: colour.Sea}.Render(" X "),
	term.Unknown.Render("       "),
	term.Faint.Render("b"),
	term.Pen{Text: colour.Sea, Ground: colour.Bad, Bold: true}.Render("turn"),
	term.Selected.Render("row", 2),
}

var navy = term.PaletteFor(term.Appearance{Theme: term.Navy}, term.Terminal{})

func randomLine(rng *rand.Rand) string {
	var b strings.Builder
	for range rng.IntN(8) {
		b.WriteString(scraps[rng.IntN(len(scraps))])
	}
	return b.String()
}

// TestDifferencesEqualFullFrames draws a series of random frames, and compares the result
// with a terminal on which only the last frame was drawn.
func TestDifferencesEqualFullFrames(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		width, height := 1+rng.IntN(60), 1+rng.IntN(12)
		tty := open(t, width, height)
		tty.palette = navy
		lines := []string{}
		for n := range 20 {
			switch rng.IntN(12) {
			case 0:
				width, height = 1+rng.IntN(60), 1+rng.IntN(12)
				tty.screen.Resize(width, height)
				tty.Resize(width, height)
			case 1:
				tty.Repaint()
			case 2:
				lines = lines[:rng.IntN(len(lines)+1)]
			}
			for range rng.IntN(4) {
				if len(lines) > 0 && rng.IntN(3) > 0 {
					lines[rng.IntN(len(lines))] = randomLine(rng)
				} else {
					lines = append(lines, randomLine(rng))
				}
			}
			tty.show(lines...)
			whole := open(t, width, height)
			whole.palette = navy
			whole.show(lines...)
			if !tty.same(whole) {
				t.Fatalf("seed %d, frame %d of %d×%d: %q shows\n%s\nwant\n%s\nlast bytes %q",
					seed, n, width, height, lines, tty.screen.Render(), whole.screen.Render(), tty.last)
			}
		}
	}
}

// TestPalettes draws random frames with styles in changing palettes, and compares the
// result with a terminal on which only the last frame was drawn.
func TestPalettes(t *testing.T) {
	looks := []*term.Palette{
		navy,
		term.PaletteFor(term.Appearance{Theme: term.Light}, term.Terminal{}),
		term.PaletteFor(term.Appearance{Theme: term.Navy, Glyphs: term.ASCII}, term.Terminal{}),
	}
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 2))
		tty := open(t, 40, 5)
		lines, worn := make([]string, 5), 0
		tty.palette = looks[worn]
		for n := range 20 {
			if rng.IntN(4) == 0 {
				worn = rng.IntN(len(looks))
				tty.palette = looks[worn]
			}
			for range rng.IntN(3) {
				style := term.Style(1 + rng.IntN(40))
				line := "over " + style.Render("■ ‹X›") + " and " + style.Render([]string{"漢", "a"}[rng.IntN(2)])
				switch rng.IntN(3) {
				case 0:
					line = term.Card.Fill(line+term.Selected.Fill(line, 12), 36)
				case 1:
					line += term.Pen{Text: colour.Sea, Ground: colour.Name(rng.IntN(int(colour.Count)))}.Render("▀▀ ")
				}
				lines[rng.IntN(5)] = line
			}
			tty.show(lines...)
			whole := open(t, 40, 5)
			whole.palette = looks[worn]
			whole.show(lines...)
			if !tty.same(whole) {
				t.Fatalf("seed %d, frame %d shows\n%s\nwant\n%s", seed, n, tty.screen.Render(), whole.screen.Render())
			}
			if sent := tty.show(lines...); sent != "" {
				t.Fatalf("seed %d, frame %d: drawn again it takes %q", seed, n, sent)
			}
		}
	}
}

// TestLargeFrames draws a few large frames again and again, in random order on three terminals, and
// compares each result with a terminal on which the frame was built up line by line.
func TestLargeFrames(t *testing.T) {
	const width, height = 40, 14
	looks := []*term.Palette{
		navy,
		term.PaletteFor(term.Appearance{Theme: term.Light}, term.Terminal{}),
	}
	rng := rand.New(rand.NewPCG(1, 3))
	var frames [4][]string
	for i := range frames {
		for range height {
			line := term.Style(1+rng.IntN(40)).Render("one ■") + strings.Repeat(" ", rng.IntN(9)) + term.Style(1+rng.IntN(40)).Render("and two")
			if rng.IntN(2) == 0 {
				line = term.Card.Fill(line, 36)
			}
			frames[i] = append(frames[i], line)
		}
		frames[i][rng.IntN(height)] = ""
	}
	var terminals [3]*terminal
	for i := range terminals {
		terminals[i] = open(t, width, height)
	}
	for n := range 150 {
		tty, lines := terminals[rng.IntN(len(terminals))], frames[rng.IntN(len(frames))]
		if rng.IntN(3) == 0 {
			tty.palette = looks[rng.IntN(len(looks))]
		}
		tty.show(lines...)
		gradual := open(t, width, height)
		gradual.palette = tty.palette
		for y := range lines {
			gradual.show(lines[:y+1]...)
		}
		if !tty.same(gradual) {
			t.Fatalf("frame %d shows\n%s\nwant\n%s", n, tty.screen.Render(), gradual.screen.Render())
		}
	}
}

func TestBell(t *testing.T) {
	tty := open(t, 20, 4)
	tty.show("one")
	tty.RingBell()
	if got := tty.show("one"); got != "\a" {
		t.Errorf("the bell is %q", got)
	}
	if got := tty.show("one"); got != "" {
		t.Errorf("after the bell comes %q", got)
	}
}

// TestCopy checks that a copied text reaches the clipboard once, without control characters, and in ASCII if the
// terminal shows only that.
func TestCopy(t *testing.T) {
	for text, want := range map[term.Clip]string{
		"a · b ▪▫":                    "\x1b]52;c;YSAuIGIgIy4=\a",
		"\x1b]52;c;aGk=\a\n\x9bx\xff": "\x1b]52;c;XTUyO2M7YUdrPXg=\a",
	} {
		tty := open(t, 20, 4)
		tty.palette = term.PaletteFor(term.Appearance{}, term.Terminal{ASCII: true})
		tty.show("one")
		tty.Copy(text)
		if got := tty.show("one"); got != want {
			t.Errorf("copying %q wrote %q, want %q", text, got, want)
		}
		if got := tty.show("one"); got != "" {
			t.Errorf("after the copy comes %q", got)
		}
	}
}

// TestContentIsShown checks that the terminal of the other tests shows the content of a
// frame.
func TestContentIsShown(t *testing.T) {
	tty := open(t, 20, 4)
	tty.palette = navy
	tty.show("one", "  "+term.Good.Render("two"), "", "four", "five")
	want := "one\n  two\n\nfour"
	var rows []string
	for y := range 4 {
		var row strings.Builder
		for x := range 20 {
			row.WriteString(tty.screen.CellAt(x, y).Content)
		}
		rows = append(rows, strings.TrimRight(row.String(), " "))
	}
	if got := strings.Join(rows, "\n"); got != want {
		t.Errorf("the screen shows\n%s\nwant\n%s", got, want)
	}
	if r, g, b, _ := tty.screen.CellAt(2, 1).Style.Fg.RGBA(); r>>8 != 0x74 || g>>8 != 0xd6 || b>>8 != 0x92 {
		t.Errorf("the colour is %d,%d,%d", r>>8, g>>8, b>>8)
	}
}

func TestOnlyChangesAreWritten(t *testing.T) {
	tty := open(t, 80, 24)
	tty.palette = term.PaletteFor(term.Appearance{Theme: term.Mono}, term.Terminal{})
	label := term.Strong.Render("left")
	tty.show("clock 0:59 "+label, "a line that stays", "one that goes")
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"nothing", []string{"clock 0:59 " + label, "a line that stays", "one that goes"}, ""},
		{"a digit", []string{"clock 0:58 " + label, "a line that stays", "one that goes"}, "\x1b[1;10H\x1b[m8"},
		{"an end", []string{"clock 0:58 " + label, "a line that stays", "one"}, "\x1b[3;4H\x1b[K"},
		{"a line", []string{"clock 0:58 " + label, "a line that stays"}, "\x1b[3;1H\x1b[K"},
		{"a style", []string{"clock 0:58 left", "a line that stays"}, "\x1b[1;12Hleft"},
		{"two places", []string{"clock 1:58 left", "A line that stays"},
			"\x1b[2;1HA\x1b[1;7H1"},
		{"two places, in the other direction", []string{"clock 0:58 left", "a line that stays"},
			"\x1b[1;7H0\x1b[2;1Ha"},
	} {
		if got := tty.show(c.lines...); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestLargeFramesAreShownAtOnce checks that large frames use synchronized output.
func TestLargeFramesAreShownAtOnce(t *testing.T) {
	tty := open(t, 80, 24)
	tty.show("x")
	const begin, end = "\x1b[?2026h", "\x1b[?2026l"
	full := strings.Split(strings.Repeat(strings.Repeat("x", 80)+"\n", 24), "\n")
	if got := tty.show(full...); !strings.HasPrefix(got, begin) || !strings.HasSuffix(got, end) {
		t.Errorf("a full frame begins with %q and ends with %q", got[:10], got[len(got)-10:])
	}
}

func TestCloseRestoresTerminal(t *testing.T) {
	tty := open(t, 80, 24)
	f := term.Frame{Lines: []string{"x"}, Title: "Broad\x1b]0;side\a", Mouse: tea.MouseModeCellMotion}
	if err := tty.Draw(f); err != nil {
		t.Fatal(err)
	}
	first := tty.last.String()
	for _, seq := range []string{"\x1b[?1049h", "\x1b[?25l", "\x1b[?2004h", "\x1b[?1002h", "\x1b[?1006h", "\x1b[22;2t\x1b]2;Broad]0;side\a"} {
		if !strings.Contains(first, seq) {
			t.Errorf("the first frame %q lacks %q", first, seq)
		}
	}
	if strings.Contains(first, "$p") || strings.Contains(first, "\x1b[c") || strings.Contains(first, "\x1b]11;?") {
		t.Errorf("the first frame asks the terminal something: %q", first)
	}
	tty.last.Reset()
	f.Mouse, f.NoBracketedPaste = tea.MouseModeAllMotion, true
	if err := tty.Draw(f); err != nil {
		t.Fatal(err)
	}
	if got, want := tty.last.String(), "\x1b[?2004l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1003h\x1b[?1006h"; got != want {
		t.Errorf("other modes: %q, want %q", got, want)
	}
	tty.last.Reset()
	for range 2 {
		if err := tty.Close(); err != nil {
			t.Fatal(err)
		}
	}
	want := "\x1b[23;2t\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[m\x1b[2J\x1b[?7h\x1b[?25h\x1b[?1049l"
	if got := tty.last.String(); got != want {
		t.Errorf("at the end %q, want %q", got, want)
	}
}

func TestCloseWithoutViews(t *testing.T) {
	tty := open(t, 80, 24)
	if err := tty.Close(); err != nil || tty.last.Len() > 0 {
		t.Errorf("closed before the first frame: %q, %v", tty.last, err)
	}
}

// TestControlSequencesAreRemoved shows content with hidden control sequences.
func TestControlSequencesAreRemoved(t *testing.T) {
	for _, evil := range []string{"\x1b[2J", "\x1b[10;10H", "\x1b]0;title\a", "\x1b]52;c;aGk=\a", "\x1bc", "\a", "\r", "\x9b2J", "\x1b[?1049l", "\x1bP+q\x1b\\", "\x00", "\x7f"} {
		for _, line := range []string{"a" + evil + "b", "ab" + evil, evil + "ab"} {
			tty := open(t, 20, 3)
			tty.show("top", "")
			got := tty.show("top", line)
			for _, seq := range strings.Split(got, "\x1b")[1:] {
				if !strings.HasPrefix(seq, "[2;") && !strings.HasPrefix(seq, "[K") && !strings.HasPrefix(seq, "[m") && !strings.HasPrefix(seq, "[?2026") {
					t.Errorf("%q became %q", line, got)
				}
			}
			if strings.ContainsAny(got, "\a\r\x00\x7f") || strings.Contains(got, "\x9b") {
				t.Errorf("%q became %q", line, got)
			}
		}
	}
}

func TestFewerColours(t *testing.T) {
	for profile, want := range map[colorprofile.Profile]string{
		colorprofile.TrueColor: "\x1b[48;2;207;53;46;38;2;255;255;255;1mx",
		colorprofile.ANSI256:   "\x1b[48;5;160;38;5;231;1mx",
		colorprofile.ANSI:      "\x1b[41;1mx",
		colorprofile.ASCII:     "\x1b[7;1mx",
		colorprofile.NoTTY:     "\x1b[Hx",
	} {
		var b bytes.Buffer
		w := term.NewWriter(&b, 10, 1)
		palette := term.PaletteFor(term.Appearance{}, term.Terminal{Profile: profile})
		if err := w.Draw(term.Frame{Lines: []string{term.Struck.Render("x")}, Palette: palette}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(b.String(), want) {
			t.Errorf("%v: %q, want %q", profile, b.String(), want)
		}
	}
}
