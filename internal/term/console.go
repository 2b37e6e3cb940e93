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

// MaxLine is the most characters of a line. Of a longer one, one more is kept,
// so that it is not taken for another line.
const MaxInputLine = 400

// Interrupt is the line that stands for ctrl+c and ctrl+d where nothing has
// been typed. Nobody can type it otherwise.
const Interrupt = "\x03"

// lineRate and lineBurst are how many lines are taken in a second, and at once.
// A whole match in a file has some hundred lines; each may be answered by a
// page.
const lineRate, lineBurst = 20, 200

// typedBurst is lineBurst at a terminal, where somebody types: more lines at
// once were pasted. They are ignored until none has come for quietTime.
const (
	typedBurst = 40
	quietTime  = 300 * time.Millisecond
)

// tooManyLines is what people read whose input is ignored.
const tooManyLines i18n.Key = "too-much-input-at-once"

const prompt = "> "

// Console is where one session is held in lines. Feed and End are for the
// goroutine that reads the input; all else may be called from any goroutine.
type Console struct {
	out      io.Writer
	terminal bool
	width    func() int // of the terminal, in cells
	lines    chan string
	pace     *rate.Limiter

	quiet time.Time // lines are ignored until then

	// Of what has been fed: what is to be known for the next byte.
	partial  []byte // the beginning of a character
	sequence byte   // of a control sequence, what was read last; 0 outside
	returned bool   // the last byte was a carriage return

	mu        sync.Mutex    // held across writes to out, which bounds them
	typed     []rune        // guarded by mu: of the line
	prompting bool          // guarded by mu: the prompt is there, with the typed text
	failed    error         // guarded by mu: of the first write that failed
	lang      i18n.Language // guarded by mu: of what is told
}

// New makes a console that writes to out. A write may wait for the reader; out
// bounds for how long. With a terminal, width is that of the terminal at the
// moment, in cells; any goroutine may call it.
func NewConsole(out io.Writer, terminal bool, width func() int) *Console {
	burst := lineBurst
	if terminal {
		burst = typedBurst
	}
	return &Console{
		out: out, terminal: terminal, width: width, lines: make(chan string),
		pace: rate.NewLimiter(lineRate, burst),
	}
}

// Terminal tells whether there is one.
func (c *Console) Terminal() bool { return c.terminal }

// Lines yields what was typed, line by line: only what can be seen, and at most
// MaxLine characters and one. It is closed by End.
func (c *Console) Lines() <-chan string { return c.lines }

// Feed takes in what has been typed. It waits until each line is received, or
// ctx ends. At a terminal, it ignores lines that come too fast; without one, it
// waits until they are due.
func (c *Console) Feed(ctx context.Context, chunk []byte) {
	for len(chunk) > 0 {
		if len(c.partial) > 0 || chunk[0] >= utf8.RuneSelf {
			chunk = c.character(chunk)
			continue
		}
		b := chunk[0]
		chunk = chunk[1:]
		if b == '\r' || b == '\n' {
			c.sequence = 0 // a line end after a lone escape is meant
		}
		if c.sequence != 0 {
			c.skip(b)
			continue
		}
		newline := b == '\n' && c.returned
		c.returned = b == '\r'
		if newline { // of a carriage return and a line feed
			continue
		}
		if line, complete := c.key(b); complete && !c.deliver(ctx, line) {
			return
		}
	}
}

// End says that nothing more will be typed. A line that has been begun is
// taken as it is, unless ctx ends: a file may end without a line feed.
func (c *Console) EndInput(ctx context.Context) {
	defer close(c.lines)
	c.mu.Lock()
	line := string(c.typed)
	c.typed = nil
	c.mu.Unlock()
	if line != "" && !c.terminal {
		c.deliver(ctx, line)
	}
}

// deliver hands a line over, in due time. It returns false if ctx ends before.
func (c *Console) deliver(ctx context.Context, line string) bool {
	switch {
	case c.terminal && c.tooFast():
		return ctx.Err() == nil
	case !c.terminal && c.pace.Wait(ctx) != nil:
		return false
	}
	select {
	case c.lines <- line:
		return true
	case <-ctx.Done():
		return false
	}
}

// surplus reports whether a line came too fast, and says so once.
func (c *Console) tooFast() bool {
	now := time.Now()
	ignoring := now.Before(c.quiet)
	if !ignoring && c.pace.AllowN(now, 1) {
		return false
	}
	c.quiet = now.Add(quietTime)
	if !ignoring {
		c.SayMessage(i18n.NewMessage(tooManyLines))
	}
	c.ShowPrompt()
	return true
}

