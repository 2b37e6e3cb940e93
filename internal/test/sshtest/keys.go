package sshtest

import (
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

var keyBytes = map[string]string{
	"enter": "\r", "esc": "\x1b", "tab": "\t", "shift+tab": "\x1b[Z", "space": " ", "backspace": "\x7f",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"home": "\x1b[H", "end": "\x1b[F", "pgup": "\x1b[5~", "pgdown": "\x1b[6~",
	"insert": "\x1b[2~", "delete": "\x1b[3~",
	"f1": "\x1bOP", "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS",
}

// applicationKeys are sent instead when the server has switched on
// application cursor keys.
var applicationKeys = map[string]string{
	"up": "\x1bOA", "down": "\x1bOB", "right": "\x1bOC", "left": "\x1bOD", "home": "\x1bOH", "end": "\x1bOF",
}

// The pace of a person's keys, just below what the server takes from one.
const (
	keyRate, keyBurst = 45, 80
	longText          = 32 // bytes; a longer text is pasted, not typed
)

// Type types a text as it is, at most as fast as a person can; a long text at
// once, as a terminal without bracketed paste does. It waits for nothing else: an
// open window takes the text now, a full one later, an ended session never.
func (p *Terminal) Type(text string) {
	if n := utf8.RuneCountInString(text); len(text) <= longText && text != "" {
		if text[0] == '\x1b' {
			n = 1 // a key with a sequence
		}
		_ = p.pace.WaitN(p.t.Context(), n) // it ends with the test
	}
	p.keys.put([]byte(text))
}

// Press presses one key after the other. A key is a single character or one
// of up, down, left, right, home, end, pgup, pgdown, insert, delete, enter,
// esc, tab, shift+tab, space, backspace, f1 to f4, ctrl+a to ctrl+z. An
// unknown one fails the test. Wait for the effect of esc before the next key:
// a server cannot tell it from the beginning of another.
func (p *Terminal) Press(keys ...string) {
	p.t.Helper()
	for _, key := range keys {
		text, ok := p.bytesOf(key)
		if !ok {
			p.t.Fatalf("sshtest: there is no key %q", key)
		}
		p.Type(text)
	}
}

func (p *Terminal) bytesOf(key string) (string, bool) {
	p.mu.Lock()
	application := p.state.isSet(ansi.ModeCursorKeys)
	p.mu.Unlock()
	if application {
		if text, ok := applicationKeys[key]; ok {
			return text, true
		}
	}
	if text, ok := keyBytes[key]; ok {
		return text, true
	}
	if letter, ok := strings.CutPrefix(key, "ctrl+"); ok && len(letter) == 1 && letter[0] >= 'a' && letter[0] <= 'z' {
		return string(letter[0] & 0x1f), true
	}
	return key, utf8.RuneCountInString(key) == 1
}

// inbox is what has been typed and not sent yet. It never makes whoever types
// wait, for the emulator types its answers while it shows output: a server
// that reads none of them must not freeze the screen.
type inbox struct {
	mu     *sync.Mutex
	filled *sync.Cond
	typed  [][]byte // guarded by mu
	ended  bool     // guarded by mu: nothing is typed any more
}

func newInbox() inbox {
	mu := new(sync.Mutex)
	return inbox{mu: mu, filled: sync.NewCond(mu)}
}

func (in *inbox) put(b []byte) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.ended && len(b) > 0 {
		in.typed = append(in.typed, append([]byte(nil), b...))
		in.filled.Signal()
	}
}

// end ends the input after what has been typed.
func (in *inbox) end() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.ended = true
	in.filled.Signal()
}

// close ends the input and forgets what has been typed.
func (in *inbox) close() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.ended, in.typed = true, nil
	in.filled.Signal()
}

// deliver sends what is typed, each piece in a packet of its own as a person's
// keys are, until the input ends or the session does.
func (in *inbox) deliver(w io.WriteCloser) {
	defer w.Close()
	for {
		in.mu.Lock()
		for len(in.typed) == 0 && !in.ended {
			in.filled.Wait()
		}
		if len(in.typed) == 0 {
			in.mu.Unlock()
			return
		}
		next := in.typed[0]
		in.typed = in.typed[1:]
		in.mu.Unlock()
		if _, err := w.Write(next); err != nil {
			in.close()
			return
		}
	}
}
