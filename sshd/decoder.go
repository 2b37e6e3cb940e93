package sshd

import (
	"bytes"
	"time"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
)

// How long bytes that are not a whole key or control sequence wait for more.
const (
	// escTime is for a lone escape, which then counts as the escape key.
	escTime = 50 * time.Millisecond

	// sequenceTime is for a control sequence that has begun. Once it has passed, the
	// sequence no longer acts as a key or a click.
	sequenceTime = 500 * time.Millisecond

	// lostTime is for the rest of a sequence that is already too late. It must not be
	// taken for keys, but if it is lost, the user can continue afterwards.
	lostTime = 5 * time.Second

	// answerTime is for the beginning of an answer to a query, and of the next answer.
	answerTime = time.Second

	// pasteTime is for a paste, which then counts as complete, so that the user can
	// continue if its end is lost.
	pasteTime = 5 * time.Second
)

// maxSequence is the longest control sequence in bytes. Longer ones are ignored.
const maxSequence = 1 << 10

const escape = '\x1b'

// decoder splits input into events.
type decoder struct {
	maxPaste int // bytes
	parser   uv.EventDecoder
	rest     []byte // not decoded yet
	stray    bool   // the escape that begins rest has already been the escape key
	late     bool   // rest begins with a control sequence that takes too long
	pasting  bool   // rest is the beginning of a paste, or its last bytes if it is too long
	searched int    // bytes of the paste that do not contain its end
	long     bool   // the paste is too long
}

var pasteEnd = []byte("\x1b[201~")

// ignoredPaste is the event of a paste that is too long.
type ignoredPaste struct{}

// answer is the event of a control sequence that may answer a query; see [term.Terminal.Learn].
type answer string

// next returns the next key, paste, mouse event or answer, or nil if more bytes are needed.
// It drops all other input. Expired means that no more bytes have arrived within patience.
func (d *decoder) next(expired bool) uv.Event {
	for d.pasting || len(d.rest) > 0 {
		if d.pasting {
			return d.paste(expired)
		}
		if d.stray && len(d.rest) > 1 && !introduces(d.rest[1]) {
			d.rest, d.stray = d.rest[1:], false
		}
		n, whole := scan(d.rest)
		var e uv.Event
		switch {
		case n == 0 && !expired:
			d.shorten()
			return nil
		case n == 0:
			expired = false
			e = d.expire()
		case n == 2 && d.stray: // the introducer is a key
			d.rest, d.stray = d.rest[1:], false
		default:
			e = d.take(n, whole)
		}
		if e != nil {
			return e
		}
	}
	d.rest = nil // an idle session needs no memory for it
	return nil
}

// patience returns how long the undecoded bytes may wait for more.
func (d *decoder) patience() time.Duration {
	switch {
	case d.pasting:
		return pasteTime
	case d.late:
		return lostTime
	case d.stray, len(d.rest) > 1 && introduces(d.rest[1]), len(d.rest) > 2 && d.rest[1] == escape:
		return sequenceTime
	}
	return escTime
}

// expire is called when the undecoded bytes have waited too long. It returns the escape key
// if that is what they are.
func (d *decoder) expire() uv.Event {
	switch {
	case d.stray && len(d.rest) == 2: // the introducer is a key
		d.rest, d.stray = d.rest[1:], false
	case d.late || d.stray && len(d.rest) == 1 || d.rest[0] != escape:
		d.rest, d.stray, d.late = nil, false, false
	case len(d.rest) == 1 || len(d.rest) == 2 && d.rest[1] == escape:
		_, e := d.parser.Decode(d.rest)
		d.rest, d.stray = d.rest[len(d.rest)-1:], true
		return e
	case d.rest[1] == escape: // and a sequence that has begun after it
		d.rest = d.rest[1:]
		return uv.KeyPressEvent{Code: uv.KeyEscape}
	case introduces(d.rest[1]):
		d.late = true
	default:
		d.rest = nil
	}
	return nil
}

