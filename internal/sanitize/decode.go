package sanitize

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// Decode returns a text in UTF-8, without a byte order mark and with a line feed after every line, as
// [NormalizeNewlines] does. The given text is in UTF-8 or UTF-16, with or without a mark. UTF-16 without a mark
// is recognized by its first character, which must be in Latin-1.
func Decode(text []byte) string {
	// Reading from memory cannot fail.
	decoded, _ := io.ReadAll(NewReader(bytes.NewReader(text)))
	return NormalizeNewlines(string(decoded))
}

// NewReader returns a reader that decodes r as [Decode] does, but keeps its line endings. NewReader waits for
// r's first bytes. It recognizes UTF-16 without a mark only if two bytes arrive together, because a player may
// type the first byte.
func NewReader(r io.Reader) io.Reader {
	in := bufio.NewReader(r)
	// The first Read returns the same error.
	start, _ := in.Peek(1)
	switch string(start) {
	case "\xef":
		start, _ = in.Peek(3)
	case "\x00", "\xfe", "\xff":
		start, _ = in.Peek(2)
	default:
		start, _ = in.Peek(min(2, in.Buffered()))
	}
	if string(start) == "\ufeff" {
		in.Discard(len(start))
		return in
	}
	if len(start) < 2 {
		return in
	}
	var order binary.ByteOrder
	switch first := binary.BigEndian.Uint16(start); {
	case first == 0xfeff, first != 0 && first <= 0xff:
		order = binary.BigEndian
	case first == 0xfffe, first != 0 && first&0xff == 0:
		order = binary.LittleEndian
	default:
		return in
	}
	if first := order.Uint16(start); first == 0xfeff {
		in.Discard(2)
	}
	return &utf16Reader{in: in, order: order}
}

// utf16Reader converts UTF-16 to UTF-8.
type utf16Reader struct {
	in    *bufio.Reader
	order binary.ByteOrder
	// char is the rest of the last character.
	char []byte
}

// Read implements [io.Reader]. It reads at most one character.
func (r *utf16Reader) Read(p []byte) (int, error) {
	if len(r.char) == 0 {
		c, err := r.readUnit()
		if err != nil {
			return 0, err
		}
		if utf16.IsSurrogate(c) {
			// A lone surrogate at the end becomes U+FFFD.
			low, _ := r.readUnit()
			c = utf16.DecodeRune(c, low)
		}
		r.char = utf8.AppendRune(r.char[:0], c)
	}
	n := copy(p, r.char)
	r.char = r.char[n:]
	return n, nil
}

// readUnit reads half a character or a whole one. A lone last byte counts as one.
func (r *utf16Reader) readUnit() (rune, error) {
	var unit [2]byte
	n, err := io.ReadFull(r.in, unit[:])
	if n == 1 {
		return rune(unit[0]), nil
	}
	return rune(r.order.Uint16(unit[:])), err
}
