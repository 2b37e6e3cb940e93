package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/format"
)

// lobbyScreen is where people choose what to play, and see who is here.
type lobbyScreen struct {
	choosing bool // a bot to challenge
	bot      int  // the one pointed at
}

func (s *lobbyScreen) key(m *Model, key string) tea.Cmd {
	if s.choosing {
		return s.chooseBot(m, key)
	}
	switch key {
	case "p", "enter":
		return m.playNow(m.settings.Rules, m.settings.Stakes())
	case "b":
		m.toBots()
	case "o":
		m.screen = &opponentsScreen{}
	case "m":
		m.screen = &roomScreen{}
	case "h":
		m.screen = newNamesScreen(m)
	case "w":
		m.screen = &watchList{}
	case "d":
		return m.toDaily()
	case "s":
		m.screen = &settingsScreen{}
	case "l":
		return m.visitShelf(&leaderScreen{rules: scaleOf(m.settings.Rules)})
	case "g":
		s := &gamesScreen{of: m.me.Account}
		if s.of != "" {
			s.name = format.Name(m.me.Name)
		}
		return m.visitShelf(s)
	case "a":
		return m.toAccount("")
	case "r":
		return m.nextRules()
	case "c":
		return m.nextClock()
	case "t":
		m.toTalk()
	case "i":
		m.screen = newTutorialScreen()
	case "x":
		m.continueHere()
	case "q", "ctrl+c":
		return tea.Quit
	default:
		m.notice = m.lang.Say("Press p to play, b to play a bot, w to watch, ? for all keys, q to leave.")
	}
	return nil
}

// toBots shows the bots that play under the person's rules.
func (m *Model) toBots() {
	all := bots.Offered(m.settings.Rules)
	if len(all) == 0 {
		m.toLobby(m.lang.Say("No bot plays under these rules: press r for others."))
		return
	}
	m.toLobby("")
	m.screen = &lobbyScreen{choosing: true, bot: botAt(&m.settings, all)}
}

func (s *lobbyScreen) chooseBot(m *Model, key string) tea.Cmd {
	all := bots.Offered(m.settings.Rules)
	switch key {
	case "up", "k":
		s.bot = around(s.bot, -1, len(all))
	case "down", "j", "tab":
		s.bot = around(s.bot, 1, len(all))
	case "enter":
		return m.playBot(all[s.bot].Name)
	case "esc", "b", "q", "backspace":
		s.choosing = false
	case "ctrl+c":
		return tea.Quit
	default:
		if n, ok := m.ordinal(key, len(all)); ok {
			return m.playBot(all[n].Name)
		}
	}
	return nil
}

// playNow looks for any opponent.
func (m *Model) playNow(r match.Rules, s session.Stakes) tea.Cmd {
	return m.seek(session.Seek{Rules: r, Stakes: s})
}

// playBot plays the bot that the person has chosen, now and the next time they
// look at the bots.
func (m *Model) playBot(bot string) tea.Cmd {
	next := m.settings
	next.Bot = bot
	return tea.Batch(m.choose(next), m.challenge(bot, m.settings.Rules, m.settings.Stakes()))
}

// challenge plays a bot.
func (m *Model) challenge(bot string, r match.Rules, s session.Stakes) tea.Cmd {
	return m.play(session.PlayBot{Bot: bot, Rules: r, Stakes: s})
}

// nextRules goes on to the next rule set, nextClock to the next clock.
func (m *Model) nextRules() tea.Cmd {
	next := m.settings
	turnRules(&next, 1)
	return m.choose(next)
}

func (m *Model) nextClock() tea.Cmd {
	next := m.settings
	turnClock(&next, 1)
	return m.choose(next)
}

// menuWidth is the width of the lobby's left half.
const menuWidth = 40

func (s *lobbyScreen) draw(m *Model) []string {
	return format.Columns(m.width, s.menu(m), s.company(m), 2)
}

