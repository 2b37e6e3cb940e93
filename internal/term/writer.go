package term

import (
	"bytes"
	"io"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// Writer shows the views of one program on one terminal. The program has the
// whole screen, on the terminal's alternate one and with the cursor hidden,
// from the first view until [Writer.Close]. A Writer is for one goroutine at a
// time.
//
// Of a [tea.View] it heeds Content, WindowTitle, DisableBracketedPasteMode and
// MouseMode. A line of the content begins without a style; what is wider or
// higher than the terminal is cut off; control characters are not passed on.
// Content with styles is painted here, and only the lines that have changed: see
// [Writer.Wear].
type Writer struct {
	out           io.Writer
	profile       colorprofile.Profile
	width, height int

	open         bool     // the terminal is ours
	bell         bool     // with the next view
	stale        bool     // what it shows is not known
	lines        []string // what it shows; missing ones are blank
	palette      *Palette // of the next view
	drawnPalette *Palette // of lines
	modes        modes    // what has been asked of it
}

// modes are what a view asks of a terminal besides its content.
type modes struct {
	title string
	paste bool // bracketed
	mouse tea.MouseMode
}

// New makes a writer for a terminal of the given size, in cells, and with the
// colours of the profile. Each view is one write to out.
func NewWriter(out io.Writer, profile colorprofile.Profile, width, height int) *Writer {
	return &Writer{out: out, profile: profile, width: width, height: height}
}

// Resize tells that the terminal has another size now. The next view is drawn
// anew, for what a terminal does with its content is its own choice.
func (w *Writer) Resize(width, height int) {
	if width != w.width || height != w.height {
		w.width, w.height, w.stale = width, height, true
	}
}

// Repaint has the next view drawn anew.
func (w *Writer) Repaint() { w.stale = true }

// Wear has what is drawn from now on painted in a look. Without one, as at
// first, content has no styles.
func (w *Writer) SetPalette(l *Palette) { w.palette = l }

// Bell rings the terminal's bell with the next view.
func (w *Writer) RingBell() { w.bell = true }

// buffers hold what is about to be written. They are shared, for only the
// writers that are at work need one.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// atOnce is how long a frame may be, in bytes, to arrive in one packet: then
// there is nothing to tear.
const packetSize = 1024

// Draw shows a view. The error is that of the writer below.
func (w *Writer) Draw(v tea.View) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	// The terminal shows the frame at once, if it can, and not as it comes.
	b.WriteString(ansi.SetModeSynchronizedOutput)
	begin := b.Len()
	if !w.open {
		w.open, w.stale = true, true
		// Whatever a terminal thinks of the width of a character, no line is to
		// run into the next, or the last one to scroll the screen.
		b.WriteString(ansi.SetModeAltScreenSaveCursor + ansi.ResetModeTextCursorEnable + ansi.ResetModeAutoWrap)
	}
	if w.stale {
		w.stale, w.lines = false, nil
		b.WriteString(ansi.ResetStyle + ansi.EraseEntireScreen)
	}
	w.setModes(b, modes{title: v.WindowTitle, paste: !v.DisableBracketedPasteMode, mouse: v.MouseMode})
	w.paint(b, v.Content)
	if w.bell {
		w.bell = false
		b.WriteByte('\a')
	}
	if b.Len() == begin {
		return nil
	}
	if b.Len() <= packetSize {
		_, err := w.out.Write(b.Bytes()[begin:])
		return err
	}
	b.WriteString(ansi.ResetModeSynchronizedOutput)
	_, err := w.out.Write(b.Bytes())
	return err
}

// paint writes the lines that have changed.
func (w *Writer) paint(b *bytes.Buffer, content string) {
	p := painter{b: b, profile: w.profile, seqKnown: true}
	lines := make([]string, 0, min(w.height, 1+strings.Count(content, "\n")))
	for y := range w.height {
		var before, after string
		if y < len(w.lines) {
			before = w.lines[y]
		}
		if y < cap(lines) {
			after, content, _ = strings.Cut(content, "\n")
			lines = append(lines, after)
		}
		if before != after || w.palette != w.drawnPalette {
			p.line(y, w.width, styledLine{before, w.drawnPalette}, styledLine{after, w.palette})
		}
	}
	p.setStyle(nil)
	w.lines, w.drawnPalette = lines, w.palette
}

// What xterm calls pushing and popping the window's title.
const (
	pushTitle = "\x1b[22;2t"
	popTitle  = "\x1b[23;2t"
)

// ask brings the terminal from the modes that are set to others.
func (w *Writer) setModes(b *bytes.Buffer, want modes) {
	set := w.modes
	w.modes = want
	if want.title != set.title {
		if set.title == "" {
			b.WriteString(pushTitle)
		}
		if want.title == "" {
			b.WriteString(popTitle)
		} else {
			b.WriteString(ansi.SetWindowTitle(printable(want.title)))
		}
	}
	if want.paste && !set.paste {
		b.WriteString(ansi.SetModeBracketedPaste)
	} else if set.paste && !want.paste {
		b.WriteString(ansi.ResetModeBracketedPaste)
	}
	if want.mouse != set.mouse {
		if set.mouse != tea.MouseModeNone {
			b.WriteString(ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr)
		}
		switch want.mouse {
		case tea.MouseModeCellMotion:
			b.WriteString(ansi.SetModeMouseButtonEvent + ansi.SetModeMouseExtSgr)
		case tea.MouseModeAllMotion:
			b.WriteString(ansi.SetModeMouseAnyEvent + ansi.SetModeMouseExtSgr)
		}
	}
}

// Close gives the terminal back as it was before the first view. The error is
// that of the writer below. Closing twice is closing once.
func (w *Writer) Close() error {
	if !w.open {
		return nil
	}
	w.open, w.lines = false, nil
	var b bytes.Buffer
	w.setModes(&b, modes{})
	// Some terminals that were resized meanwhile would keep lines of ours.
	b.WriteString(ansi.EraseEntireScreen)
	b.WriteString(ansi.SetModeAutoWrap + ansi.SetModeTextCursorEnable + ansi.ResetModeAltScreenSaveCursor)
	_, err := w.out.Write(b.Bytes())
	return err
}
