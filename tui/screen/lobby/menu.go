package lobby

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby/session"
	"broadside/tui/play"
	"broadside/tui/screen"
	"broadside/tui/widget"
)

var keys = struct{ open, move, next, previous key.Binding }{
	open: widget.Bind("enter", "open", "enter space"), move: widget.Bind("↑↓←→ hjkl", "choose", "up down left right h j k l"),
	next:     widget.Bind("tab", "next block", "tab"),
	previous: widget.Bind("tab", "next block", "shift+tab"),
}

// Keys of menu items that are also in the bottom bar.
var (
	continueKey = widget.Bind("x", "continue", "x")
	chatKey     = widget.Bind("t", "chat", "t")
	leaveKey    = widget.Bind("q", "leave", "q")
)

// menuItem is an item with its own key. It is in a block if it has a label.
type menuItem struct {
	key   key.Binding
	block blockName
	label i18n.Key
	note  func(s *lobbyScreen) string // nil: none
	open  func(s *lobbyScreen) tea.Cmd
}

// menu lists the items with keys. Each new screen needs an entry.
var menu = []menuItem{
	{widget.Bind("p", "play", "p"), playBlock, "Play now", waiting, (*lobbyScreen).play},
	{widget.Bind("o", "opponents", "o"), playBlock, "Opponents", about("people, programs"), opens(screen.NewOpponents)},
	{widget.Bind("b", "play a bot", "b"), playBlock, "Play a bot", botNames, func(s *lobbyScreen) tea.Cmd { return screen.OpenBots(s.Env) }},
	{widget.Bind("m", "private match", "m"), playBlock, "Private match", about("with a code"), opens(screen.NewPrivate)},
	{widget.Bind("H", "hot seat", "H"), playBlock, "Hot seat", about("two people here"), opens(screen.NewHotSeat)},
	{widget.Bind("d", "daily sea", "d"), playBlock, "Daily sea", about("one fleet a day"), opens(play.NewDaily)},
	{widget.Bind("w", "watch", "w"), playBlock, "Watch", watchable, func(s *lobbyScreen) tea.Cmd { return s.Open(screen.NewMatchList(s.Env, "")) }},
	{widget.Bind("i", "tutorial", "i"), playBlock, "Tutorial", about("two minutes"), opens(play.NewTutorial)},
	{widget.Bind("r", "rules", "r"), playBlock, "Rules", rulesName, func(s *lobbyScreen) tea.Cmd { return screen.NextRules(s.Env) }},
	{widget.Bind("c", "clock", "c"), playBlock, "Clock", clockName, func(s *lobbyScreen) tea.Cmd { return screen.NextClock(s.Env) }},

	{widget.Bind("L", "leaderboard", "L"), youBlock, "Leaderboard", about("ratings, profiles"), func(s *lobbyScreen) tea.Cmd { return screen.OpenIfStored(s.Env, screen.NewLeaderboard(s.Env)) }},
	{widget.Bind("g", "history", "g"), youBlock, "History", about("results, replays"), (*lobbyScreen).openHistory},
	{widget.Bind("f", "friends", "f"), youBlock, "Friends", friendsLine, opens(screen.NewFriends)},
	{widget.Bind("s", "settings", "s"), youBlock, "Settings", settingsLine, opens(screen.NewSettings)},
	{widget.Bind("a", "account", "a"), youBlock, "Account", accountLine, opens(screen.NewAccount)},
	{widget.Bind("C", "tournaments", "C"), youBlock, "Tournaments", about("compete"), opens(screen.NewTournaments)},
	{widget.Bind("P", "ladder", "P"), youBlock, "Programs", nil, func(s *lobbyScreen) tea.Cmd { return screen.OpenIfStored(s.Env, screen.NewLadder(s.Env)) }},

	{chatKey, blockCount, "", nil, opens(screen.NewChat)},
	{continueKey, blockCount, "", nil, (*lobbyScreen).continueMatch},
	{leaveKey, blockCount, "", nil, func(*lobbyScreen) tea.Cmd { return tea.Quit }},
}

// halves are the items that share a line with the one before them, where space is short.
const (
	clockItem = "c"
	rulesItem = "r"
)

func about(text i18n.Key) func(*lobbyScreen) string {
	return func(s *lobbyScreen) string { return s.Lang.Text(text) }
}

func opens(screen func(*widget.Env) widget.Screen) func(*lobbyScreen) tea.Cmd {
	return func(s *lobbyScreen) tea.Cmd { return s.Open(screen(s.Env)) }
}

// play looks for the next available opponent.
func (s *lobbyScreen) play() tea.Cmd {
	return screen.Play(s.Env, "", s.Settings.Rules, s.Settings.Stakes())
}

func (s *lobbyScreen) openHistory() tea.Cmd {
	return screen.OpenIfStored(s.Env, screen.NewHistory(s.Env, s.State.Me.Account, s.State.Me.Name))
}

func (s *lobbyScreen) continueMatch() tea.Cmd {
	screen.Continue(s.Env)
	return nil
}

// waiting returns the number of players waiting for any opponent, as text.
func waiting(s *lobbyScreen) string {
	n := 0
	for i := range s.Lobby.Waiting {
		if s.Lobby.Waiting[i].Player.ID != s.State.Me.ID {
			n++
		}
	}
	if n == 0 {
		return s.Lang.Text("next opponent")
	}
	return s.Lang.Text("%d waiting||%d waiting", n)
}

func rulesName(s *lobbyScreen) string { return s.Settings.Rules.Name }

func clockName(s *lobbyScreen) string {
	if c := s.Settings.Rules.Clock; c > 0 {
		return narrate.Clock(c)
	}
	return s.Lang.Text("off")
}

// settingsLine returns a summary of the settings.
func settingsLine(s *lobbyScreen) string {
	if s.Settings.DoNotDisturb {
		return s.Lang.Text("do not disturb")
	}
	return s.Lang.Text("display, language")
}

// watchable returns the number of matches to watch, as text.
func watchable(s *lobbyScreen) string {
	if n := len(screen.Matches(s.Lobby)); n > 1 || len(s.Lobby.Running) > 0 {
		return s.Lang.Text("%d match||%d matches", n)
	}
	return s.Lang.Text("two bots")
}

// accountLine returns a summary of the account.
func accountLine(s *lobbyScreen) string {
	if s.State.Me.Account == "" {
		return s.Lang.Text("you are a guest")
	}
	return s.Lang.Text("name and keys")
}

// friendsLine returns how many friends are online, as text.
func friendsLine(s *lobbyScreen) string {
	if len(s.Friends) == 0 {
		return s.Lang.Text("players you follow")
	}
	return s.Lang.Text("%d of %d online", len(screen.OnlineFriends(s.Env, s.Friends)), len(s.Friends))
}

// botNames returns the names of the weakest and the strongest bot.
func botNames(s *lobbyScreen) string {
	all := session.ListBots(s.Settings.Rules)
	if len(all) == 0 {
		return s.Lang.Text("none available")
	}
	return s.Lang.Text("%s to %s", narrate.BotName(s.Lang, all[0].Name), all[len(all)-1].Name)
}

// watch opens a match.
func watch(id string) func(*lobbyScreen) tea.Cmd {
	return func(s *lobbyScreen) tea.Cmd { return s.Open(screen.NewWatch(s.Env, id)) }
}

// accept accepts an open offer.
func accept(offer int) func(*lobbyScreen) tea.Cmd {
	return func(s *lobbyScreen) tea.Cmd {
		s.Check(s.Session.Accept(offer))
		return nil
	}
}
