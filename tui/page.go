package tui

import (
	"cmp"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/internal/term"
	"broadside/tui/component"
	"broadside/tui/format"
)

// drawn is the last frame and its mouse targets.
type drawn struct {
	content string
	same    bool // the next frame is identical
	mouse   bool // the screen wants mouse events
	left    int  // column of the view's first line
	top     int
	zones   []component.Zone  // relative to left and top
	boards  *component.Boards // in the frame; nil: none
}

// View implements tea.Model. Its content contains styles; [Model.Colours] resolves
// them.
func (m *Model) View() tea.View {
	if !m.frame.same {
		m.frame = drawn{}
		m.frame.content = strings.Join(m.lines(), "\n")
		if b := m.frame.boards; b != nil {
			b.Drawn(strings.Split(m.frame.content, "\n"), m.frame.top)
		}
	}
	m.frame.same = false
	v := tea.NewView(m.frame.content)
	v.AltScreen = true
	v.WindowTitle = "Broadside"
	if m.frame.mouse && m.mouseAllowed() {
		v.MouseMode = tea.MouseModeAllMotion // to highlight the cell under the pointer
	}
	return v
}

// lines returns the whole screen: at most height lines, each at most width wide.
func (m *Model) lines() []string {
	if m.width <= 0 || m.height <= 0 {
		return nil
	}
	var lines []string
	if m.fits() {
		lines = m.page()
	} else {
		lines = m.tooSmall()
	}
	return format.Crop(lines, m.width, m.height)
}

func (m *Model) tooSmall() []string {
	lang := m.env.Lang
	text := []string{
		lang.Text("broadside-needs-n-n", component.MinWidth, component.MinHeight),
		lang.Text("your-window-is-n-n", m.width, m.height),
		lang.Text("make-the-window-larger"),
		lang.Text("or-use-a-smaller-font"),
	}
	if m.leaveAsked {
		text = []string{lang.Text("leave-your-match"), lang.Text("press-ctrl-c-again-to")}
	}
	var said []string // most important first, in case of truncation
	for _, t := range text {
		said = append(said, format.Wrap(t, m.width)...)
	}
	lines := make([]string, max(0, (m.height-len(said))/2))
	for _, l := range said {
		lines = append(lines, format.Center(l, m.width))
	}
	return lines
}

// The key bindings of the root model.
var (
	anyKey  = component.Bind("any-key", "back", "")
	moreKey = component.Bind("pgdn-pgup", "more", "pgdown pgup")
)

// page returns the title bar, the body, the banner, the notice and the bottom bar.
func (m *Model) page() []string {
	banner := m.banner()
	room := m.bodyHeight(banner)
	view := m.top().View(component.Size{Width: m.width, Height: m.height, Body: room})
	bindings := m.top().Bindings()
	if m.help {
		view, bindings = component.View{Lines: helpPage{m.router}.lines(), Title: view.Title, Spectators: view.Spectators, Question: view.Question}, []key.Binding{anyKey}
	}
	body := view.Lines
	if view.Boards == nil {
		body = format.Fold(body, m.width)
	}
	if len(body) > room {
		body = m.scrolled(body, room)
		bindings = append([]key.Binding{moreKey}, bindings...)
	}
	top := min((m.height-3-len(body))/3, room-len(body)) // if possible, a banner does not move the body
	left := max(0, (m.width-format.Widest(body))/2)
	m.frame.top, m.frame.left = 1+top, left
	m.frame.zones, m.frame.boards, m.frame.mouse = view.Zones, view.Boards, view.Mouse

	lines := make([]string, 0, m.height+1)
	lines = append(lines, m.titleBar(view))
	for range top {
		lines = append(lines, "")
	}
	for _, l := range body {
		lines = append(lines, format.Spaces(left)+l)
	}
	for len(lines) < 1+room {
		lines = append(lines, "")
	}
	if banner != "" {
		lines = append(lines, format.Center(banner, m.width))
	}
	return append(m.withNotice(lines, view), m.bottomBar(bindings))
}

