package lobby

import (
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby/session"
	"broadside/tui/play"
	"broadside/tui/screen"
	"broadside/tui/widget"
)

// menuItem is an item with its own keys. It is in a block if it has a title.
type menuItem struct {
	keys  widget.Keys
	does  i18n.Key // label of the action
	block blockName
	title i18n.Key
	note  func(s *lobbyScreen) string // nil: none
	open  func(s *lobbyScreen) tea.Cmd
}

// menu lists the items with keys. Each new screen needs an entry.
var menu = []menuItem{
	{"p", "play", playBlock, "Play now", waiting, func(s *lobbyScreen) tea.Cmd {
		return screen.Play(s.Env, "", s.Settings.Rules, s.Settings.Stakes())
	}},
	{"n", "new match", playBlock, "New match", func(s *lobbyScreen) string { return s.Settings.Rules.Name }, opens(screen.NewMatch)},
	{"b", "play a bot", playBlock, "Play a bot", botNames, func(s *lobbyScreen) tea.Cmd { return screen.OpenBots(s.Env) }},
	{"m", "private match", playBlock, "Private match", about("with a code"), opens(screen.NewPrivate)},
	{"H", "hot seat", playBlock, "Hot seat", about("two people here"), opens(screen.NewHotSeat)},
	{"w", "watch", playBlock, "Watch", watchable, func(s *lobbyScreen) tea.Cmd { return s.Open(screen.NewMatchList(s.Env, "")) }},
	{"i", "tutorial", playBlock, "Tutorial", about("two minutes"), opens(play.NewTutorial)},

	{"o", "people##screen", youBlock, "People##screen", friendsLine, people(false)},
	{"L", "rankings", youBlock, "Rankings", about("daily sea"), ranking(screen.Players)},
	{"g", "history", youBlock, "History", about("results, replays"), func(s *lobbyScreen) tea.Cmd {
		return s.Open(screen.NewHistory(s.Env, s.State.Me.Account, s.State.Me.Name))
	}},
	{"s", "settings", youBlock, "Settings", settingsLine, opens(screen.NewSettings)},
	{"a", "account", youBlock, "Account", accountLine, opens(screen.NewAccount)},

	{"f", "friends", blockCount, "", nil, people(true)},
	{"P", "ladder", blockCount, "", nil, ranking(screen.Programs)},
	{"C", "tournaments", blockCount, "", nil, ranking(screen.Tournaments)},
	{"d", "daily sea", blockCount, "", nil, ranking(screen.DailySea)},
}

func about(text i18n.Key) func(*lobbyScreen) string {
	return func(s *lobbyScreen) string { return s.Lang.Text(text) }
}

func ranking(tab screen.Ranking) func(*lobbyScreen) tea.Cmd {
	return func(s *lobbyScreen) tea.Cmd { return s.Open(screen.NewRankings(s.Env, tab)) }
}

func people(followed bool) func(*lobbyScreen) tea.Cmd {
	return func(s *lobbyScreen) tea.Cmd { return s.Open(screen.NewPeople(s.Env, followed)) }
}

func opens(screen func(*widget.Env) widget.Screen) func(*lobbyScreen) tea.Cmd {
	return func(s *lobbyScreen) tea.Cmd { return s.Open(screen(s.Env)) }
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

// settingsLine returns a summary of the settings.
func settingsLine(s *lobbyScreen) string {
	if s.Settings.DoNotDisturb {
		return s.Lang.Text("do not disturb")
	}
	return s.Lang.Text("display, language")
}

// watchable returns the number of matches to watch, as text.
func watchable(s *lobbyScreen) string {
	n := len(screen.Matches(s.Lobby))
	if n > 1 || len(s.Lobby.Running) > 0 {
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
		s.CheckAction(s.Session.AcceptOffer(offer))
		return nil
	}
}
