package term

import (
	"context"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/time/rate"

	"broadside/internal/i18n"
	"broadside/internal/sanitize"
)

// MaxInputLine is a line's maximum length in characters. Longer lines are cut to one
// character more, so that callers can detect them.
const MaxInputLine = 400

// Interrupt is the line that ctrl+c and ctrl+d send on an empty line. It cannot be typed.
const Interrupt = "\x03"

// lineRate and lineBurst limit the lines per second and in one burst. A file with a whole
// match has a few hundred lines, and each may produce a page of output.
const lineRate, lineBurst = 20, 200

// typedBurst is lineBurst for terminals, where a longer burst must have been pasted.
// Further lines are ignored until there were none for quietTime.
const (
	typedBurst = 40
	quietTime  = 300 * time.Millisecond
)

// tooManyLines is shown when input is ignored.
const tooManyLines i18n.Key = "Too much input at once: the rest was ignored."

const prompt = "> "

// Console is the terminal, or the input and output, of a session in line mode. Feed and
// EndInput must be called from the goroutine that reads the input. All other methods may
// be called from any goroutine.
type Console struct {
	out      io.Writer
	terminal bool
	width    func() int
	lines    chan string
	limiter  *rate.Limiter

	// ignoreUntil is the time until which lines are ignored.
	ignoreUntil time.Time

	// State of the input between bytes: the start of a character, the last byte of an unfinished
	// control sequence or 0, and whether the last byte was a carriage return.
	partial  []byte
	sequence byte
	returned bool

	// mu guards the fields below. It is held across writes to out, which limits their time.
	mu    sync.Mutex
	typed []rune
	// prompting is set while the prompt and the typed text are shown.
	prompting bool
	// writeErr is the error of the first failed write.
	writeErr error
	// lang is the language of PrintMessage.
	lang i18n.Language
}

// NewConsole returns a console that writes to out, which must limit how long a write can
// block. For a terminal, width returns its current width in cells. Any goroutine may call
// it.
func NewConsole(out io.Writer, terminal bool, width func() int) *Console {
	burst := lineBurst
	if terminal {
		burst = typedBurst
	}
	return &Console{
		out: out, terminal: terminal, width: width, lines: make(chan string),
		limiter: rate.NewLimiter(lineRate, burst),
	}
}

// IsTerminal reports whether the session has a terminal.
func (c *Console) IsTerminal() bool { return c.terminal }

// Lines returns the channel of input lines. They contain only visible characters, at most
// MaxInputLine + 1. EndInput closes the channel.
func (c *Console) Lines() <-chan string { return c.lines }

// Feed processes input. It waits until each line is received or ctx ends. On a terminal,
// it ignores lines that arrive too fast. Otherwise it delays them.
func (c *Console) Feed(ctx context.Context, chunk []byte) {
	for len(chunk) > 0 {
		if len(c.partial) > 0 || chunk[0] >= utf8.RuneSelf {
			chunk = c.readCharacter(chunk)
			continue
		}
		b := chunk[0]
		chunk = chunk[1:]
		if b == '\r' || b == '\n' {
			c.sequence = 0 // a single escape does not hide the end of the line
		}
		if c.sequence != 0 {
			c.skipSequenceByte(b)
			continue
		}
		newline := b == '\n' && c.returned
		c.returned = b == '\r'
		if newline {
			continue // the second half of CR LF
		}
		line, complete := c.handleKey(b)
		if complete && !c.sendLine(ctx, line) {
			return
		}
	}
}

// EndInput marks the end of the input. Without a terminal, it delivers an incomplete last
// line unless ctx ends, because a file may end without a line feed.
func (c *Console) EndInput(ctx context.Context) {
	defer close(c.lines)
	c.mu.Lock()
	line := string(c.typed)
	c.typed = nil
	c.mu.Unlock()
	if line != "" && !c.terminal {
		c.sendLine(ctx, line)
	}
}

// sendLine sends a line within the rate limit. It returns false if ctx ends first.
func (c *Console) sendLine(ctx context.Context, line string) bool {
	switch {
	case c.terminal && c.dropIfTooFast():
		return ctx.Err() == nil
	case !c.terminal && c.limiter.Wait(ctx) != nil:
		return false
	}
	select {
	case c.lines <- line:
		return true
	case <-ctx.Done():
		return false
	}
}

// dropIfTooFast reports whether the line is ignored because it exceeds the rate limit. The first time, it
// tells the player.
func (c *Console) dropIfTooFast() bool {
	now := time.Now()
	ignoring := now.Before(c.ignoreUntil)
	if !ignoring && c.limiter.AllowN(now, 1) {
		return false
	}
	c.ignoreUntil = now.Add(quietTime)
	if !ignoring {
		c.PrintMessage(i18n.NewMessage(tooManyLines))
	}
	c.ShowPrompt()
	return true
}

// readCharacter reads one non-ASCII character from chunk, as far as it has arrived, and
// returns the remaining bytes.
func (c *Console) readCharacter(chunk []byte) []byte {
	c.returned = false
	for len(chunk) > 0 && !utf8.FullRune(c.partial) {
		if len(c.partial) > 0 && utf8.RuneStart(chunk[0]) {
			c.partial = c.partial[:0] // it was invalid
			return chunk
		}
		c.partial, chunk = append(c.partial, chunk[0]), chunk[1:]
	}
	if !utf8.FullRune(c.partial) {
		return nil
	}
	r, _ := utf8.DecodeRune(c.partial)
	c.partial = c.partial[:0]
	if r != utf8.RuneError && c.sequence == 0 {
		c.addCharacter(r)
	}
	return chunk
}

