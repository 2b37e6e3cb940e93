package screen

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/internal/term"
	"broadside/match"
	"broadside/tui/component"
	"broadside/tui/format"
	"broadside/tui/play"
)

// lobby is the first screen: a menu with the activity in the lobby beside it.
type lobby struct {
	*component.Env
	activity
	continues session.Occupancy // whether the player has a match to continue
}

// NewLobby returns the lobby screen.
func NewLobby(env *component.Env) component.Screen {
	return &lobby{env, activity{env}, env.Occupancy()}
}

// menuItem is a line of the menu. An item without a label is hidden; one without a key
// is a blank line.
type menuItem struct {
	key   key.Binding
	label i18n.Key
	about func(s *lobby) string // a note; nil: none
	open  func(s *lobby) tea.Cmd
}

// menu is the menu of the lobby. Each new screen needs an entry.
var menu = []menuItem{
	{component.Bind("p", "play", "p enter"), "play-now", about("next-opponent"), (*lobby).play},
	{component.Bind("o", "opponents", "o"), "opponents-title", about("people-and-programs"), opens(NewOpponents)},
	{component.Bind("b", "bot", "b"), "play-a-bot", (*lobby).botNames, func(s *lobby) tea.Cmd { return openBots(s.Env) }},
	{component.Bind("m", "private", "m"), "private-match", about("with-a-code"), opens(NewPrivate)},
	{component.Bind("h", "hot-seat", "h"), "hot-seat", about("two-at-one-terminal"), opens(NewHotSeat)},
	{},
	{component.Bind("w", "watch", "w"), "watch-title", (*lobby).watchable, func(s *lobby) tea.Cmd { return s.Open(NewMatchList(s.Env, "")) }},
	{component.Bind("d", "daily-sea", "d"), "daily-sea", about("one-fleet-for-all"), opens(play.NewDaily)},
	{component.Bind("l", "leaderboard", "l"), "leaderboard", about("ratings-profiles"), func(s *lobby) tea.Cmd { return openIfStored(s.Env, NewLeaderboard(s.Env)) }},
	{component.Bind("g", "history", "g"), "history-title", about("results-replays"), (*lobby).openHistory},
	{},
	{component.Bind("r", "rules-title", "r"), "rules-title", (*lobby).rulesName, func(s *lobby) tea.Cmd { return nextRules(s.Env) }},
	{component.Bind("c", "clock-title", "c"), "clock-title", (*lobby).clockName, func(s *lobby) tea.Cmd { return nextClock(s.Env) }},
	{component.Bind("s", "settings", "s"), "settings", (*lobby).settingsLine, opens(NewSettings)},
	{component.Bind("a", "account", "a"), "account", (*lobby).accountLine, opens(NewAccount)},
	{component.Help, "help-title", about("keys-and-symbols"), nil},
	{component.Bind("q", "leave", "q"), "leave-title", nil, func(*lobby) tea.Cmd { return tea.Quit }},
	{component.Bind("t", "talk", "t"), "", nil, opens(NewChat)},
	{component.Bind("i", "new-here-two-minute-tutorial", "i"), "", nil, opens(play.NewTutorial)},
	{component.Bind("x", "continue", "x"), "", nil, (*lobby).continueMatch},
}

func about(text i18n.Key) func(*lobby) string {
	return func(s *lobby) string { return s.Lang.Text(text) }
}

func opens(screen func(*component.Env) component.Screen) func(*lobby) tea.Cmd {
	return func(s *lobby) tea.Cmd { return s.Open(screen(s.Env)) }
}

// Subject implements [component.Subject].
func (s *lobby) Subject() any { return s.continues }

func (s *lobby) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		for i := range menu {
			if item := &menu[i]; item.open != nil && key.Matches(msg, item.key) {
				return item.open(s)
			}
		}
		s.Notice = s.Lang.Text("press-p-to-play-b")
	case session.Update:
		if msg.Kind == session.LobbyChanged {
			s.lookForMatch()
		}
	}
	return nil
}

// lookForMatch updates whether there is a match to continue. To save queries, it only
// asks if the player seems to have one.
func (s *lobby) lookForMatch() {
	mine := func(r session.Running) bool {
		return r.Players[0].ID == s.State.Me.ID || r.Players[1].ID == s.State.Me.ID
	}
	if s.continues != session.NoSeat || slices.ContainsFunc(s.Lobby.Running, mine) {
		s.continues = s.Occupancy()
	}
}

// Banner implements [component.Banner]. It offers to continue a match.
func (s *lobby) Banner(width int) string {
	if s.continues == session.NoSeat {
		return ""
	}
	x := term.Key.Render("x")
	wide := s.Lang.Text("your-match-is-waiting-press", x)
	if s.continues == session.UsedSeat {
		wide = s.Lang.Text("you-have-a-match-press", x)
	}
	return format.FirstFitting(width, term.Warn.Render(wide), x+"  "+s.Lang.Text("continue-your-match"))
}

