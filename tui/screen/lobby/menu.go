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
	label i18n.Key
	block blockName
	title i18n.Key
	// note may be nil.
	note func(s *lobbyScreen) string
	open func(s *lobbyScreen) tea.Cmd
}

// menu lists the items with keys. Each new screen needs an entry.
var menu = []menuItem{
	{"p", "play", playBlock, "Play now", waitingText, func(s *lobbyScreen) tea.Cmd {
		return screen.StartMatch(s.Env, "", s.Settings.Rules, s.Settings.RatingMode())
	}},
	{"n", "new match", playBlock, "New match", func(s *lobbyScreen) string { return s.Settings.Rules.Name }, openScreen(screen.NewMatch)},
	{"c", "correspondence", playBlock, "Correspondence", turnsText, openScreen(screen.NewCorrespondence)},
	{"b", "play a bot", playBlock, "Play a bot", botRangeText, func(s *lobbyScreen) tea.Cmd { return screen.OpenBots(s.Env) }},
	{"m", "private match", playBlock, "Private match", describe("with a code"), openScreen(screen.NewPrivate)},
	{"H", "hot seat", playBlock, "Hot seat", describe("two players here"), openScreen(screen.NewHotSeat)},
	{"w", "watch", playBlock, "Watch", watchableText, func(s *lobbyScreen) tea.Cmd { return s.Nav.Open(screen.NewMatchList(s.Env, "")) }},
	{"z", "puzzles", playBlock, "Puzzles", describe("find the best shot"), openScreen(play.NewPuzzles)},
	{"i", "tutorial", playBlock, "Tutorial", describe("two minutes"), openScreen(play.NewTutorial)},

	{"o", "people##screen", youBlock, "People##screen", friendsText, openPeople(false)},
	{"L", "rankings", youBlock, "Rankings", describe("daily sea"), openRankings(screen.Players)},
	{"g", "history", youBlock, "History", describe("results, replays"), func(s *lobbyScreen) tea.Cmd {
		return s.Nav.Open(screen.NewHistory(s.Env, s.State.Me.Account, s.State.Me.Name))
	}},
	{"s", "settings", youBlock, "Settings", settingsText, openScreen(screen.NewSettings)},
	{"a", "account", youBlock, "Account", accountText, openScreen(screen.NewAccount)},

	{"f", "friends", blockCount, "", nil, openPeople(true)},
	{"P", "ladder", blockCount, "", nil, openRankings(screen.Programs)},
	{"C", "tournaments", blockCount, "", nil, openRankings(screen.Tournaments)},
	{"d", "daily sea", blockCount, "", nil, openRankings(screen.DailySea)},
}

func describe(text i18n.Key) func(*lobbyScreen) string {
	return func(s *lobbyScreen) string { return s.Lang.Text(text) }
}

func openRankings(tab screen.Ranking) func(*lobbyScreen) tea.Cmd {
	return func(s *lobbyScreen) tea.Cmd { return s.Nav.Open(screen.NewRankings(s.Env, tab)) }
}

func openPeople(followed bool) func(*lobbyScreen) tea.Cmd {
	return func(s *lobbyScreen) tea.Cmd { return s.Nav.Open(screen.NewPeople(s.Env, followed)) }
}

func openScreen(screen func(*widget.Env) widget.Screen) func(*lobbyScreen) tea.Cmd {
	return func(s *lobbyScreen) tea.Cmd { return s.Nav.Open(screen(s.Env)) }
}

func (s *lobbyScreen) continueMatch() tea.Cmd {
	screen.ContinueMatch(s.Env)
	return nil
}

// waitingText returns the number of players waiting for any opponent, as text.
func waitingText(s *lobbyScreen) string {
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

// turnsText returns how many correspondence matches the player has, as text.
func turnsText(s *lobbyScreen) string {
	if len(s.Turns.Matches) == 0 {
		return s.Lang.Text("1 to 7 days")
	}
	return s.Lang.Text("%d match||%d matches", len(s.Turns.Matches))
}

// settingsText returns a summary of the settings.
func settingsText(s *lobbyScreen) string {
	if s.Settings.DoNotDisturb {
		return s.Lang.Text("do not disturb")
	}
	return s.Lang.Text("display, language")
}

// watchableText returns the number of matches to watch, as text.
func watchableText(s *lobbyScreen) string {
	n := len(screen.WatchableMatches(s.Lobby))
	if n > 1 || len(s.Lobby.Running) > 0 {
		return s.Lang.Text("%d match||%d matches", n)
	}
	return s.Lang.Text("two bots")
}

// accountText returns a summary of the account.
func accountText(s *lobbyScreen) string {
	if s.State.Me.Account == "" {
		return s.Lang.Text("you are a guest")
	}
	return s.Lang.Text("name and keys")
}

// friendsText returns how many friends are online, as text.
func friendsText(s *lobbyScreen) string {
	if len(s.Friends) == 0 {
		return s.Lang.Text("players you follow")
	}
	return s.Lang.Text("%d of %d online", len(screen.OnlineFriends(s.Env, s.Friends)), len(s.Friends))
}

// botRangeText returns the names of the weakest and the strongest bot.
func botRangeText(s *lobbyScreen) string {
	all := session.ListBots(s.Settings.Rules)
	if len(all) == 0 {
		return s.Lang.Text("none available")
	}
	return s.Lang.Text("%s to %s", narrate.BotName(s.Lang, all[0].Name), all[len(all)-1].Name)
}

// openMatch opens a match.
func openMatch(id string) func(*lobbyScreen) tea.Cmd {
	return func(s *lobbyScreen) tea.Cmd { return s.Nav.Open(screen.NewWatch(s.Env, id)) }
}

// acceptOffer accepts an open offer.
func acceptOffer(offer int) func(*lobbyScreen) tea.Cmd {
	return func(s *lobbyScreen) tea.Cmd {
		s.CheckAction(s.Session.AcceptOffer(offer))
		return nil
	}
}
