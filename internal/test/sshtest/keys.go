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

// applicationKeys holds the sequences to send once the server has enabled application
// cursor keys.
var applicationKeys = map[string]string{
	"up": "\x1bOA", "down": "\x1bOB", "right": "\x1bOC", "left": "\x1bOD", "home": "\x1bOH", "end": "\x1bOF",
}

// The rate of typed keys, just below the server's limit.
const (
	keyRate, keyBurst = 45, 80
	longText          = 32 // bytes; longer texts are pasted
)

// Type types a text unchanged, no faster than a person can. It sends a long text at once,
// like a terminal without bracketed paste. It waits for nothing else: if the window is
// full, the text is sent later; after the session has ended, never.
func (tm *Terminal) Type(text string) {
	n := utf8.RuneCountInString(text)
	if len(text) <= longText && text != "" {
		if text[0] == '\x1b' {
			n = 1 // one key that sends a sequence
		}
		_ = tm.pace.WaitN(tm.t.Context(), n) // fails only when the test ends
	}
	tm.keys.enqueue([]byte(text))
}

// Press presses keys one after another. A key is a single character or one of up, down,
// left, right, home, end, pgup, pgdown, insert, delete, enter, esc, tab, shift+tab,
// space, backspace, f1 to f4, ctrl+a to ctrl+z. An unknown key fails the test. After esc,
// wait for its effect before the next key, because a server cannot distinguish it from
// the start of a sequence.
func (tm *Terminal) Press(keys ...string) {
	tm.t.Helper()
	for _, key := range keys {
		text, ok := tm.encodeKey(key)
		if !ok {
			tm.t.Fatalf("sshtest: there is no key %q", key)
		}
		tm.Type(text)
	}
}

func (tm *Terminal) encodeKey(key string) (string, bool) {
	tm.mu.Lock()
	application := tm.state.isSet(ansi.ModeCursorKeys)
	tm.mu.Unlock()
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

// inbox holds input that has not been sent yet. Writing to it never blocks, because the
// emulator writes its replies while it processes output: a server that reads no replies
// must not block the screen.
type inbox struct {
	mu     *sync.Mutex
	filled *sync.Cond
	typed  [][]byte // guarded by mu
	ended  bool     // guarded by mu: further input is dropped
}

func newInbox() inbox {
	mu := new(sync.Mutex)
	return inbox{mu: mu, filled: sync.NewCond(mu)}
}

func (in *inbox) enqueue(b []byte) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.ended && len(b) > 0 {
		in.typed = append(in.typed, append([]byte(nil), b...))
		in.filled.Signal()
	}
}

// finish closes the input after everything typed so far.
func (in *inbox) finish() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.ended = true
	in.filled.Signal()
}

// discard closes the input and discards everything typed so far.
func (in *inbox) discard() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.ended, in.typed = true, nil
	in.filled.Signal()
}

// send sends typed input, each piece in its own packet, like a person's keys, until
// the input or the session ends.
func (in *inbox) send(w io.WriteCloser) {
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
			in.discard()
			return
		}
	}
}
