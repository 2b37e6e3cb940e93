package tui

import (
	"cmp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/internal/term/look"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/format"
)

// View implements tea.Model. Its content has inks: [Model.Colours] says how they look.
func (m *Model) View() tea.View {
	if !m.same {
		m.content = strings.Join(m.lines(), "\n")
		m.before = nil
		if len(m.spots) > 0 {
			lines := strings.Split(m.content, "\n")
			m.before = lines[min(m.top+m.spots[0].Top, len(lines)):]
		}
	}
	m.same = false
	v := tea.NewView(m.content)
	v.AltScreen = true
	v.WindowTitle = "Broadside"
	if _, ok := m.mouses(); ok {
		v.MouseMode = tea.MouseModeAllMotion // the cell below the mouse is shown
	}
	return v
}

// Colours is how the inks of the view look now.
func (m *Model) Colours() *look.Look { return m.colours }

// lines is the whole screen: at most height lines, none wider than width.
func (m *Model) lines() []string {
	if m.width <= 0 || m.height <= 0 {
		return nil
	}
	var lines []string
	if !m.fits() {
		lines = m.tooSmall()
	} else {
		lines = m.page()
	}
	return format.Crop(lines, m.width, m.height)
}

func (m *Model) tooSmall() []string {
	text := []string{
		m.lang.Say("Broadside needs %d×%d.", MinWidth, MinHeight),
		m.lang.Say("This is %d×%d.", m.width, m.height),
		m.lang.Say("Make the window larger"),
		m.lang.Say("or its letters smaller."),
	}
	if m.sure {
		text = []string{m.lang.Say("Leave your match?"), m.lang.Say("Press ctrl+c again to leave.")}
	}
	var said []string // what matters most comes first, should it be cut off
	for _, t := range text {
		said = append(said, format.Wrap(t, m.width)...)
	}
	lines := make([]string, max(0, (m.height-len(said))/2))
	for _, l := range said {
		lines = append(lines, format.Center(l, m.width))
	}
	return lines
}

// page is bar, body, notice and hints.
func (m *Model) page() []string {
	t := looks()
	m.spots, m.buttons, m.folded, m.brief = nil, nil, false, "" // unless boards are drawn
	body := m.screen.draw(m)
	hints := m.speaks(m.screen.hints(m))
	if m.saying != nil {
		hints = m.saying.hints()
	}
	switch key := m.otherBoardKey(); {
	case m.leavingAsked(): // and nothing else matters
	case m.folded && key == "v": // tab does what matters more
		hints = append(hints, "v", "other board")
	case m.folded:
		hints = append([]i18n.Text{"tab", "other board"}, hints...)
	}
	if m.help {
		body, hints = m.helpPage(), []i18n.Text{"any key", "back"}
		m.spots, m.buttons, m.brief = nil, nil, ""
	}
	if m.spots == nil {
		body = format.Fold(body, m.width)
	}
	room, call := m.room(), m.callLine()
	if len(body) > room {
		body = m.scrolled(body, room)
		hints = append([]i18n.Text{"pgdn pgup", "more"}, hints...)
	}
	top := min((m.height-3-len(body))/3, room-len(body)) // the same with a challenge, if there is room
	m.top = 1 + top
	margin := format.Spaces(max(0, (m.width-format.Widest(body))/2))

	right := format.Name(m.me.Name)
	if m.hot != nil {
		names := m.hot.names()
		right = m.lang.Say("%s and %s", names[match.First], names[match.Second])
	} else if m.me.Guest {
		right = m.lang.Say("%s (guest)", right)
		if m.playing() {
			code := m.lang.Say("resume code %s", m.game.code)
			if right += " · " + code; format.Width(right) > m.width-11 { // the code matters more
				right = code
			}
		}
	}
	if n := m.watching(); n > 0 {
		right = m.lang.Say("%d watching", n) + " · " + right
	}
	lines := make([]string, 0, m.height+1)
	lines = append(lines, t.title.Render(" BROADSIDE")+t.bar.Render(format.Spaces(max(0, m.width-11-format.Width(right)))+right+" "))
	for range top {
		lines = append(lines, "")
	}
	for _, l := range body {
		lines = append(lines, margin+l)
	}
	for len(lines) < 1+room {
		lines = append(lines, "")
	}
	if call != "" {
		lines = append(lines, format.Center(call, m.width))
	}
	notice := cmp.Or(m.leavingHere(), m.notice)
	if m.state.Waiting {
		notice = m.lang.Say("Reconnecting to the server…")
	}
	if said := m.news.Announcement; notice == "" && said.Text != "" && time.Since(said.At) < announceTime {
		notice = m.lang.Say("Operator: %s", format.Clean(said.Text, session.MaxAnnouncement))
	}
	if notice == "" && m.news.Closing {
		notice = m.lang.Say("The server is shutting down: a running match may be played for a short while.")
	}
	// A notice that is too long takes lines of the body.
	parts := format.Wrap(notice, m.width)
	above := parts[:min(len(parts)-1, 3)]
	for i, part := range above {
		lines[len(lines)-len(above)+i] = format.Center(t.warn.Render(part), m.width)
	}
	said := t.warn.Render(ansi.Truncate(parts[len(parts)-1], m.width, "…"))
	took, working := m.work.shown(time.Now())
	switch heard := m.heardLine(time.Now()); {
	case m.notice == "" && m.saying != nil:
		said = format.Pad(m.saying.shown(m.lang, m.width-2), m.width-2) // it stands still while it grows
	case notice == "" && working:
		said = t.faint.Render(m.spinner(took, workPause) + m.lang.Say("one moment …"))
	case notice == "" && heard != "":
		said = t.faint.Render(ansi.Truncate(heard, m.width, "…"))
	case notice == "":
		said = ansi.Truncate(m.brief, m.width, "…")
	}
	lines = append(lines, format.Center(said, m.width))
	return append(lines, m.hintLine(hints))
}