// character takes the bytes of a character beyond ASCII, as far as they are
// there, and returns what follows.
func (c *Console) character(chunk []byte) []byte {
	c.returned = false
	for len(chunk) > 0 && !utf8.FullRune(c.partial) {
		if len(c.partial) > 0 && utf8.RuneStart(chunk[0]) {
			c.partial = c.partial[:0] // it was none
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
		c.add(r)
	}
	return chunk
}

// skip leaves out a control sequence, such as an arrow key sends.
func (c *Console) skip(b byte) {
	switch {
	case c.sequence == 0x1b && (b == '[' || b == 'O'):
		c.sequence = b
	case c.sequence == '[' && b < 0x40: // its parameters
	default:
		c.sequence = 0
	}
}

// key takes one byte, and returns the line if it is complete by that.
func (c *Console) key(b byte) (line string, complete bool) {
	const (
		ctrlC, ctrlD, ctrlH, ctrlU, ctrlW, escape, del = 3, 4, 8, 21, 23, 27, 127
	)
	switch b {
	case '\r', '\n':
		return c.enter(), true
	case escape:
		c.sequence = b
	case '\t':
		c.add(' ')
	default:
		if b >= ' ' && b < del {
			c.add(rune(b))
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
			c.erase(max(0, n-1))
		case ctrlU:
			c.erase(0)
		case ctrlW:
			for n > 0 && c.typed[n-1] == ' ' {
				n--
			}
			for n > 0 && c.typed[n-1] != ' ' {
				n--
			}
			c.erase(n)
		case ctrlC, ctrlD:
			if n == 0 {
				c.endPrompt()
				return Interrupt, true
			}
			if b == ctrlC {
				c.typed = nil
				c.redraw("")
			}
		}
	}
	return "", false
}

// enter ends the line.
func (c *Console) enter() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	line := string(c.typed)
	c.typed = nil
	c.endPrompt()
	return line
}

// endPrompt goes to the next row. The console is locked.
func (c *Console) endPrompt() {
	if c.prompting {
		c.write("\r\n")
	}
	c.prompting = false
}

// add adds a character to the line, if there is room.
func (c *Console) add(r rune) {
	if !sanitize.Visible(r) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.typed) > MaxInputLine {
		return
	}
	c.typed = append(c.typed, r)
	if c.prompting {
		c.write(string(r))
	}
}

// erase shortens the line to n characters. The console is locked.
func (c *Console) erase(n int) {
	gone := ansi.StringWidth(string(c.typed[n:]))
	long := ansi.StringWidth(prompt+string(c.typed)) >= c.width()
	c.typed = c.typed[:n]
	switch {
	case !c.prompting || gone == 0:
	case long: // no terminal steps back into the row above
		c.redraw("")
	default:
		c.write(strings.Repeat("\b", gone) + strings.Repeat(" ", gone) + strings.Repeat("\b", gone))
	}
}

// again writes some text on rows of its own, and the prompt anew if it was
// there. The console is locked.
func (c *Console) redraw(text string) {
	if c.prompting {
		before := "\r" // what is said is longer than the prompt
		if len(c.typed) > 0 || text == "" {
			before = "\r\n"
		}
		text = before + text + prompt + string(c.typed)
	}
	c.write(text)
}

// Say says something, of one or several lines, in one piece. It returns once
// it is written, or cannot be.
func (c *Console) Say(text string) {
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
	c.redraw(b.String())
}

// Tell says a sentence in the language that the person is spoken to in: English,
// or that of the last Speak.
func (c *Console) SayMessage(m i18n.Message) {
	c.mu.Lock()
	l := c.lang
	c.mu.Unlock()
	c.Say(m.In(l))
}

// Speak chooses the language for those who do not know the person, and Tell them
// something.
func (c *Console) SetLanguage(l i18n.Language) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lang = l
}

// Ask shows the prompt, if there is a terminal: the next line may come.
func (c *Console) ShowPrompt() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.terminal || c.prompting {
		return
	}
	c.prompting = true
	c.write(prompt + string(c.typed))
}

// Err is why nothing can be said any more; nil if everything was.
func (c *Console) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// write writes to the client, who may be gone. The console is locked.
func (c *Console) write(text string) {
	if c.failed != nil {
		return
	}
	_, c.failed = io.WriteString(c.out, text)
}