// shorten keeps only what is needed to find the end of a sequence that is too long.
func (d *decoder) shorten() {
	if n := len(d.rest); n > maxSequence {
		d.rest, d.late = []byte{d.rest[0], d.rest[1], d.rest[2], d.rest[n-1]}, true
	}
}

// take removes the first n bytes, as returned by scan, and returns their event. It returns nil
// if there is none.
func (d *decoder) take(n int, whole bool) uv.Event {
	m, e := 1, uv.Event(uv.KeyPressEvent{Code: uv.KeyEnter})
	switch {
	case bytes.HasPrefix(d.rest, []byte("\r\n")):
		m = 2
	case d.rest[0] == '\n':
	case d.rest[0] == escape:
		m, e = d.parser.Decode(d.rest[:n:n])
		if d.rest[1] != escape || m > 1 {
			m = n
		}
	default:
		m, e = d.parser.Decode(d.rest)
	}
	sequence, late := d.rest[:m], d.stray || d.late
	d.rest, d.stray, d.late = d.rest[m:], false, false
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

// introduces reports whether a character after an escape begins a control sequence.
func introduces(c byte) bool { return c == '[' || c == ']' || c == 'P' || c == '_' || c == 'O' }

// scan returns the length of the control sequence or the key that data begins with, and whether
// it is whole. A sequence that is not whole is interrupted by the byte after it. The length is
// 0 if more bytes are needed, and that of the first character if data is text.
func scan(data []byte) (n int, whole bool) {
	switch {
	case data[0] != escape:
		return scanText(data), false
	case len(data) == 1:
		return 0, false
	case data[1] == escape:
		n, whole = scan(data[1:])
	case data[1] == '[':
		return scanCSI(data)
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
	case introduces(data[1]):
		return scanString(data)
	default:
		n = scanText(data[1:])
	}
	if n == 0 {
		return 0, false
	}
	return n + 1, whole
}

// scanText is scan for data that begins with a character.
func scanText(data []byte) (n int) {
	if !utf8.FullRune(data) {
		return 0
	}
	_, n = utf8.DecodeRune(data)
	return n
}

// scanCSI is scan for data that begins with ESC [.
func scanCSI(data []byte) (n int, whole bool) {
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
	case "\x1b[[": // a function key of the Linux console
		more = 1
	case "\x1b[M": // a click at a terminal that supports only X10's form
		more = 3
	}
	if len(data) < n+more {
		return 0, false
	}
	return n + more, true
}

// scanString is scan for data that begins with ESC ], ESC P or ESC _.
func scanString(data []byte) (n int, whole bool) {
	for n = 2; n < len(data); n++ {
		c := data[n]
		switch {
		case n == 2 && data[1] == ']' && (c < '0' || c > '9'), n == 2 && data[1] == 'P' && (c < ' ' || c > '?'):
			return n, false // no answer begins like this
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

// paste returns the current paste if it has ended, and otherwise nil.
func (d *decoder) paste(expired bool) uv.Event {
	i := bytes.Index(d.rest[d.searched:], pasteEnd)
	if i < 0 && !expired {
		if len(d.rest) > d.maxPaste {
			d.long = true
			d.rest = bytes.Clone(d.rest[len(d.rest)-len(pasteEnd):])
		}
		d.searched = max(0, len(d.rest)-len(pasteEnd)+1)
		return nil
	}
	text, rest := d.rest, []byte(nil)
	if i += d.searched; i >= d.searched {
		text, rest = d.rest[:i], d.rest[i+len(pasteEnd):]
	}
	long := d.long || len(text) > d.maxPaste
	d.rest, d.pasting, d.searched, d.long = rest, false, 0, false
	if long {
		return ignoredPaste{}
	}
	return uv.PasteEvent{Content: string(bytes.ToValidUTF8(text, nil))}
}