// hintLine is the hints that there is room for. Where help is one of them, it is
// the last to go: it tells of all the others.
func (m *Model) hintLine(hints []i18n.Text) string {
	const gap = 2
	wide := func(i int) int {
		return format.Width(m.lang.Say(hints[i])) + 1 + format.Width(m.lang.Say(hints[i+1])) + gap
	}
	room := m.width + gap
	for i := 0; i+1 < len(hints); i += 2 {
		if hints[i] == "?" {
			room -= wide(i)
		}
	}
	var parts []string
	for i := 0; i+1 < len(hints); i += 2 {
		if hints[i] != "?" {
			if wide(i) > room {
				room = 0
				continue
			}
			room -= wide(i)
		}
		parts = append(parts, looks().key.Render(m.lang.Say(hints[i]))+" "+looks().faint.Render(m.lang.Say(hints[i+1])))
	}
	return format.Center(strings.Join(parts, "  "), m.width)
}

// scrolled is the part of a body that is shown where there is no room for all
// of it: where the person has scrolled to, and what they point at in any case.
func (m *Model) scrolled(body []string, room int) []string {
	last := len(body) - room
	m.scroll = max(0, min(m.scroll, last))
	at := m.scroll
	for i, l := range body {
		if strings.Contains(l, "▸ ") {
			at = max(min(at, i), i-room+1)
		}
	}
	return body[at : at+room]
}

// longestSentence bounds what an error has to say, in cells.
const longestSentence = 160

// sentence is an error as a sentence. It may name somebody.
func (m *Model) sentence(err error) string {
	s := format.Clean(phrase.Error(m.lang, err), longestSentence)
	if s == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:] + "."
}

// roomyHeight is that of a screen with room for more than two lines of text
// below a board.
const roomyHeight = 20

// room is the height of what stands between the bar and the notice.
func (m *Model) room() int {
	if m.callLine() != "" {
		return m.height - 4
	}
	return m.height - 3
}

// showBoards draws a scene on this screen. It notes where the boards stand, and
// what is to be said above the keys: the rest of a status that is too long, or
// what has happened if there is no room for it below the boards.
func (m *Model) showBoards(of board.Scene) []string {
	s := board.Space{Width: m.width, Height: m.room(), Chosen: min(m.chosen, len(of.Panels)-1), Windows: &m.views, Before: m.before}
	m.blaze(of.Panels)
	rest := ""
	if parts := format.WrapInked(of.Status, m.width); len(parts) > 1 {
		of.Status, rest = parts[0], parts[1]
	}
	a := board.Arrange(s, of)
	if m.brief = rest; rest == "" && a.TextLost {
		m.brief = of.Brief
	}
	m.spots = a.Spots
	m.folded = len(a.Spots) < len(of.Panels)
	return a.Lines
}

// hovered puts the mouse's mark on a board, if it is there.
func (m *Model) hovered(n int, b *board.Board) {
	if m.hover.screen == m.screen && m.hover.n == n {
		b.Hover = m.hover.at
	}
}

// hover is where the mouse is.
type hover struct {
	screen screen // on which it was there
	n      int    // the board
	at     match.Cell
}
