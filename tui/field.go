package tui

import (
	"strings"
)

// field is a line of text that is being typed.
type field struct {
	text string
	most int               // characters
	fits func(c rune) bool // the characters that can be in it
	make func(c rune) rune // what becomes of a typed one; nil: nothing
}

// key handles a key that changes the text. It returns false for other keys,
// and the character that cannot be in the text, if that is why.
func (f *field) key(key string) (ok bool, unfit string) {
	if key == "backspace" {
		if n := len(f.text); n > 0 {
			f.text = f.text[:n-1]
		}
		return true, ""
	}
	if key == "space" {
		key = " "
	}
	letters := []rune(key)
	if len(letters) != 1 {
		return false, ""
	}
	c := letters[0]
	if f.make != nil {
		c = f.make(c)
	}
	if !f.fits(c) {
		return false, key
	}
	if len(f.text) < f.most {
		f.text += string(c)
	}
	return true, ""
}

// shown is the text with a mark where the next character goes.
func (f *field) shown() string {
	return looks().strong.Render(f.text) + looks().key.Render("_") + strings.Repeat(" ", max(0, f.most-len(f.text)))
}
