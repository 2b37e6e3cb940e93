package tui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// drawnFrame is the last frame and its mouse targets.
type drawnFrame struct {
	frame term.Frame
	// mouse is set if the screen wants mouse events.
	mouse bool
	// left and top are the position of the view's first line.
	left int
	top  int
	// boards is nil if the frame has none.
	boards *widget.Boards
	// isCut is set if only a part of the body fits.
	isCut bool
}

// View implements [tea.Model]. It joins the lines of [Model.Frame], which also has the palette for
// their styles.
func (m *Model) View() tea.View {
	f := m.Frame()
	v := tea.NewView(strings.Join(f.Lines, "\n"))
	v.AltScreen, v.WindowTitle, v.MouseMode = true, f.Title, f.Mouse
	return v
}

// Frame returns what the terminal shows: at most height lines, each at most width cells wide.
func (m *Model) Frame() term.Frame {
	if !m.redraw {
		return m.frame.frame
	}
	m.frame, m.env.Detail = drawnFrame{}, m.palette.Detail()
	var lines []string
	switch {
	case m.hasMinimumSize():
		lines = m.drawPage()
	case m.width > 0 && m.height > 0:
		lines = text.Crop(m.tooSmallLines(), m.width, m.height)
	}
	m.frame.frame = term.Frame{Lines: lines, Palette: m.palette, Title: m.windowTitle()}
	if m.isMouseAllowed() {
		// All motion is needed to highlight what is under the pointer.
		m.frame.frame.Mouse = tea.MouseModeAllMotion
	}
	if z, ok := m.pointer.findZone(&m.frame); ok {
		lines[z.Line] = term.HighlightColumns(lines[z.Line], z.Left, z.Left+z.Width)
	}
	return m.frame.frame
}

// windowTitle returns the terminal window's title. It says when it is the player's turn, unless the player has
// disabled that.
func (m *Model) windowTitle() string {
	s, ok := m.currentScreen().(widget.MatchPlayer)
	if ok && s.IsPlaying() && s.IsMyTurn() && m.env.Settings.Notify == "" {
		return m.env.Lang.Text("● Your turn – Broadside")
	}
	return "Broadside"
}

func (m *Model) tooSmallLines() []string {
	lang := m.env.Lang
	sentences := []string{
		lang.Text("Broadside needs %d×%d.", widget.MinWidth, widget.MinHeight),
		lang.Text("Your window is %d×%d.", m.width, m.height),
		lang.Text("Make the window larger"),
		lang.Text("or use a smaller font."),
	}
	if m.leaveAsked {
		sentences = []string{lang.Text("Leave your match?"), lang.Text("Press ctrl+c again to leave.")}
	}
	// The most important sentence comes first, in case of truncation.
	var said []string
	for _, t := range sentences {
		said = append(said, text.Wrap(t, m.width)...)
	}
	lines := make([]string, max(0, (m.height-len(said))/2))
	for _, l := range said {
		lines = append(lines, text.Center(l, m.width))
	}
	return lines
}

// Keys of the root model.
var (
	anyKey  = widget.Action{Keys: "esc", Cap: "any key", Label: "back"}
	moreKey = widget.Action{Keys: "pgdown pgup", Cap: "pgdn pgup", Label: "more"}
)

// drawPage returns the header, the body, the banner, the notice and the bottom bar.
func (m *Model) drawPage() []string {
	banner := m.bannerLine()
	room := m.bodyHeight(banner)
	view := m.currentScreen().View(widget.Size{Width: m.width, Height: m.height, Body: room})
	actions := widget.VisibleActions(m.currentScreen().Actions())
	if m.help {
		lines := helpPage{m.router}.draw(widget.Size{Width: m.width, Height: m.height, Body: room}, view.Heading, view.Boards != nil)
		view = widget.View{Lines: lines, Heading: view.Heading, Title: view.Title, Spectators: view.Spectators, Question: view.Question}
		actions = []widget.Action{anyKey}
	}
	if view.Header == nil {
		view.Header = []string{m.titleLine(view)}
	}
	room -= len(view.Header) - 1
	body := view.Lines
	width := view.Width
	if width == 0 {
		width = text.MaxWidth(body)
	}
	// first is the index of the body's first visible line.
	first := 0
	if m.frame.isCut = len(body) > room; m.frame.isCut {
		first = m.firstVisibleLine(body, room)
		body = body[first : first+room]
		width = text.MaxWidth(body)
		actions = slices.Insert(actions, min(1, len(actions)), moreKey)
	}
	// If possible, a banner does not move the body.
	top := min((m.height-2-len(view.Header)-len(body))/3, room-len(body))
	left := max(0, (m.width-width)/2)
	m.frame.top, m.frame.left = len(view.Header)+top-first, left
	m.frame.boards, m.frame.mouse = view.Boards, view.Mouse

	lines := append(make([]string, 0, m.height+1), view.Header...)
	for range top {
		lines = append(lines, "")
	}
	for _, l := range body {
		lines = append(lines, text.Spaces(left)+l)
	}
	for len(lines) < len(view.Header)+room {
		lines = append(lines, "")
	}
	if banner != "" {
		lines = append(lines, text.Center(banner, m.width))
	}
	lines = m.appendNotice(lines, view)
	lines = append(lines, m.bottomBar(actions))
	end := len(view.Header) + room
	text.Crop(lines[:len(view.Header)], m.width, m.height)
	text.Crop(lines[end:], m.width, m.height)
	if width > m.width {
		text.Crop(lines[len(view.Header):end], m.width, m.height)
	}
	return lines
}

