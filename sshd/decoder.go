package sshd

import (
	"bytes"

	uv "github.com/charmbracelet/ultraviolet"
)

// maxSequence is the longest control sequence in bytes. Longer ones are ignored.
const maxSequence = 1 << 10

// decoder splits input into events.
type decoder struct {
	maxPaste int // bytes
	parser   uv.EventDecoder
	rest     []byte // not decoded yet
	pasting  bool   // rest is the beginning of a paste, or its last bytes if it is too long
	searched int    // bytes of the paste that do not contain its end
	long     bool   // the paste is too long
}

var pasteEnd = []byte("\x1b[201~")

// ignoredPaste is the event of a paste that is too long.
type ignoredPaste struct{}

// next returns the next key, paste or mouse event, or nil if more bytes are needed. It
// drops other input, such as reports that were not requested. Expired means that no more
// bytes will arrive in time.
func (d *decoder) next(expired bool) uv.Event {
	for d.pasting || len(d.rest) > 0 {
		if d.pasting {
			return d.paste(expired)
		}
		n, e := d.parser.Decode(d.rest)
		_, unknown := e.(uv.UnknownEvent)
		if !expired && (unknown || n <= 2 && d.rest[0] == '\x1b') {
			if len(d.rest) > maxSequence {
				d.rest = nil
			}
			return nil
		}
		if d.rest = d.rest[n:]; len(d.rest) == 0 {
			d.rest = nil // an idle session needs no memory for it
		}
		switch e.(type) {
		case uv.PasteStartEvent:
			d.pasting = true
		case uv.KeyPressEvent, uv.MouseClickEvent, uv.MouseReleaseEvent, uv.MouseWheelEvent, uv.MouseMotionEvent:
			return e
		}
	}
	return nil
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
