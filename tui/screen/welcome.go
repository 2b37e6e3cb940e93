package screen

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/internal/term"
	"broadside/tui/component"
	"broadside/tui/format"
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

func (s *welcome) View(size component.Size) component.View {
	width := min(size.Width-2, 64)
	lines := []string{"", term.Strong.Render(format.Pad(s.Lang.Text("welcome-aboard"), width)), ""}
	var zones []component.Zone
	for i := range welcomeItems {
		item := &welcomeItems[i]
		label, name := mark(i == s.at)+s.Lang.Text(item.label), item.key.Help().Key
		note := s.Lang.Text(item.note)
		if format.Width(label)+format.Width(note)+6 > width {
			note = ""
		}
		label = format.Pad(label, width-format.Width(note)-3)
		line := label + term.Faint.Render(note) + "  " + term.Key.Render(name)
		if i == s.at {
			line = term.Strong.Render(label + note + "  " + name)
		}
		zones = append(zones, component.Zone{Line: len(lines), Left: max(0, (size.Width-width)/2), Width: width, Key: item.key.Keys()[0]})
		lines = append(lines, line)
	}
	lines = append(lines, "", term.Faint.Render(format.Pad(s.Lang.Text("arrows-aim-enter-fires"), width)))
	return component.View{Lines: format.Middle(size.Width, lines...), Zones: zones}
}

func (s *welcome) Bindings() []key.Binding {
	bindings := []key.Binding{welcomeKeys.open, welcomeKeys.next}
	for i := range welcomeItems {
		bindings = append(bindings, welcomeItems[i].key)
	}
	return append(bindings, component.Help, component.Leave)
}
