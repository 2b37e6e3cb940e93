package sshd

import (
	"bytes"
	"time"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
)

// How long the decoder waits for the rest of a key, control sequence, answer or paste.
const (
	// escTime is the wait after a lone escape, which then counts as the escape key.
	escTime = 50 * time.Millisecond

	// sequenceTime is the wait for the rest of a control sequence. If it comes later, the sequence no longer
	// acts as a key or a click.
	sequenceTime = 500 * time.Millisecond

	// lateTime is the wait for the rest of a sequence that is too late. It must not be taken for keys. If it
	// never comes, the user can continue afterwards.
	lateTime = 5 * time.Second

	// answerTime is how long a terminal may take to start an answer, after a query and after each answer.
	answerTime = time.Second

	// pasteTime is the wait for the rest of a paste, which then counts as complete. The user can continue if
	// its end is lost.
	pasteTime = 5 * time.Second
)

// maxSequence is the maximum length of a control sequence in bytes. Longer ones are ignored.
const maxSequence = 1 << 10

const escape = '\x1b'

// decoder splits input into keys, pastes, mouse events and answers.
type decoder struct {
	// maxPaste is the maximum length of a paste in bytes.
	maxPaste int
	parser   uv.EventDecoder
	// rest has the bytes that are not decoded yet.
	rest []byte
	// escapeUsed is set if rest starts with an escape that has already counted as the escape key.
	escapeUsed bool
	// tooLate is set if rest starts with a control sequence that takes too long.
	tooLate bool
	// pasting is set while rest is a paste so far, or its last bytes if it is too long.
	pasting bool
	// searchedBytes is the number of bytes of rest in which the paste's end was not found.
	searchedBytes int
	pasteTooLong  bool
}

var pasteEnd = []byte("\x1b[201~")

// ignoredPaste is the event of a paste that is too long.
type ignoredPaste struct{}

// answer is the event of a control sequence that may answer a query. See [term.Terminal.Learn].
type answer string

// next returns the next key, paste, mouse event or answer, or nil if more bytes are needed. It drops all other
// input. Expired means that no more bytes have arrived within maxWait.
func (d *decoder) next(expired bool) uv.Event {
	for d.pasting || len(d.rest) > 0 {
		if d.pasting {
			return d.nextPaste(expired)
		}
		if d.escapeUsed && len(d.rest) > 1 && !isSequenceStart(d.rest[1]) {
			d.rest, d.escapeUsed = d.rest[1:], false
		}
		n, whole := sequenceLength(d.rest)
		var e uv.Event
		switch {
		case n == 0 && !expired:
			d.dropSequenceMiddle()
			return nil
		case n == 0:
			expired = false
			e = d.resolveTimeout()
		case n == 2 && d.escapeUsed:
			// The byte after the escape is a key.
			d.rest, d.escapeUsed = d.rest[1:], false
		default:
			e = d.decodeSequence(n, whole)
		}
		if e != nil {
			return e
		}
	}
	// An idle session needs no memory for it.
	d.rest = nil
	return nil
}

// maxWait returns how long the undecoded bytes may wait for more.
func (d *decoder) maxWait() time.Duration {
	switch {
	case d.pasting:
		return pasteTime
	case d.tooLate:
		return lateTime
	case d.escapeUsed, len(d.rest) > 1 && isSequenceStart(d.rest[1]), len(d.rest) > 2 && d.rest[1] == escape:
		return sequenceTime
	}
	return escTime
}

// resolveTimeout decides what undecoded bytes are that have waited too long. It returns the escape key if that
// is what they are.
func (d *decoder) resolveTimeout() uv.Event {
	switch {
	case d.escapeUsed && len(d.rest) == 2:
		// The byte after the escape is a key.
		d.rest, d.escapeUsed = d.rest[1:], false
	case d.tooLate || d.escapeUsed && len(d.rest) == 1 || d.rest[0] != escape:
		d.rest, d.escapeUsed, d.tooLate = nil, false, false
	case len(d.rest) == 1 || len(d.rest) == 2 && d.rest[1] == escape:
		_, e := d.parser.Decode(d.rest)
		d.rest, d.escapeUsed = d.rest[len(d.rest)-1:], true
		return e
	case d.rest[1] == escape:
		// The first escape is the escape key, and the second starts a sequence.
		d.rest = d.rest[1:]
		return uv.KeyPressEvent{Code: uv.KeyEscape}
	case isSequenceStart(d.rest[1]):
		d.tooLate = true
	default:
		d.rest = nil
	}
	return nil
}

// dropSequenceMiddle keeps only the bytes of a too long sequence that are needed to find its end.
func (d *decoder) dropSequenceMiddle() {
	n := len(d.rest)
	if n > maxSequence {
		d.rest, d.tooLate = []byte{d.rest[0], d.rest[1], d.rest[2], d.rest[n-1]}, true
	}
}

