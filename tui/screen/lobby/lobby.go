// Package lobby has the first screen of most sessions. It has three blocks: what to play,
// the players and live matches, and the player. A fourth one, above them, has the correspondence
// matches that wait for the player, if there are any.
package lobby

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/tui/screen"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// lobbyScreen is the screen. Its highlight is in one of the blocks.
type lobbyScreen struct {
	*widget.Env
	// occupancy says whether the player has a match to continue.
	occupancy lobby.Occupancy
	// revision is that of the account when the friends were read.
	revision int
	// focus is the block with the highlight.
	focus widget.Tabs
	lists [blockCount]widget.List[item]
	// opened is when the screen was created, and showsTurns is set while it has the block of turns.
	opened     time.Time
	showsTurns bool
}

// blockName identifies a block of the lobby.
type blockName int

// The blocks in the order of the tab key.
const (
	turnBlock blockName = iota
	playBlock
	peopleBlock
	youBlock
	blockCount
)

// item is something in a block that can be opened.
type item struct {
	// id stays the same while the lobby changes.
	id string
	// label says what enter does.
	label i18n.Key
	open  func(s *lobbyScreen) tea.Cmd
}

// New returns the lobby screen.
func New(env *widget.Env) widget.Screen {
	s := &lobbyScreen{Env: env, occupancy: env.Session.Occupancy(), opened: time.Now()}
	s.focus.Titles = []i18n.Key{turnBlock: "Your turn", playBlock: "Play", peopleBlock: "Live", youBlock: "You"}
	for i := range s.lists {
		s.lists[i].ID = func(it item) string { return it.id }
		s.lists[i].Open = func(it item) tea.Cmd { return it.open(s) }
	}
	return s
}

// profileDelay is the time until the lobby reads the player's profile, so that players who leave the lobby
// immediately do not cost a query.
const profileDelay = 200 * time.Millisecond

// Init implements [widget.Initializer]. It reads the player's ratings, results, friends and turns.
func (s *lobbyScreen) Init() tea.Cmd {
	s.revision = s.State.AccountRevision
	if s.State.Me.Account == "" || !s.Session.State().HasStore {
		s.Profile, s.Friends = nil, nil
		return s.ReadTurns()
	}
	me := s.State.Me.Account
	return widget.RunAfter(s.Ctx, profileDelay, func() tea.Cmd {
		profile := func(ctx context.Context) (account.Profile, error) { return s.Session.Profile(ctx, me, true) }
		return tea.Batch(s.ReadTurns(), widget.Query(s.Env, profile, func(p account.Profile, err error) tea.Cmd {
			if err == nil {
				s.Profile = &p
			}
			return nil
		}), widget.Query(s.Env, s.Session.Friends, func(friends []session.Friend, err error) tea.Cmd {
			if err == nil {
				s.Friends = friends
			}
			return nil
		}))
	})
}

// Subject implements [widget.Subject].
func (s *lobbyScreen) Subject() any { return s.occupancy }

// WatchTarget keeps the featured match running while the player is not idle.
func (s *lobbyScreen) WatchTarget() widget.WatchTarget { return screen.FeaturedTarget(s.Env) }

// focusedList returns the highlighted block's list.
func (s *lobbyScreen) focusedList() *widget.List[item] { return &s.lists[s.focus.Selected] }

func (s *lobbyScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		_, moves := widget.MoveInList(msg, 0, 0)
		if !moves {
			s.Notice = s.Lang.Text("Press p to play, b to play a bot, w to watch, ? for all keys, q to leave.")
			return nil
		}
		return s.focusedList().Update(msg)
	case widget.Pick:
		if s.focus.HandlePick(msg) {
			return nil
		}
		s.focus.Selected = (msg.Item - 1) / itemsPerBlock
		return s.focusedList().Update(widget.Pick{Item: (msg.Item-1)%itemsPerBlock + 1})
	case session.Update:
		if msg.Kind == session.LobbyChanged {
			s.occupancy = s.Session.Occupancy()
			if s.revision != s.State.AccountRevision {
				return s.Init()
			}
		}
	}
	return nil
}

// Banner implements [widget.BannerScreen]. It offers to continue a match.
func (s *lobbyScreen) Banner(width int) string {
	if s.occupancy == lobby.NoSeat {
		return ""
	}
	x := term.Key.Render("x")
	wide := s.Lang.Text("Your match is waiting: press %s to continue it.", x)
	if s.occupancy == lobby.UsedSeat {
		wide = s.Lang.Text("You have a match in another session: press %s to continue it here.", x)
	}
	return text.FirstFitting(width, term.Warn.Render(wide), x+" "+s.Lang.Text("continue your match"))
}

// AnswerBanner implements [widget.BannerScreen]. The menu handles the key.
func (s *lobbyScreen) AnswerBanner(string) bool { return false }

// Actions implements [widget.Screen].
func (s *lobbyScreen) Actions() []widget.Action {
	selected, _ := s.focusedList().Selected()
	step := func(by int) func() tea.Cmd { return widget.NoCommand(func() { s.focus.Step(by) }) }
	actions := append([]widget.Action{
		{Keys: "x", Label: "continue", Off: s.occupancy == lobby.NoSeat, Do: s.continueMatch},
		{Keys: "x", Do: s.continueMatch},
		{Keys: "enter space", Off: !s.focusedList().IsSelectionLost(), Do: widget.NoCommand(func() { s.Notice = s.Lang.Text("That player left: choose another.") })},
	}, s.focusedList().Actions(selected.label)...)
	actions = append(actions, []widget.Action{
		{Keys: "tab right l", Label: "next block", Do: step(1)},
		{Keys: "shift+tab left h", Do: step(-1)},
		{Keys: "t", Label: "chat", Do: func() tea.Cmd { return s.Nav.Open(screen.NewChat(s.Env)) }},
		widget.HelpHint,
		{Keys: "q", Label: "leave", Do: func() tea.Cmd { return tea.Quit }},
	}...)
	for _, m := range menu {
		actions = append(actions, widget.Action{Keys: m.keys, Do: func() tea.Cmd { return m.open(s) }})
	}
	return actions
}

// MenuKeys returns the keys of the lobby's menu.
func MenuKeys() (keys []widget.Action) {
	for _, m := range menu {
		keys = append(keys, widget.Action{Keys: m.keys, Label: m.label})
	}
	return keys
}