func (s *lobbyScreen) menu(m *Model) []string {
	t := looks()
	if s.choosing {
		all := bots.Offered(m.settings.Rules)
		lines := []string{t.strong.Render(m.lang.Say("Play a bot")), ""}
		for i, b := range all {
			mark := "  "
			if i == s.bot {
				mark = "▸ "
			}
			lines = append(lines, mark+t.key.Render(fmt.Sprintf("%2d  %s", i+1, b.Name)))
		}
		lines = append(lines, "")
		for _, l := range format.Wrap(m.lang.Say("It shoots %s.", all[s.bot].About), menuWidth-2) {
			lines = append(lines, t.faint.Render(l))
		}
		return append(lines, format.Pad(m.lang.Say("You shoot first."), menuWidth))
	}
	r := m.settings.Rules
	menu := []menuItem{
		{"p", "Play now", m.lang.Say("the next who comes")},
		{"o", "Opponents", m.lang.Say("people and programs")},
		{"b", "Play a bot", m.botNames()},
		{"m", "Private room", m.lang.Say("with a code")},
		{"h", "Hot seat", m.lang.Say("two people here")},
		{},
		{"w", "Watch", m.watchable()},
		{"d", "Daily sea", m.lang.Say("one fleet for all")},
		{"l", "Leaderboard", m.lang.Say("ratings, profiles")},
		{"g", "Games", m.lang.Say("history, replays")},
		{},
		{"r", "Rules", r.Name},
		{"c", "Clock", phrase.ClockName(m.lang, r.Clock)},
		{"s", "Settings", m.settingsLine()},
		{"a", "Account", accountLine(m)},
		{"?", "Help", m.lang.Say("all keys and signs")},
		{"q", "Leave", ""},
	}
	title := []string{t.strong.Render(" ▁▂▃▄  " + m.lang.Say("Battleship over SSH") + "  ▄▃▂▁"), ""}
	foot := []string{"", t.faint.Render(" " + phrase.Rules(m.lang, r))}
	if m.newcomer {
		foot[1] = " " + t.key.Render("i") + "  " + t.warn.Render(m.lang.Say("New here? A match of a few shots."))
	}
	room := m.room()
	if room < len(title)+len(menu)+len(foot) { // what can be done matters most
		title = nil
	}
	if room < len(menu)+len(foot) {
		foot = nil
	}
	if room < len(menu) {
		menu = slices.DeleteFunc(menu, func(i menuItem) bool { return i.key == "" })
	}
	lines := title
	for _, i := range menu {
		line := ""
		if i.key != "" {
			line = " " + t.key.Render(i.key) + "  " + format.Pad(m.lang.Say(i.what), 17) + t.faint.Render(i.about)
		}
		lines = append(lines, line)
	}
	lines = append(lines, foot...)
	for i, l := range lines {
		lines[i] = format.Pad(l, menuWidth)
	}
	return lines
}

// menuItem is a line of the lobby's menu. Without a key it is blank.
type menuItem struct {
	key   string
	what  i18n.Text
	about string
}

// settingsLine is what there is to say of the settings.
func (m *Model) settingsLine() string {
	if m.settings.DoNotDisturb {
		return m.lang.Say("do not disturb")
	}
	return m.lang.Say("look and language")
}

// watchable says how many matches there are to watch.
func (m *Model) watchable() string {
	switch n := len(m.news.Running); {
	case n > 0:
		return m.lang.Say("%d matches", n)
	case m.news.Featured.ID != "":
		return m.lang.Say("two bots")
	}
	return m.lang.Say("nobody plays")
}

// accountLine says what the account is.
func accountLine(m *Model) string {
	if m.me.Account == "" {
		return m.lang.Say("you are a guest")
	}
	return m.lang.Say("name and keys")
}

// botNames says which bots there are.
func (m *Model) botNames() string {
	all := bots.Offered(m.settings.Rules)
	if len(all) == 0 {
		return m.lang.Say("none plays so")
	}
	return m.lang.Say("%s to %s", all[0].Name, all[len(all)-1].Name)
}