// skipSequenceByte discards a byte of a control sequence, such as that of an arrow key or a terminal's
// answer.
func (c *Console) skipSequenceByte(b byte) {
	// The states inside a string, and after an escape inside one.
	const text, textEscape = ']', '\\'
	switch {
	case c.sequence == 0x1b && (b == '[' || b == 'O' || b == 0x1b), c.sequence == '[' && b == '[':
		// Two escapes start alt with a key, and two brackets a function key of the Linux console.
		c.sequence = b
	case c.sequence == 0x1b && (b == ']' || b == 'P' || b == '_'):
		c.sequence = text
	case c.sequence == '[' && b < 0x40:
		// Parameters do not end the sequence.
	case c.sequence == text && b == 0x1b:
		c.sequence = textEscape
	case c.sequence == text && b != '\a':
		// The text of a string does not end it.
	default:
		c.sequence = 0
	}
}

// handleKey handles one byte of a key press. It returns the line if the byte completes it.
func (c *Console) handleKey(b byte) (line string, complete bool) {
	const (
		ctrlC, ctrlD, ctrlH, ctrlU, ctrlW, escape, del = 3, 4, 8, 21, 23, 27, 127
	)
	switch b {
	case '\r', '\n':
		return c.finishLine(), true
	case escape:
		c.sequence = b
	case '\t':
		c.addCharacter(' ')
	default:
		if b >= ' ' && b < del {
			c.addCharacter(rune(b))
			return "", false
		}
		if !c.terminal {
			return "", false
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		n := len(c.typed)
		switch b {
		case del, ctrlH:
			c.truncateLocked(max(0, n-1))
		case ctrlU:
			c.truncateLocked(0)
		case ctrlW:
			for n > 0 && c.typed[n-1] == ' ' {
				n--
			}
			for n > 0 && c.typed[n-1] != ' ' {
				n--
			}
			c.truncateLocked(n)
		case ctrlC, ctrlD:
			if n == 0 {
				c.endPromptLocked()
				return Interrupt, true
			}
			if b == ctrlC {
				c.typed = nil
				c.writeAbovePromptLocked("")
			}
		}
	}
	return "", false
}

// finishLine returns the current line and clears it.
func (c *Console) finishLine() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	line := string(c.typed)
	c.typed = nil
	c.endPromptLocked()
	return line
}

// endPromptLocked ends the row with the prompt.
func (c *Console) endPromptLocked() {
	if c.prompting {
		c.writeLocked("\r\n")
	}
	c.prompting = false
}

// addCharacter appends a visible character to the line if there is room.
func (c *Console) addCharacter(r rune) {
	if !sanitize.IsVisible(r) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.typed) > MaxInputLine {
		return
	}
	c.typed = append(c.typed, r)
	if c.prompting {
		c.writeLocked(string(r))
	}
}

// truncateLocked shortens the line to n characters.
func (c *Console) truncateLocked(n int) {
	gone := ansi.StringWidth(string(c.typed[n:]))
	long := ansi.StringWidth(prompt+string(c.typed)) >= c.width()
	c.typed = c.typed[:n]
	switch {
	case !c.prompting || gone == 0:
	case long:
		// Terminals cannot move back to the row above.
		c.writeAbovePromptLocked("")
	default:
		c.writeLocked(strings.Repeat("\b", gone) + strings.Repeat(" ", gone) + strings.Repeat("\b", gone))
	}
}

// writeAbovePromptLocked writes text on its own rows, and then the prompt and the current line if they were
// shown.
func (c *Console) writeAbovePromptLocked(text string) {
	if c.prompting {
		before := "\r" // so that the text covers the prompt
		if len(c.typed) > 0 || text == "" {
			before = "\r\n"
		}
		text = before + text + prompt + string(c.typed)
	}
	c.writeLocked(text)
}

// Print writes text of one or more lines in one step. It returns once the text is written or the
// write has failed.
func (c *Console) Print(text string) {
	end := "\n"
	if c.terminal {
		end = "\r\n"
	}
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(sanitize.Text(line))
		b.WriteString(end)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writeAbovePromptLocked(b.String())
}

// PrintMessage writes a message in the language of SetLanguage, or in English.
func (c *Console) PrintMessage(m i18n.Message) {
	c.mu.Lock()
	l := c.lang
	c.mu.Unlock()
	c.Print(m.Text(l))
}

// SetLanguage sets the language of SayMessage.
func (c *Console) SetLanguage(l i18n.Language) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lang = l
}

// ShowPrompt shows the prompt, if there is a terminal.
func (c *Console) ShowPrompt() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.terminal || c.prompting {
		return
	}
	c.prompting = true
	c.writeLocked(prompt + string(c.typed))
}

// writeLocked writes to the client. After an error, it does nothing.
func (c *Console) writeLocked(text string) {
	if c.writeErr != nil {
		return
	}
	_, c.writeErr = io.WriteString(c.out, text)
}
