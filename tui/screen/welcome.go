package screen

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/tui/play"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// welcome is the first screen of a newcomer. Enter starts a quick game.
type welcome struct {
	*widget.Env
	items     []welcomeItem
	at        int             // index of the selected item
	continues lobby.Occupancy // whether the player has a match to continue
	opponent  string          // name of the opponent in that match
}

// NewWelcome returns the first screen of a player without an account.
func NewWelcome(env *widget.Env) widget.Screen {
	s := &welcome{Env: env, continues: env.Occupancy()}
	s.update()
	return s
}

// update updates the items and the opponent.
func (s *welcome) update() {
	s.items, s.opponent = welcomeItems, ""
	if !s.MayRegister() {
		s.items = guestItems
	}
	if s.continues == lobby.NoSeat {
		return
	}
	s.items = append([]welcomeItem{continueItem}, s.items...)
	if r := s.OwnMatch(); r != nil {
		other := r.Players[0]
		if other.ID == s.State.Me.ID {
			other = r.Players[1]
		}
		s.opponent = s.PlayerName(other)
	}
}

// lookForMatch updates whether there is a match to continue.
func (s *welcome) lookForMatch() {
	before := s.continues
	if before != lobby.NoSeat || s.OwnMatch() != nil {
		s.continues = s.Occupancy()
	}
	if (s.continues == lobby.NoSeat) != (before == lobby.NoSeat) {
		s.at = 0
	}
	s.update()
}

// welcomeItem is an item of the first screen.
type welcomeItem struct {
	key         key.Binding
	label, note i18n.Key
	open        func(*widget.Env) tea.Cmd
}

// The items of the first screen, for players with and without a key. The first one is selected.
var (
	welcomeItems = []welcomeItem{quickItem, learnItem,
		{widget.Bind("n", "name", "n"), "Choose a name", "keeps your rating and matches", func(env *widget.Env) tea.Cmd { return env.Open(NewIntro(env)) }},
		{widget.Bind("a", "account", "a"), "I have an account", "link this key to it", func(env *widget.Env) tea.Cmd { return env.Open(newLink(env)) }},
		lookItem,
	}
	guestItems = []welcomeItem{quickItem, learnItem, lookItem}

	continueItem = welcomeItem{widget.Bind("x", "continue", "x"), "Continue your match", "", func(env *widget.Env) tea.Cmd { Continue(env); return nil }}
	quickItem    = welcomeItem{widget.Bind("p", "quick game", "p"), "Quick game", "an easy bot, your fleet already placed", quickGame}
	learnItem    = welcomeItem{widget.Bind("i", "learn", "i"), "Tutorial", "two ships, two minutes", func(env *widget.Env) tea.Cmd { return env.Open(play.NewTutorial(env)) }}
	lookItem     = welcomeItem{widget.Bind("l", "lobby", "l q"), "Look around", "the lobby, live matches, players", func(env *widget.Env) tea.Cmd { return env.Begin("") }}
)

var welcomeOpen = widget.Bind("enter", "play", "enter space")

// quickGame starts a match in which the player can fire at once.
func quickGame(env *widget.Env) tea.Cmd {
	env.Check(env.Session.QuickGame(env.Settings.Rules))
	return nil
}

func (s *welcome) Update(msg tea.Msg) tea.Cmd {
	if p, ok := msg.(widget.Pick); ok && p.Item <= len(s.items) {
		s.at = p.Item - 1
		return s.items[s.at].open(s.Env)
	}
	if u, ok := msg.(session.Update); ok && u.Kind == session.LobbyChanged {
		s.lookForMatch()
	}
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	if s.at, ok = widget.Step(press, s.at, len(s.items)); ok {
		return nil
	}
	if key.Matches(press, welcomeOpen) {
		return s.items[s.at].open(s.Env)
	}
	for i := range s.items {
		if item := &s.items[i]; key.Matches(press, item.key) {
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

func (s *welcome) View(size widget.Size) widget.View {
	wide := size.Width >= 80 && size.Height >= 24 && s.Detail > term.Letters
	height := welcomeHeight
	if s.continues != lobby.NoSeat {
		height++
	}
	width := min(size.Width, welcomeWidth)
	if !wide {
		height = size.Body
	}
	block := s.block(width, height).Draw(width, height)
	if !wide {
		return widget.View{Lines: block}
	}
	lines := text.StartScene(size.Width, size.Height-2, s.Lang.Text("Battleship over SSH"), block, s.Detail)
	return widget.View{Header: lines[:1], Lines: lines[1:], Width: size.Width}
}

// block returns the items and some advice for the first match.
func (s *welcome) block(width, height int) widget.Block {
	b := widget.Block{Title: s.Lang.Text("Welcome aboard"), Note: s.Lang.Text("no password, no sign-up"), Focused: true}
	b.Rows = make([]widget.Row, 0, welcomeHeight)
	if width >= welcomeWidth {
		about := s.Lang.Text("Your SSH key can keep a name for you, if you choose one.")
		if !s.MayRegister() {
			about = s.Lang.Text("You are a guest") + ". " + s.Lang.Text("Your matches are not rated, and your name is not kept.")
		}
		b.Rows = append(append(b.Rows, widget.Paragraph(about, term.Faint, width)...), widget.Row{})
	}
	for i := range s.items {
		item := &s.items[i]
		row := widget.Row{Text: s.Lang.Text(item.label), Key: item.key.Help().Key, Item: i + 1, Selected: i == s.at}
		if item.note != "" {
			row.Note = s.Lang.Text(item.note)
		} else if s.opponent != "" {
			row.Note = s.Lang.Text("against %s", s.opponent)
		}
		if row.Selected {
			row.Key = s.Lang.Label(welcomeOpen.Help().Key)
		}
		b.Rows = append(b.Rows, row)
	}
	b.Rows = append(b.Rows, widget.Row{})
	b.Rows = append(b.Rows, widget.Paragraph(s.Lang.Text("Arrows aim, enter fires. Sink all five ships to win."), term.Plain, width)...)
	if !s.Settings.NoMouse && height-1 > len(b.Rows) {
		b.Rows = append(b.Rows, widget.Paragraph(s.Lang.Text("The mouse works, too: click a cell, and click it again to fire."), term.Faint, width)...)
	}
	return b
}

// Actions implements [widget.Screen].
func (s *welcome) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *welcome) Bindings() []key.Binding {
	return []key.Binding{widget.Enter(s.items[s.at].key), widget.Choose, widget.Help, widget.Leave}
}

// Keys implements [widget.Manual].
func (s *welcome) Keys() []widget.Action { return widget.Hints(s.keys()) }

func (s *welcome) keys() []key.Binding {
	all := s.Bindings()
	for i := range s.items {
		all = append(all, s.items[i].key)
	}
	return all
}
