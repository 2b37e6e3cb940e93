package tui

import (
	"strings"

	"broadside/internal/newline"
)

// paster is a screen that has a use for pasted text.
type paster interface {
	// paste takes pasted text. It returns false if that means nothing now.
	paste(m *Model, text string) bool
}

// paste hands pasted text to what is being typed, or to the screen. Pasted text
// never acts as keys: where it means nothing, it is dropped.
func (m *Model) paste(text string) {
	if !m.fits() {
		return
	}
	m.noteKey()
	if m.saying != nil {
		m.saying.add(newline.Normalize(text))
		return
	}
	if s, ok := m.screen.(paster); ok && !m.help && s.paste(m, text) {
		return
	}
	m.notice = m.lang.Say("Pasted text is ignored here.")
}

// maxPasted bounds the text that is pasted into a field, in characters.
const maxPasted = 64

// typePasted types the first line of pasted text on a screen that takes every
// character as text.
func (m *Model) typePasted(text string) {
	line, _, _ := strings.Cut(strings.TrimSpace(newline.Normalize(text)), "\n")
	n := 0
	for _, r := range line {
		if n++; n > maxPasted {
			return
		}
		key := string(r)
		if r == ' ' {
			key = "space"
		}
		m.screen.key(m, key)
	}
}

func (s *roomScreen) paste(m *Model, text string) bool {
	m.typePasted(text)
	return true
}

func (s *introScreen) paste(m *Model, text string) bool {
	m.typePasted(text)
	return true
}

func (s *namesScreen) paste(m *Model, text string) bool {
	m.typePasted(text)
	return true
}

// paste takes over a layout file, or a part of the name to save a fleet under.
func (s *placeScreen) paste(m *Model, text string) bool {
	switch {
	case s.leaving.asked || s.layout == nil:
		return false
	case s.saved.naming:
		m.typePasted(text)
	default:
		s.takeLayout(m, text)
	}
	return true
}
