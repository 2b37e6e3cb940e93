package screen

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/internal/term"
	"broadside/tui/banner"
	"broadside/tui/component"
	"broadside/tui/play"
)

// welcome is the first screen of a player whose key is new. Enter starts a quick game.
type welcome struct {
	*component.Env
	at int // index of the selected item
}

// NewWelcome returns the first screen of a player whose key is new.
func NewWelcome(env *component.Env) component.Screen { return &welcome{Env: env} }

// welcomeItem is an item of the first screen.
type welcomeItem struct {
	key         key.Binding
	label, note i18n.Key
	open        func(*component.Env) tea.Cmd
}

// welcomeItems are the items of the first screen. The first one is selected.
var welcomeItems = []welcomeItem{
	{component.Bind("p", "quick-game", "p"), "quick-game-title", "an-easy-bot-your-fleet", QuickGame},
	{component.Bind("i", "learn", "i"), "learn-to-play", "two-ships-one-minute", func(env *component.Env) tea.Cmd { return env.Open(play.NewTutorial(env)) }},
	{component.Bind("n", "name", "n"), "choose-a-name", "keeps-your-rating-and-games", func(env *component.Env) tea.Cmd { return env.Open(NewIntro(env)) }},
	{component.Bind("a", "account", "a"), "i-have-an-account-title", "link-this-key-to-it", func(env *component.Env) tea.Cmd { return env.Open(NewLink(env)) }},
	{component.Bind("l", "lobby", "l esc q"), "look-around", "live-matches-and-people", func(env *component.Env) tea.Cmd { return env.Begin("") }},
}

var welcomeKeys = struct{ open, next, previous key.Binding }{
	open: component.Bind("enter", "play", "enter space"), next: component.Bind("↑↓", "choose", "down j tab"), previous: component.Bind("↑↓", "choose", "up k shift+tab"),
}

// QuickGame starts a match in which the player can fire at once.
func QuickGame(env *component.Env) tea.Cmd {
	env.Do(session.QuickGame{Rules: env.Settings.Rules})
	return nil
}

func (s *welcome) Update(msg tea.Msg) tea.Cmd {
	if p, ok := msg.(component.Pick); ok && p.Item <= len(welcomeItems) {
		s.at = p.Item - 1
		return welcomeItems[s.at].open(s.Env)
	}
	press, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
		return nil
	case key.Matches(press, welcomeKeys.open):
		return welcomeItems[s.at].open(s.Env)
	case key.Matches(press, welcomeKeys.next):
		s.at = component.Cycle(s.at, 1, len(welcomeItems))
	case key.Matches(press, welcomeKeys.previous):
		s.at = component.Cycle(s.at, -1, len(welcomeItems))
	}
	for i := range welcomeItems {
		if item := &welcomeItems[i]; key.Matches(press, item.key) {
			s.at = i
			return item.open(s.Env)
		}
	}
	return nil
}

// The size of the block on the first screen.
const (
	welcomeWidth  = 68
	welcomeHeight = 12
)

func (s *welcome) View(size component.Size) component.View {
	wide := size.Width >= 80 && size.Height >= 24 && s.Detail > term.Letters
	height := welcomeHeight
	width := min(size.Width, welcomeWidth)
	if !wide {
		height = size.Body
	}
	block := s.block(width, height).Draw(width, height)
	if !wide {
		return block.View()
	}
	scene := banner.NewScene(size.Width, size.Height-2, s.Lang.Text("battleship-over-ssh"), s.Detail)
	area := scene.Over(block, (size.Width-width)/2, scene.Free)
	zones := area.Within(-1, 0, 0, len(area.Lines))
	return component.View{Header: area.Lines[:1], Lines: area.Lines[1:], Zones: zones}
}

// block returns the items and what to know before a match.
func (s *welcome) block(width, height int) component.Block {
	b := component.Block{Title: s.Lang.Text("welcome-aboard"), Note: s.Lang.Text("no-password-no-sign-up"), Focused: true}
	if width >= welcomeWidth {
		b.Rows = append(b.Rows, component.Line(term.Faint.Render(s.Lang.Text("your-ssh-key-can-keep"))), component.Row{})
	}
	for i := range welcomeItems {
		item := &welcomeItems[i]
		row := component.Row{Text: s.Lang.Text(item.label), Note: s.Lang.Text(item.note), Key: item.key.Help().Key, Item: i + 1, Selected: i == s.at}
		if row.Selected {
			row.Key = s.Lang.Label(welcomeKeys.open.Help().Key)
		}
		b.Rows = append(b.Rows, row)
	}
	b.Rows = append(b.Rows, component.Row{})
	b.Rows = append(b.Rows, component.Paragraph(s.Lang.Text("arrows-aim-enter-fires"), term.Plain, width)...)
	if !s.Settings.NoMouse && height-1 > len(b.Rows) {
		b.Rows = append(b.Rows, component.Paragraph(s.Lang.Text("the-mouse-works-too"), term.Faint, width)...)
	}
	return b
}

func (s *welcome) Bindings() []key.Binding {
	return []key.Binding{component.Enter(welcomeItems[s.at].key), welcomeKeys.next, component.Help, component.Leave}
}

// Keys implements [component.Manual].
func (s *welcome) Keys() []key.Binding {
	all := s.Bindings()
	for i := range welcomeItems {
		all = append(all, welcomeItems[i].key)
	}
	return all
}