// Answer implements [component.Banner]. The menu handles the key.
func (s *lobby) Answer(string) bool { return false }

// play looks for the next available opponent.
func (s *lobby) play() tea.Cmd {
	return seek(s.Env, session.Seek{Rules: s.Settings.Rules, Stakes: s.Settings.Stakes()})
}

func (s *lobby) openHistory() tea.Cmd {
	return openIfStored(s.Env, NewHistory(s.Env, s.State.Me.Account, s.State.Me.Name))
}

func (s *lobby) continueMatch() tea.Cmd {
	Continue(s.Env)
	return nil
}

// Continue continues the player's match in this session, even if another session
// played it.
func Continue(env *component.Env) {
	if env.Occupancy() == session.NoSeat {
		env.Notice = env.Lang.Text("you-have-no-match-to")
		return
	}
	env.Do(session.Rejoin{HotSeat: true, Used: true})
}

// Play looks for an opponent, or starts a match against a bot.
func Play(env *component.Env, bot string, r match.Rules, stakes session.Stakes) tea.Cmd {
	if bot != "" {
		env.Do(session.PlayBot{Bot: bot, Rules: r, Stakes: stakes})
		return nil
	}
	return seek(env, session.Seek{Rules: r, Stakes: stakes})
}

// TakeSeat takes over the seat with a resume code.
func TakeSeat(env *component.Env, code string) tea.Cmd {
	return seek(env, session.ResumeSeat{Code: code})
}

// menuWidth is the width of the lobby's left half.
const menuWidth = 40

func (s *lobby) View(size component.Size) component.View {
	return component.View{Lines: format.Columns(size.Width, s.menu(size), s.activity.lines(size), 2)}
}

func (s *lobby) menu(size component.Size) []string {
	title := []string{term.Strong.Render(" ▁▂▃▄  " + s.Lang.Text("battleship-over-ssh") + "  ▄▃▂▁"), ""}
	foot := []string{"", term.Faint.Render(" " + phrase.Rules(s.Lang, s.Settings.Rules))}
	if s.Newcomer {
		foot[1] = " " + term.Key.Render("i") + "  " + term.Warn.Render(s.Lang.Text("new-here-two-minute-tutorial"))
	}
	lines := s.items(true)
	if size.Body < len(title)+len(lines)+len(foot) { // the menu matters most
		title = nil
	}
	if size.Body < len(lines)+len(foot) {
		foot = nil
	}
	if size.Body < len(lines) {
		lines = s.items(false)
	}
	lines = append(append(title, lines...), foot...)
	for i, l := range lines {
		lines[i] = format.Pad(l, menuWidth)
	}
	return lines
}

// items returns the lines of the menu. Blank lines are optional.
func (s *lobby) items(spaced bool) []string {
	var lines []string
	for i := range menu {
		item := &menu[i]
		shown := item.key.Help().Key
		switch {
		case item.label != "":
			about := ""
			if item.about != nil {
				about = item.about(s)
			}
			lines = append(lines, " "+term.Key.Render(shown)+"  "+format.Pad(s.Lang.Text(item.label), 17)+term.Faint.Render(about))
		case shown == "" && spaced:
			lines = append(lines, "")
		}
	}
	return lines
}

func (s *lobby) rulesName() string { return s.Settings.Rules.Name }
func (s *lobby) clockName() string { return phrase.ClockName(s.Lang, s.Settings.Rules.Clock) }

// settingsLine returns a summary of the settings.
func (s *lobby) settingsLine() string {
	if s.Settings.DoNotDisturb {
		return s.Lang.Text("do-not-disturb")
	}
	return s.Lang.Text("look-and-language")
}

// watchable returns the number of matches to watch, as text.
func (s *lobby) watchable() string {
	switch n := len(s.Lobby.Running); {
	case n > 0:
		return s.Lang.Text("n-matches", n)
	case s.Lobby.Featured.ID != "":
		return s.Lang.Text("two-bots")
	}
	return s.Lang.Text("no-matches")
}

// accountLine returns a summary of the account.
func (s *lobby) accountLine() string {
	if s.State.Me.Account == "" {
		return s.Lang.Text("you-are-a-guest")
	}
	return s.Lang.Text("name-and-keys")
}

// botNames returns the names of the bots.
func (s *lobby) botNames() string {
	all := bots.Offered(s.Settings.Rules)
	if len(all) == 0 {
		return s.Lang.Text("none-available")
	}
	return s.Lang.Text("x-to-x", all[0].Name, all[len(all)-1].Name)
}

func (s *lobby) Bindings() []key.Binding {
	var bindings []key.Binding
	for _, shown := range []string{"x", "p", "o", "b", "m", "w", "t", "?", "q"} {
		for i := range menu {
			if k := menu[i].key; k.Help().Key == shown && (shown != "x" || s.continues != session.NoSeat) {
				bindings = append(bindings, k)
			}
		}
	}
	return bindings
}
