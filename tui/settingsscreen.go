package tui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/format"
)

// settingsScreen is where people see and change all that they have chosen, with
// a board beside it that shows what comes of it.
type settingsScreen struct {
	at     int         // the setting pointed at
	typed  string      // of its value
	wrong  string      // why what was typed or turned to cannot be
	sample match.View  // what is played under the rules
	of     match.Rules // those of the sample
}

func (s *settingsScreen) key(m *Model, key string) tea.Cmd {
	next := m.settings
	all := settingsOf(m.lang, &next)
	s.at = min(s.at, len(all)-1)
	now := &all[s.at]
	s.wrong = ""
	var err error
	switch key {
	case "up", "k", "shift+tab":
		if err = s.finish(&next, now); err == nil {
			s.at = around(s.at, -1, len(all))
		}
		s.typed = ""
	case "down", "j", "tab":
		if err = s.finish(&next, now); err == nil {
			s.at = around(s.at, 1, len(all))
		}
		s.typed = ""
	case "left", "h", "-":
		s.typed = ""
		err = now.turn(&next, -1)
	case "right", "l", "space", "+":
		s.typed = ""
		err = now.turn(&next, 1)
	case "enter":
		if s.typed == "" {
			err = now.turn(&next, 1)
		} else {
			err = s.finish(&next, now)
		}
	case "backspace", "esc":
		switch {
		case s.typed == "":
			m.toLobby("")
		case key == "esc":
			s.typed = ""
		default:
			s.typed = s.typed[:len(s.typed)-1]
		}
		return nil
	case "q", "s":
		m.toLobby("")
		return nil
	case "ctrl+c":
		return tea.Quit
	default:
		err = s.digit(&next, now, key)
	}
	if err != nil {
		s.wrong = m.sentence(err)
		return nil
	}
	return m.choose(next)
}

// digit takes one more digit of a number. What cannot become one that is
// allowed is refused at once, and stays until the next digit, so that enter does
// nothing with it.
func (s *settingsScreen) digit(next *session.Settings, now *setting, key string) error {
	if len(key) != 1 || key[0] < '0' || key[0] > '9' {
		return i18n.Errorf("there is nothing to do with that key here: choose with the arrows")
	}
	if now.set == nil {
		return i18n.Errorf("%s is not a number: choose with ← and →", now.name)
	}
	if n, err := strconv.Atoi(s.typed); err != nil || !now.mayBecome(10*n) { // nothing, or what was refused
		s.typed = ""
	}
	s.typed += key
	n, err := strconv.Atoi(s.typed)
	if err != nil || !now.mayBecome(n) {
		return now.refuse(s.typed)
	}
	if !now.allows(n) || now.mayBecome(10*n) { // there may be more to come
		return nil
	}
	return s.finish(next, now)
}

// finish takes what was typed. What is refused stays.
func (s *settingsScreen) finish(next *session.Settings, now *setting) error {
	if s.typed == "" {
		return nil
	}
	n, err := strconv.Atoi(s.typed)
	if err != nil || !now.allows(n) {
		return now.refuse(s.typed)
	}
	if err := now.set(next, n); err != nil {
		return err
	}
	s.typed = ""
	return nil
}

// The widths of the settings' columns: what they are, and what they are set to.
const (
	settingName   = 17
	settingValue  = 17
	settingsWidth = 2 + settingName + settingValue
)

func (s *settingsScreen) draw(m *Model) []string {
	t := looks()
	all := settingsOf(m.lang, &m.settings)
	groups := 0
	for _, o := range all {
		if o.group != "" {
			groups++
		}
	}
	room := m.room() - 3
	headed := len(all)+groups <= room || len(all)+groups-1 > room // else blank lines take the place of headings
	apart := !headed || len(all)+2*groups-1 <= room || len(all)+groups > room
	var lines []string
	pointed := 0
	for i, o := range all {
		if o.group != "" {
			if i > 0 && apart {
				lines = append(lines, "")
			}
			if headed {
				lines = append(lines, t.strong.Render(m.lang.Say(o.group)))
			}
		}
		value := o.value
		if i != s.at {
			lines = append(lines, format.Pad("  "+format.Pad(m.lang.Say(o.name), settingName)+value, settingsWidth))
			continue
		}
		if s.typed != "" {
			value = s.typed + "_"
		}
		pointed = len(lines)
		lines = append(lines, format.Pad("▸ "+t.key.Render(format.Pad(m.lang.Say(o.name), settingName))+t.strong.Render("‹ "+value+" ›"), settingsWidth))
	}
	if len(lines) > room {
		top := min(max(0, pointed-room/2), len(lines)-room)
		lines = lines[top : top+room]
	}
	preview := s.preview(m, m.width-settingsWidth-previewGap, room)
	lines = format.Beside(lines, preview, previewGap)
	below := []string{t.faint.Render(all[s.at].about)}
	if s.wrong != "" {
		below = nil
		for _, l := range format.Wrap(s.wrong, m.width) {
			below = append(below, t.warn.Render(l))
		}
	}
	lines = append(append(lines, ""), below...)
	if left := m.room() - len(lines) - 1; preview == nil && left >= leastBelow {
		lines = append(append(lines, ""), s.preview(m, m.width, left)...)
	}
	return lines
}

// preview is a board of the sample, in a room of the given size.
func (s *settingsScreen) preview(m *Model, width, height int) []string {
	if r := m.settings.Rules; !s.of.Same(r) {
		s.of, s.sample = r, board.SampleView(r)
	}
	if width < leastPreview {
		return nil
	}
	v := &s.sample
	arranged := board.Arrange(board.Space{Width: width, Height: height + 1}, board.Scene{Panels: []board.Panel{
		{Heading: m.lang.Say("YOUR FLEET, FOR EXAMPLE"), Board: board.Own(v, match.First)},
		{Heading: m.lang.Say("ENEMY WATERS"), Board: board.Enemy(&v.Charts[match.First], board.Nowhere, v.Last[match.First]...)},
	}})
	return arranged.Lines[1:] // the first is about a match
}

// The preview, in cells: beside the settings, or below them.
const (
	previewGap   = 2
	leastPreview = 30 // columns
	leastBelow   = 13 // lines
)

func (s *settingsScreen) hints(m *Model) []i18n.Text {
	if all := settingsOf(m.lang, &m.settings); all[s.at].set != nil {
		return []i18n.Text{"↑↓", "choose", "←→", "change", "0–9", "type it", "?", "help", "esc", "back"}
	}
	return []i18n.Text{"↑↓", "choose", "←→", "change", "?", "help", "esc", "back"}
}
