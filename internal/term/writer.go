package term

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Writer shows the views of one program on a terminal. From the first view until
// [Writer.Close], the program uses the alternate screen with a hidden cursor. A Writer must
// be used by one goroutine at a time.
//
// A Writer supports Content, WindowTitle, DisableBracketedPasteMode and MouseMode of a
// [tea.View]. Each line of the content begins without a style. Lines and columns beyond the
// size of the terminal are cut off, and control characters are removed. Styles in the
// content are painted only in lines that have changed: see [Writer.SetPalette].
type Writer struct {
	out           io.Writer
	profile       colorprofile.Profile
	width, height int

	open         bool     // the alternate screen is active
	bell         bool     // ring the bell with the next view
	stale        bool     // the content of the terminal is unknown
	lines        []string // content of the terminal; missing lines are blank
	palette      *Palette // for the next view
	drawnPalette *Palette // palette with which lines was drawn
	modes        modes    // modes of the terminal
	pen          pen      // of the terminal
	up           bool     // the last frame was written from the last line to the first
}

// modes are the modes of the terminal that a view requests.
type modes struct {
	title string
	paste bool // bracketed paste
	mouse tea.MouseMode
}

// NewWriter returns a writer for a terminal with a size in cells and a colour profile. It
// writes each view to out with a single call.
func NewWriter(out io.Writer, profile colorprofile.Profile, width, height int) *Writer {
	return &Writer{out: out, profile: profile, width: width, height: height}
}

// Resize sets the size of the terminal. The next view is redrawn completely, because
// terminals treat their content differently when they are resized.
func (w *Writer) Resize(width, height int) {
	if width != w.width || height != w.height {
		w.width, w.height, w.stale = width, height, true
	}
}

// Repaint makes the next view be redrawn completely.
func (w *Writer) Repaint() { w.stale = true }

// SetPalette sets the palette of the next views. Without one, the content must not have
// styles.
func (w *Writer) SetPalette(l *Palette) { w.palette = l }

// RingBell rings the bell of the terminal with the next view.
func (w *Writer) RingBell() { w.bell = true }

// buffers pools the buffers for output, because only a few writers are active at a time.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// packetSize is the size of a frame, in bytes, that arrives in one packet and therefore
// cannot tear.
const packetSize = 1024

// Draw shows a view. It returns the error of the underlying writer.
func (w *Writer) Draw(v tea.View) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	// If the terminal supports it, show the whole frame at once.
	b.WriteString(ansi.SetModeSynchronizedOutput)
	begin := b.Len()
	if !w.open {
		w.open, w.stale = true, true
		// Without wrapping, a line cannot run into the next or scroll the screen if the
		// terminal measures characters differently.
		b.WriteString(ansi.SetModeAltScreenSaveCursor + ansi.ResetModeTextCursorEnable + ansi.ResetModeAutoWrap)
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
	p := painter{b: b, profile: w.profile, ground: w.palette.plain(Ground), blank: uv.EmptyCell, y: -1, pen: w.pen}
	if w.palette != nil {
		p.blank.Style = w.palette.blank
	}
	if w.stale || w.palette != w.drawnPalette {
		w.stale, w.lines = false, nil
		b.WriteString(ansi.ResetStyle)
		p.pen = pen{seq: &noSequence}
		p.erase(ansi.EraseEntireScreen)
		if p.ground.text != "" { // not all terminals erase the screen with the current background
			b.WriteString(ansi.CursorHomePosition + strings.Repeat(ansi.EraseLineRight+"\r\n", max(0, w.height-1)) + ansi.EraseLineRight)
		}
	}
	lines, changed := w.changes(content)
	// Small frames alternate in direction: the next one begins where this one ends, often
	// with the same style.
	w.up = !w.up && len(changed) <= maxUpward
	if w.up {
		slices.Reverse(changed)
	}
	for _, y := range changed {
		p.line(y, w.width, styledLine{at(w.lines, y), w.palette}, styledLine{at(lines, y), w.palette})
	}
	w.lines, w.drawnPalette, w.pen = lines, w.palette, p.pen
}

// maxUpward is the maximum number of lines that are written upwards.
const maxUpward = 8

// changes returns the lines of a content, and the numbers of those that have changed.
func (w *Writer) changes(content string) (lines []string, changed []int) {
	lines = strings.SplitN(content, "\n", w.height+1)
	lines = lines[:min(len(lines), w.height)]
	for y := range max(len(lines), min(len(w.lines), w.height)) {
		if at(w.lines, y) != at(lines, y) {
			changed = append(changed, y)
		}
	}
	return lines, changed
}

// at returns a line, or an empty one beyond the end.
func at(lines []string, y int) string {
	if y < len(lines) {
		return lines[y]
	}
	return ""
}

// Control sequences of xterm that save and restore the window's title.
const (
	pushTitle = "\x1b[22;2t"
	popTitle  = "\x1b[23;2t"
)

// setModes switches the terminal to other modes.
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

// Close restores the terminal. It returns the error of the underlying writer. Further calls
// do nothing.
func (w *Writer) Close() error {
	if !w.open {
		return nil
	}
	w.open, w.lines = false, nil
	var b bytes.Buffer
	w.setModes(&b, modes{})
	b.WriteString(ansi.ResetStyle)
	// Some terminals keep lines of the alternate screen after a resize.
	b.WriteString(ansi.EraseEntireScreen)
	b.WriteString(ansi.SetModeAutoWrap + ansi.SetModeTextCursorEnable + ansi.ResetModeAltScreenSaveCursor)
	_, err := w.out.Write(b.Bytes())
	return err
}