// company is the featured match, who is here, who waits and what runs.
func (s *lobbyScreen) company(m *Model) []string {
	const (
		around = 3 * 2 // lines: a heading above each list, and a blank one below it
		fewest = 4     // of all lists: who is here has two
	)
	lines := m.featured(m.companyWidth())
	room := m.height - 4 - around - len(lines) // the fourth is for a challenge
	talk := m.lastTalk(m.companyWidth(), room-fewest)
	rows := room - len(talk)
	if len(talk) == 0 {
		rows++ // nothing follows the blank line at the end
	}
	waiting := share(len(m.news.Waiting), rows/3)
	running := share(len(m.news.Running), rows/3)
	lines = append(lines, m.list("Here", "nobody", len(m.news.People), m.hereLine, rows-waiting-running)...)
	lines = append(lines, m.list("Waiting for an opponent", "nobody", len(m.news.Waiting), m.waitingLine, waiting)...)
	lines = append(lines, m.list("Matches", "none ¦ of the matches", len(m.news.Running), m.runningLine, running)...)
	if len(talk) == 0 {
		return lines[:len(lines)-1]
	}
	return append(lines, talk...)
}

// share is how many lines a list takes that may have at most so many.
func share(items, most int) int { return max(1, min(items, most)) }

// hereLine, waitingLine and runningLine are the lines of the lists in the lobby.
func (m *Model) hereLine(i int) string {
	p := &m.news.People[i]
	line := format.Name(p.Player.Name)
	if p.Player.ID == m.me.ID {
		line = m.lang.Say("%s (you)", line)
	}
	if p.Playing {
		line += looks().faint.Render("  " + m.lang.Say("plays"))
	}
	if p.DoNotDisturb {
		line += looks().faint.Render("  " + m.lang.Say("do not disturb"))
	}
	return line
}

func (m *Model) waitingLine(i int) string {
	w := &m.news.Waiting[i]
	return m.who(w.Player) + looks().faint.Render("  "+m.offerTerms(w.Rules, w.Stakes))
}

func (m *Model) runningLine(i int) string {
	r := &m.news.Running[i]
	return m.who(r.Players[0]) + " – " + m.who(r.Players[1]) + looks().faint.Render("  "+r.Rules.Name) + m.watchers(r)
}

func (m *Model) who(p session.Player) string {
	name := format.Name(p.Name)
	switch p.Kind {
	case session.Bot:
		return m.lang.Say("%s (bot)", name)
	case session.Program:
		return m.lang.Say("%s (program)", name)
	}
	return name
}

// list is a heading with its items, as far as there is room, or what is said
// where there are none. Only those are asked for: there may be thousands.
func (m *Model) list(heading, none i18n.Text, items int, item func(i int) string, room int) []string {
	t := looks()
	room = max(1, room)
	lines := []string{t.strong.Render(m.lang.Say(heading)) + t.faint.Render(fmt.Sprintf("  %d", items))}
	for i := range items {
		if i == room-1 && items > room {
			lines = append(lines, t.faint.Render("  "+m.lang.Say("and %d more", items-i)))
			break
		}
		lines = append(lines, "  "+item(i))
	}
	if items == 0 {
		lines = append(lines, t.faint.Render("  "+m.lang.Say(none)))
	}
	return append(lines, "")
}

func (s *lobbyScreen) hints(m *Model) []i18n.Text {
	if s.choosing {
		return []i18n.Text{"↑↓", "choose", "enter", "play", "esc", "back"}
	}
	var first []i18n.Text
	if m.mine != session.NoSeat {
		first = []i18n.Text{"x", "continue"}
	}
	return append(first, "p", "play", "o", "opponents", "b", "bot", "m", "room", "w", "watch", "t", "talk", "?", "help", "q", "leave")
}
