package screen

import (
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/tui/play"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// welcomeScreen is the first screen of a newcomer. Enter starts a quick game.
type welcomeScreen struct {
	*widget.Env
	items []welcomeItem
	index int
	// occupancy says whether the player has a match to continue, and opponent against whom.
	occupancy lobby.Occupancy
	opponent  string
}

// NewWelcome returns the first screen of a player without an account.
func NewWelcome(env *widget.Env) widget.Screen {
	s := &welcomeScreen{Env: env, occupancy: env.Session.Occupancy()}
	s.updateItems()
	return s
}

// updateItems updates the items and the opponent.
func (s *welcomeScreen) updateItems() {
	s.items, s.opponent = welcomeItems, ""
	if !s.CanRegister() {
		s.items = guestItems
	}
	if s.occupancy == lobby.NoSeat {
		return
	}
	s.items = append([]welcomeItem{continueItem}, s.items...)
	r := s.OwnMatch()
	if r != nil {
		other := r.Players[0]
		if other.ID == s.State.Me.ID {
			other = r.Players[1]
		}
		s.opponent = s.NameWithKind(other)
	}
}

// welcomeItem is an item of the first screen.
type welcomeItem struct {
	keys        widget.Keys
	label       i18n.Key
	title, note i18n.Key
	open        func(*widget.Env) tea.Cmd
}

// The first screen's items, for players with and without a key. The first one is selected.
var (
	welcomeItems = []welcomeItem{quickItem, learnItem,
		{"n", "name", "Choose a name", "keeps your rating and matches", func(env *widget.Env) tea.Cmd { return env.Nav.Open(NewIntro(env)) }},
		{"a", "account", "I have an account", "link this key to it", func(env *widget.Env) tea.Cmd { return env.Nav.Open(newLinkScreen(env)) }},
		lookItem,
	}
	guestItems = []welcomeItem{quickItem, learnItem, lookItem}

	continueItem = welcomeItem{"x", "continue", "Continue your match", "", func(env *widget.Env) tea.Cmd { ContinueMatch(env); return nil }}
	quickItem    = welcomeItem{"p", "quick game", "Quick game", "an easy bot, your fleet already placed", func(env *widget.Env) tea.Cmd {
		env.CheckAction(env.Session.StartQuickGame(env.Settings.Rules))
		return nil
	}}
	learnItem = welcomeItem{"i", "learn", "Tutorial", "two ships, two minutes", func(env *widget.Env) tea.Cmd { return env.Nav.Open(play.NewTutorial(env)) }}
	lookItem  = welcomeItem{"l q", "lobby", "Look around", "the lobby, live matches, players", func(env *widget.Env) tea.Cmd { return env.Nav.OpenStart("") }}
)

func (s *welcomeScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.Pick:
		if msg.Item <= len(s.items) {
			s.index = msg.Item - 1
			return s.items[s.index].open(s.Env)
		}
	case session.Update:
		if msg.Kind == session.LobbyChanged {
			before := s.occupancy
			s.occupancy = s.Session.Occupancy()
			if (s.occupancy == lobby.NoSeat) != (before == lobby.NoSeat) {
				s.index = 0
			}
			s.updateItems()
		}
	case tea.KeyPressMsg:
		s.index = widget.MoveInMenu(msg, s.index, len(s.items))
	}
	return nil
}

// Actions implements [widget.Screen].
func (s *welcomeScreen) Actions() []widget.Action {
	open := func(i int) func() tea.Cmd {
		return func() tea.Cmd {
			s.index = i
			return s.items[i].open(s.Env)
		}
	}
	actions := []widget.Action{
		{Keys: "enter space", Label: s.items[s.index].label, Do: open(s.index)}, widget.ChooseHint, widget.HelpHint, widget.LeaveHint,
	}
	for i, item := range s.items {
		actions = append(actions, widget.Action{Keys: item.keys, Do: open(i)})
	}
	return actions
}

// Keys implements [widget.Manual]. The bottom bar does not repeat the items' keys.
func (s *welcomeScreen) Keys() []widget.Action {
	all := s.Actions()
	for _, item := range s.items {
		all = append(all, widget.Action{Keys: item.keys, Label: item.label})
	}
	return all
}

// The size of the block on the first screen.
const (
	welcomeWidth  = 68
	welcomeHeight = 12
)

func (s *welcomeScreen) View(size widget.Size) widget.View {
	wide := size.Width >= 80 && size.Height >= 24 && s.Detail > term.Letters
	height := welcomeHeight
	if s.occupancy != lobby.NoSeat {
		height++
	}
	width := min(size.Width, welcomeWidth)
	if !wide {
		height = size.Body
	}
	block := s.buildBlock(width, height).Draw(width, height)
	if !wide {
		return widget.View{Lines: block}
	}
	lines := text.StartScene(size.Width, size.Height-2, s.Lang.Text("Battleship over SSH"), block, s.Detail)
	return widget.View{Header: lines[:1], Lines: lines[1:], Width: size.Width}
}

// buildBlock returns the items and some advice for the first match.
func (s *welcomeScreen) buildBlock(width, height int) widget.Block {
	b := widget.Block{Title: s.Lang.Text("Welcome aboard"), Note: s.Lang.Text("no sign-up"), Focused: true}
	b.Rows = make([]widget.Row, 0, welcomeHeight)
	if width >= welcomeWidth {
		about := s.Lang.Text("Your SSH key can keep a name for you, if you choose one.")
		if !s.CanRegister() {
			about = s.Lang.Text("You are a guest") + ". " + s.Lang.Text("Your matches aren't rated, and your name isn't saved.")
		}
		b.Rows = append(append(b.Rows, widget.ParagraphRows(about, term.Faint, width)...), widget.Row{})
	}
	for i := range s.items {
		item := &s.items[i]
		row := widget.Row{Text: s.Lang.Text(item.title), Key: string(item.keys[:1]), Item: i + 1, Selected: i == s.index}
		if item.note != "" {
			row.Note = s.Lang.Text(item.note)
		} else if s.opponent != "" {
			row.Note = s.Lang.Text("against %s", s.opponent)
		}
		if row.Selected {
			row.Key = s.Lang.Text("enter")
		}
		b.Rows = append(b.Rows, row)
	}
	b.Rows = append(b.Rows, widget.Row{})
	b.Rows = append(b.Rows, widget.ParagraphRows(s.Lang.Text("Arrows aim, enter fires. Sink all five ships to win."), term.Plain, width)...)
	if !s.Settings.NoMouse && height-1 > len(b.Rows) {
		b.Rows = append(b.Rows, widget.ParagraphRows(s.Lang.Text("The mouse works, too: click a cell, and click it again to fire."), term.Faint, width)...)
	}
	return b
}
