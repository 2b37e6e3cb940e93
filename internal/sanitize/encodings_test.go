package sanitize_test

import (
	"encoding/binary"
	"unicode/utf16"
)

// encodings returns a text in every encoding that a user may choose, by the encoding's name.
func encodings(text string) map[string]string {
	return map[string]string{
		"UTF-8":               text,
		"UTF-8 with a mark":   "\ufeff" + text,
		"UTF-16LE":            encode(text, binary.LittleEndian),
		"UTF-16LE and a mark": encode("\ufeff"+text, binary.LittleEndian),
		"UTF-16BE":            encode(text, binary.BigEndian),
		"UTF-16BE and a mark": encode("\ufeff"+text, binary.BigEndian),
	}
}

// encode returns a text in UTF-16.
func encode(text string, order binary.AppendByteOrder) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}
