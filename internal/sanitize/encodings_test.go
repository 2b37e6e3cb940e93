package sanitize_test

import (
	"encoding/binary"
	"unicode/utf16"
)

// encodeInAll returns a text in every encoding that a user may choose, by the encoding's name.
func encodeInAll(text string) map[string]string {
	return map[string]string{
		"UTF-8":               text,
		"UTF-8 with a mark":   "\ufeff" + text,
		"UTF-16LE":            encodeUTF16(text, binary.LittleEndian),
		"UTF-16LE and a mark": encodeUTF16("\ufeff"+text, binary.LittleEndian),
		"UTF-16BE":            encodeUTF16(text, binary.BigEndian),
		"UTF-16BE and a mark": encodeUTF16("\ufeff"+text, binary.BigEndian),
	}
}

// encodeUTF16 returns a text in UTF-16.
func encodeUTF16(text string, order binary.AppendByteOrder) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}