// titleBar returns the first line of the screen.
func (m *Model) titleBar(view component.View) string {
	right := view.Title
	if right == "" {
		right = format.Name(m.env.State.Me.Name)
		if m.env.State.Me.Guest {
			right = m.env.Lang.Text("x-guest", right)
		}
	}
	if n := view.Spectators; n > 0 {
		right = m.env.Lang.Text("n-watching", n) + " · " + right
	}
	return term.Title.Render(" BROADSIDE") + term.Bar.Render(format.Spaces(m.width-11-format.Width(right))+right+" ")
}

// withNotice appends the line below the body. A long notice covers the last lines of
// the body.
func (m *Model) withNotice(lines []string, view component.View) []string {
	now := time.Now()
	notice := m.notice(view)
	parts := format.Wrap(notice, m.width)
	above := parts[:min(len(parts)-1, 3)]
	for i, part := range above {
		lines[len(lines)-len(above)+i] = format.Center(term.Warn.Render(part), m.width)
	}
	line := term.Warn.Render(ansi.Truncate(parts[len(parts)-1], m.width, "…"))
	took, working := m.env.Work.Shown(now)
	switch {
	case m.env.Notice == "" && view.Input != "":
		line = view.Input
	case notice != "":
	case working:
		line = term.Faint.Render(m.env.Spinner(took, component.WorkInterval) + m.env.Lang.Text("one-moment"))
	case view.Recent != "":
		line = term.Faint.Render(ansi.Truncate(view.Recent, m.width, "…"))
	default:
		line = ansi.Truncate(view.Brief, m.width, "…")
	}
	return append(lines, format.Center(line, m.width))
}

// notice returns the current notice.
func (m *Model) notice(view component.View) string {
	lang, news := m.env.Lang, m.env.Lobby
	said := news.Announcement
	switch notice := cmp.Or(view.Question, m.env.Notice); {
	case m.env.State.Waiting:
		return lang.Text("reconnecting-to-the-server")
	case notice != "":
		return notice
	case said.Text != "" && time.Since(said.At) < announceTime:
		return lang.Text("operator-x", format.Clean(said.Text, session.MaxAnnouncement))
	case news.Closing:
		return lang.Text("the-server-is-shutting-running-title-sentence")
	}
	return ""
}

// banner returns the line above the notice: an open challenge or the screen's banner.
func (m *Model) banner() string {
	c := m.openChallenge()
	if c == nil {
		if s, ok := m.top().(component.Banner); ok {
			return s.Banner(m.width)
		}
		return ""
	}
	lang := m.env.Lang
	how := term.Key.Render("y") + " " + lang.Text("accept") + "  " + term.Key.Render("n") + " " + lang.Text("decline") + "  "
	if m.typing() != component.NoText {
		how = lang.Text("x-to-answer", term.Key.Render(lang.Text("esc"))) + "  "
	}
	who := term.Warn.Render(lang.Text("x-challenges-you", m.env.PlayerName(c.From))) + " " + m.env.OfferTerms(c.Rules, c.Stakes)
	left := how + phrase.Clock(time.Until(c.Until))
	if format.Width(who)+2+format.Width(left) > m.width { // the keys matter most
		return left + "  " + who
	}
	return who + "  " + left
}

// bodyHeight returns the height of the body below the given banner.
func (m *Model) bodyHeight(banner string) int {
	if banner != "" {
		return m.height - 4
	}
	return m.height - 3
}

// bottomBar returns the last line of the screen, with as many bindings as fit. Help is
// dropped last because it lists all of them.
func (m *Model) bottomBar(bindings []key.Binding) string {
	const gap = 2
	lang := m.env.Lang
	help := component.Help.Help()
	width := func(h key.Help) int {
		return format.Width(lang.Label(h.Key)) + 1 + format.Width(lang.Label(h.Desc)) + gap
	}
	room := m.width + gap
	for _, b := range bindings {
		if b.Help() == help {
			room -= width(help)
		}
	}
	var parts []string
	for _, b := range bindings {
		h := b.Help()
		if h != help {
			if width(h) > room {
				room = 0
				continue
			}
			room -= width(h)
		}
		parts = append(parts, term.Key.Render(lang.Label(h.Key))+" "+term.Faint.Render(lang.Label(h.Desc)))
	}
	return format.Center(strings.Join(parts, "  "), m.width)
}

// scrolled returns the visible part of a body that does not fit. It follows the
// player's scrolling but always includes the selected line.
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