// decodeSequence removes a sequence's n bytes and returns its event, or nil if it has none.
func (d *decoder) decodeSequence(n int, whole bool) uv.Event {
	var m int
	var e uv.Event
	switch {
	case bytes.HasPrefix(d.rest, []byte("\r\n")):
		m, e = 2, uv.KeyPressEvent{Code: uv.KeyEnter}
	case d.rest[0] == '\n':
		m, e = 1, uv.KeyPressEvent{Code: uv.KeyEnter}
	case d.rest[0] == escape:
		m, e = d.parser.Decode(d.rest[:n:n])
		if d.rest[1] != escape || m > 1 {
			m = n
		}
	default:
		m, e = d.parser.Decode(d.rest)
	}
	sequence, late := d.rest[:m], d.escapeUsed || d.tooLate
	d.rest, d.escapeUsed, d.tooLate = d.rest[m:], false, false
	switch e.(type) {
	case uv.PasteStartEvent:
		d.pasting = true
	case uv.KeyPressEvent, uv.MouseClickEvent, uv.MouseReleaseEvent, uv.MouseWheelEvent, uv.MouseMotionEvent:
		if !late {
			return e
		}
	default:
		if whole {
			return answer(sequence)
		}
	}
	return nil
}

// isSequenceStart reports whether a character after an escape starts a control sequence.
func isSequenceStart(c byte) bool { return c == '[' || c == ']' || c == 'P' || c == '_' || c == 'O' }

// sequenceLength returns the length of the control sequence or key at data's start. If data is text, it is the
// first character's length. If more bytes are needed, it is 0. A sequence is not whole if the byte after it
// interrupts it.
func sequenceLength(data []byte) (n int, whole bool) {
	switch {
	case data[0] != escape:
		return characterLength(data), false
	case len(data) == 1:
		return 0, false
	case data[1] == escape:
		n, whole = sequenceLength(data[1:])
	case data[1] == '[':
		return csiLength(data)
	case data[1] == 'O':
		n = 2
		for n < len(data) && data[n] >= '0' && data[n] <= '9' {
			n++
		}
		switch {
		case n == len(data):
			return 0, false
		case data[n] < '!' || data[n] > '~':
			return n, false
		}
		return n + 1, true
	case isSequenceStart(data[1]):
		return stringSequenceLength(data)
	default:
		n = characterLength(data[1:])
	}
	if n == 0 {
		return 0, false
	}
	return n + 1, whole
}

// characterLength is sequenceLength for text.
func characterLength(data []byte) (n int) {
	if !utf8.FullRune(data) {
		return 0
	}
	_, n = utf8.DecodeRune(data)
	return n
}

// csiLength is sequenceLength for data that starts with ESC [.
func csiLength(data []byte) (n int, whole bool) {
	n = 2
	for n < len(data) && data[n] >= ' ' && data[n] <= '?' {
		n++
	}
	switch {
	case n == len(data):
		return 0, false
	case data[n] < '@' || data[n] > '~':
		return n, false
	}
	n++
	more := 0
	switch string(data[:n]) {
	case "\x1b[[":
		// This is a function key on the Linux console.
		more = 1
	case "\x1b[M":
		// This is a click at a terminal that supports only X10's form.
		more = 3
	}
	if len(data) < n+more {
		return 0, false
	}
	return n + more, true
}

// stringSequenceLength is sequenceLength for data that starts with ESC ], ESC P or ESC _.
func stringSequenceLength(data []byte) (n int, whole bool) {
	for n = 2; n < len(data); n++ {
		c := data[n]
		switch {
		case n == 2 && data[1] == ']' && (c < '0' || c > '9'), n == 2 && data[1] == 'P' && (c < ' ' || c > '?'):
			// No answer starts like this.
			return n, false
		case c == '\a':
			return n + 1, true
		case c == escape && n+1 == len(data):
			return 0, false
		case c == escape && data[n+1] == '\\':
			return n + 2, true
		case c < ' ' || c == 0x7f:
			return n, false
		}
	}
	return 0, false
}

// nextPaste returns the current paste, or nil if it has not ended.
func (d *decoder) nextPaste(expired bool) uv.Event {
	i := bytes.Index(d.rest[d.searchedBytes:], pasteEnd)
	if i < 0 && !expired {
		if len(d.rest) > d.maxPaste {
			d.pasteTooLong = true
			d.rest = bytes.Clone(d.rest[len(d.rest)-len(pasteEnd):])
		}
		d.searchedBytes = max(0, len(d.rest)-len(pasteEnd)+1)
		return nil
	}
	text, rest := d.rest, []byte(nil)
	i += d.searchedBytes
	if i >= d.searchedBytes {
		text, rest = d.rest[:i], d.rest[i+len(pasteEnd):]
	}
	long := d.pasteTooLong || len(text) > d.maxPaste
	d.rest, d.pasting, d.searchedBytes, d.pasteTooLong = rest, false, 0, false
	if long {
		return ignoredPaste{}
	}
	return uv.PasteEvent{Content: string(bytes.ToValidUTF8(text, nil))}
}