// titleLine returns the first line of most screens: the game's name, what is
// happening, and the player.
func (m *Model) titleLine(view widget.View) string {
	right := cmp.Or(view.Title, m.env.PlayerLabel())
	n := view.Spectators
	if n > 0 {
		right = m.env.Lang.Text("%d watching||%d watching", n) + " · " + right
	}
	left := " ≈ BROADSIDE"
	line := term.Title.Render(left)
	room := m.width - text.Width(left) - text.Width(right) - 1
	middle := view.Heading
	if text.Width(middle) > room-2 {
		middle = ""
	}
	at := max(text.Width(left)+1, (m.width-text.Width(middle))/2)
	at = min(at, m.width-text.Width(right)-2-text.Width(middle))
	rest := m.width - text.Width(right) - 1 - at - text.Width(middle)
	return line + term.Bar.Render(text.Spaces(at-text.Width(left))+middle+text.Spaces(rest)+right+" ")
}

// appendNotice appends the line below the body. A long notice covers the last lines of
// the body.
func (m *Model) appendNotice(lines []string, view widget.View) []string {
	now := time.Now()
	notice := m.noticeText(view)
	parts := text.Wrap(notice, m.width)
	above := parts[:min(len(parts)-1, 3)]
	for i, part := range above {
		lines[len(lines)-len(above)+i] = text.Center(term.Warn.Render(part), m.width)
	}
	line := term.Warn.Render(ansi.Truncate(parts[len(parts)-1], m.width, "…"))
	took, working := m.env.Work.ElapsedTime(now)
	switch {
	case m.env.Notice == "" && view.Input != "":
		line = view.Input
	case notice != "":
	case working:
		line = m.env.Lang.Text("one moment…")
		if !m.env.Settings.NoAnimation {
			line = string(`|/-\`[int(took/widget.WorkInterval)%4]) + " " + line
		}
		line = term.Faint.Render(line)
	case view.Recent != "":
		line = term.Faint.Render(ansi.Truncate(view.Recent, m.width, "…"))
	default:
		line = ansi.Truncate(view.Brief, m.width, "…")
	}
	return append(lines, text.Center(line, m.width))
}

// noticeText returns the current notice.
func (r *router) noticeText(view widget.View) string {
	lang, news := r.env.Lang, r.env.Lobby
	said := news.Announcement
	switch notice := cmp.Or(view.Question, r.env.Notice); {
	case notice != "":
		return notice
	case said.Text != "" && time.Since(said.At) < announceTime:
		return lang.Text("Operator: %s", text.Clean(said.Text, lobby.MaxAnnouncement))
	case news.Closing:
		return lang.Text("The server is shutting down. Running matches can continue for a short while.")
	}
	return ""
}

// bannerLine returns the line above the notice: an open challenge or the screen's banner.
func (m *Model) bannerLine() string {
	c := m.shownChallenge()
	if c == nil {
		if s, ok := m.currentScreen().(widget.BannerScreen); ok {
			return s.Banner(m.width)
		}
		return ""
	}
	lang := m.env.Lang
	how := term.Key.Render("y") + " " + lang.Text("accept") + "  " + term.Key.Render("n") + " " + lang.Text("decline") + "  "
	if m.typingMode() != widget.NoText {
		how = lang.Text("%s to answer", term.Key.Render(lang.Text("esc"))) + "  "
	}
	who := term.Warn.Render(lang.Text("%s challenges you:", strings.TrimSpace(m.env.NameWithKind(c.From)+" "+c.From.Rating(c.Rules)))) + " " + m.env.OfferText(c.Rules, c.RatingMode)
	left := how + narrate.TimeLeft(lang, time.Until(c.Expires))
	// The keys matter most.
	if text.Width(who)+2+text.Width(left) > m.width {
		return left + "  " + who
	}
	return who + "  " + left
}

// bodyHeight returns the body's height below a title line and above the given banner.
func (m *Model) bodyHeight(banner string) int {
	if banner != "" {
		return m.height - 4
	}
	return m.height - 3
}

// firstVisibleLine returns the index of the first visible line of a body that does not fit.
// It follows the player's scrolling but always includes the selected line.
func (r *router) firstVisibleLine(body []string, room int) int {
	r.scroll = max(0, min(r.scroll, len(body)-room))
	at := r.scroll
	if r.help {
		return at
	}
	for i, l := range body {
		if strings.Contains(l, "► ") || strings.Contains(l, "▸ ") {
			at = max(min(at, i), i-room+1)
		}
	}
	return at
}
