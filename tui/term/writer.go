package term

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Frame is what a terminal shows, and how. Each line starts without a style. Lines and columns
// beyond the terminal's size are cut off, and control characters are removed.
type Frame struct {
	// Lines must not be changed once the frame is drawn.
	Lines []string
	// Palette gives the styles in Lines their colours. It may be nil if Lines has no styles.
	Palette *Palette
	// Title is the window's title. If it is empty, the terminal keeps its own.
	Title            string
	Mouse            tea.MouseMode
	NoBracketedPaste bool
}

// Writer shows the frames of one program on a terminal. From the first frame until
// [Writer.Close], the program uses the alternate screen with a hidden cursor. A Writer must
// be used by one goroutine at a time.
type Writer struct {
	out           io.Writer
	width, height int

	// query is sent with the first frame.
	query string
	// open is set while the alternate screen is active.
	open        bool
	bellPending bool
	// copied is the text for the clipboard that the next frame sends, if any.
	copied string
	// stale is set if the terminal's content is unknown.
	stale bool
	// last is the last frame. Missing lines are blank.
	last Frame
	// look is the look of the terminal's next character.
	look look
	// upward is set if the last frame was written from the last line to the first.
	upward bool
}

// NewWriter returns a writer for a terminal with a size in cells. It writes each frame to out with a
// single call.
func NewWriter(out io.Writer, width, height int) *Writer {
	return &Writer{out: out, width: width, height: height, last: noFrame}
}

// noFrame stands for the terminal before the first frame and after the last: without a title,
// bracketed paste or mouse events.
var noFrame = Frame{NoBracketedPaste: true}

// Resize sets the size of the terminal. The next frame is redrawn completely, because
// terminals treat their content differently when they are resized.
func (w *Writer) Resize(width, height int) {
	if width != w.width || height != w.height {
		w.width, w.height, w.stale = width, height, true
	}
}

// SendQuery sends a query of [Terminal.QuerySequences] with the first frame, which covers all that a
// terminal might show of it.
func (w *Writer) SendQuery(query string) { w.query = query }

// Repaint makes the next frame be redrawn completely.
func (w *Writer) Repaint() { w.stale = true }

// RingBell rings the bell of the terminal with the next frame.
func (w *Writer) RingBell() { w.bellPending = true }

// Clip is a message that copies a text to the terminal's clipboard, without control characters.
type Clip string

// Copy copies a text to the clipboard with the next frame, spelled as the terminal shows it. Terminals may ignore it.
func (w *Writer) Copy(text Clip) { w.copied = removeControls(string(text)) }

// buffers pools the buffers for output, because only a few writers are active at a time.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// packetSize is the size in bytes up to which a frame arrives in one packet, so that it
// cannot tear.
const packetSize = 1024

// Draw shows a frame. It returns the error of the underlying writer.
func (w *Writer) Draw(f Frame) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	// Terminals that support it show the whole frame in one step.
	b.WriteString(ansi.SetModeSynchronizedOutput)
	begin := b.Len()
	if !w.open {
		w.open, w.stale = true, true
		// Without wrapping, a line cannot run into the next or scroll the screen if the
		// terminal measures characters differently.
		b.WriteString(ansi.SetModeAltScreenSaveCursor + ansi.ResetModeTextCursorEnable + ansi.ResetModeAutoWrap + w.query)
	}
	w.setModes(b, f)
	w.paint(b, f)
	w.last = f
	if w.bellPending {
		w.bellPending = false
		b.WriteByte('\a')
	}
	if w.copied != "" {
		text := w.copied
		if f.Palette != nil {
			text = f.Palette.transliterate(text)
		}
		w.copied = ""
		b.WriteString(ansi.SetSystemClipboard(text))
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
func (w *Writer) paint(b *bytes.Buffer, f Frame) {
	palette := f.Palette
	if palette == nil {
		palette = unstyled
	}
	p := painter{b: b, palette: palette, y: -1, look: w.look}
	before := w.last.Lines
	if w.stale || f.Palette != w.last.Palette {
		w.stale, before = false, nil
		b.WriteString(ansi.ResetStyle)
		p.look = look{}
		p.erase(ansi.EraseEntireScreen)
		if p.look != (look{}) {
			// Not all terminals erase the screen with the current background.
			b.WriteString(ansi.CursorHomePosition + strings.Repeat(ansi.EraseLineRight+"\r\n", max(0, w.height-1)) + ansi.EraseLineRight)
		}
	}
	changed := make([]int, 0, maxSmallChange)
	for y := range min(max(len(before), len(f.Lines)), w.height) {
		if lineAt(before, y) != lineAt(f.Lines, y) {
			changed = append(changed, y)
		}
	}
	// Small frames alternate in direction, so the next one starts where this one ends, often
	// with the same style.
	w.upward = !w.upward && len(changed) <= maxSmallChange
	if w.upward {
		slices.Reverse(changed)
	}
	for _, y := range changed {
		p.updateLine(y, w.width, lineAt(before, y), lineAt(f.Lines, y))
	}
	w.look = p.look
}

// unstyled is the palette of frames without one.
var unstyled = &Palette{detail: Cells}

// maxSmallChange is the maximum number of changed lines in a small frame.
const maxSmallChange = 8

// lineAt returns line y, or an empty one beyond the end.
func lineAt(lines []string, y int) string {
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

// setModes switches the terminal to the title, paste mode and mouse mode of a frame.
func (w *Writer) setModes(b *bytes.Buffer, want Frame) {
	set := &w.last
	if want.Title != set.Title {
		if set.Title == "" {
			b.WriteString(pushTitle)
		}
		if want.Title == "" {
			b.WriteString(popTitle)
		} else {
			b.WriteString(ansi.SetWindowTitle(removeControls(want.Title)))
		}
	}
	if !want.NoBracketedPaste && set.NoBracketedPaste {
		b.WriteString(ansi.SetModeBracketedPaste)
	} else if want.NoBracketedPaste && !set.NoBracketedPaste {
		b.WriteString(ansi.ResetModeBracketedPaste)
	}
	if want.Mouse != set.Mouse {
		if set.Mouse != tea.MouseModeNone {
			b.WriteString(ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr)
		}
		switch want.Mouse {
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
	var b bytes.Buffer
	w.setModes(&b, noFrame)
	w.open, w.last = false, noFrame
	b.WriteString(ansi.ResetStyle)
	// Some terminals keep lines of the alternate screen after a resize.
	b.WriteString(ansi.EraseEntireScreen)
	b.WriteString(ansi.SetModeAutoWrap + ansi.SetModeTextCursorEnable + ansi.ResetModeAltScreenSaveCursor)
	_, err := w.out.Write(b.Bytes())
	return err
}
