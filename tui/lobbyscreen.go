package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/bots"
	"broadside/lobby"
	"broadside/match"
	"broadside/speech"
	"broadside/words"
)

// lobbyScreen is where people choose what to play, and see who is here.
type lobbyScreen struct {
	choosing bool // a bot to challenge
	bot      int  // the one pointed at
}

// clocks are the turn clocks to choose from.
var clocks = []time.Duration{0, 15 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute}

func (s *lobbyScreen) key(m *Model, key string) tea.Cmd {
	if s.choosing {
		return s.chooseBot(m, key)
	}
	switch key {
	case "p", "enter":
		return m.playNow()
	case "b":
		s.choosing = true
	case "o":
		m.screen = &opponentsScreen{}
	case "m":
		m.screen = &roomScreen{}
	case "h":
		m.screen = newNamesScreen(m)
	case "w":
		m.screen = &watchList{}
	case "s":
		return m.toDaily()
	case "l":
		return m.visitShelf(&leaderScreen{rules: m.rules.Name})
	case "g":
		s := &gamesScreen{of: m.me.Account}
		if s.of != "" {
			s.name = clean(m.me.Name, nameWidth)
		}
		return m.visitShelf(s)
	case "a":
		return m.toAccount("")
	case "r":
		m.rules = nextRules(m.rules)
	case "c":
		m.rules = m.rules.WithClock(nextClock(m.rules.Clock))
	case "t":
		m.toTalk()
	case "d":
		m.quiet = !m.quiet
		m.visit.SetQuiet(m.quiet)
	case "q", "ctrl+c":
		return tea.Quit
	default:
		m.notice = m.lang.Say("Press p to play, b to challenge a bot, w to watch, ? for all keys, q to leave.")
	}
	return nil
}

func (s *lobbyScreen) chooseBot(m *Model, key string) tea.Cmd {
	all := bots.Offered(m.rules)
	switch key {
	case "up", "k":
		s.bot = (s.bot + len(all) - 1) % len(all)
	case "down", "j", "tab":
		s.bot = (s.bot + 1) % len(all)
	case "enter":
		return m.challenge(all[s.bot].Name)
	case "esc", "b", "q", "backspace":
		s.choosing = false
	case "ctrl+c":
		return tea.Quit
	default:
		if n := int(key[0] - '1'); len(key) == 1 && n >= 0 && n < len(all) {
			return m.challenge(all[n].Name)
		}
	}
	return nil
}

// playNow looks for any opponent.
func (m *Model) playNow() tea.Cmd { return m.wait(m.hall.PlayNow(m.me, m.rules)) }

// challenge plays a bot.
func (m *Model) challenge(bot string) tea.Cmd {
	return m.seat(m.hall.ChallengeBot(m.me, bot, m.rules))
}

func nextRules(r match.Rules) match.Rules {
	names := match.Presets()
	for i, name := range names {
		if name == r.Name {
			if next, err := match.Preset(names[(i+1)%len(names)]); err == nil {
				return next.WithClock(r.Clock)
			}
		}
	}
	return r
}

func nextClock(d time.Duration) time.Duration {
	for i, c := range clocks {
		if c == d {
			return clocks[(i+1)%len(clocks)]
		}
	}
	return clocks[0]
}

// menuWidth is the width of the lobby's left half.
const menuWidth = 40

func (s *lobbyScreen) draw(m *Model) []string {
	return m.columns(s.menu(m), s.company(m), 2)
}

func (s *lobbyScreen) menu(m *Model) []string {
	t := looks()
	if s.choosing {
		all := bots.Offered(m.rules)
		lines := []string{t.strong.Render(m.lang.Say("Challenge a bot")), ""}
		for i, b := range all {
			mark := "  "
			if i == s.bot {
				mark = "▸ "
			}
			lines = append(lines, mark+t.key.Render(fmt.Sprintf("%2d  %s", i+1, b.Name)))
		}
		lines = append(lines, "")
		for _, l := range wrap(m.lang.Say("It shoots %s.", all[s.bot].About), menuWidth-2) {
			lines = append(lines, t.faint.Render(l))
		}
		return append(lines, pad(m.lang.Say("You shoot first."), menuWidth))
	}
	lines := []string{t.strong.Render(" ▁▂▃▄  " + m.lang.Say("Battleship over SSH") + "  ▄▃▂▁")}
	for _, i := range []struct {
		key   string
		what  words.Text
		about string
	}{
		{},
		{"p", "Play now", m.lang.Say("the next who comes")},
		{"o", "Opponents", m.lang.Say("people and programs")},
		{"b", "Challenge a bot", m.botNames()},
		{"m", "Private room", m.lang.Say("with a code")},
		{"h", "Hot seat", m.lang.Say("two people here")},
		{"w", "Watch", m.watchable()},
		{"s", "Daily sea", m.lang.Say("one fleet for all")},
		{"l", "Leaderboard", m.lang.Say("ratings, profiles")},
		{"g", "Games", m.lang.Say("history, replays")},
		{},
		{"r", "Rules", m.rules.Name},
		{"c", "Clock", speech.ClockName(m.lang, m.rules.Clock)},
		{"a", "Account", accountLine(m)},
		{"d", "Do not disturb", m.lang.Say(map[bool]words.Text{false: "off", true: "on"}[m.quiet])},
		{"?", "Help", m.lang.Say("all keys and signs")},
		{"q", "Leave", ""},
	} {
		line := ""
		if i.key != "" {
			line = " " + t.key.Render(i.key) + "  " + pad(m.lang.Say(i.what), 17) + t.faint.Render(i.about)
		}
		lines = append(lines, pad(line, menuWidth))
	}
	return append(lines, "", pad(t.faint.Render(" "+speech.Rules(m.lang, m.rules)), menuWidth))
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
	all := bots.Offered(m.rules)
	return m.lang.Say("%s to %s", all[0].Name, all[len(all)-1].Name)
}

// company is the featured match, who is here, who waits and what runs.
func (s *lobbyScreen) company(m *Model) []string {
	var here, waiting, running []string
	for _, p := range m.news.Here {
		line := clean(p.Player.Name, nameWidth)
		if p.Player.ID == m.me.ID {
			line = m.lang.Say("%s (you)", line)
		}
		if p.Playing {
			line += looks().faint.Render("  " + m.lang.Say("plays"))
		}
		if p.Quiet {
			line += looks().faint.Render("  " + m.lang.Say("do not disturb"))
		}
		here = append(here, line)
	}
	for _, w := range m.news.Waiting {
		waiting = append(waiting, m.who(w.Player)+looks().faint.Render("  "+speech.Terms(m.lang, w.Rules)))
	}
	for _, r := range m.news.Running {
		running = append(running, m.who(r.Players[0])+" – "+m.who(r.Players[1])+looks().faint.Render("  "+r.Rules.Name)+m.watchers(r))
	}
	lines := m.featured(m.companyWidth())
	talk := m.lastTalk(m.companyWidth())
	rows := m.height - 3 - 9 - len(lines) - len(talk) // less what is around the lists
	lines = append(lines, m.list("Here", here, rows-2*(rows/3))...)
	lines = append(lines, m.list("Waiting for an opponent", waiting, rows/3)...)
	lines = append(lines, m.list("Matches", running, rows/3)...)
	return append(lines, talk...)
}

func (m *Model) who(p lobby.Player) string {
	name := clean(p.Name, nameWidth)
	switch p.Kind {
	case lobby.Bot:
		return m.lang.Say("%s (bot)", name)
	case lobby.Program:
		return m.lang.Say("%s (program)", name)
	}
	return name
}

// list is a heading with its items, as far as there is room.
func (m *Model) list(heading words.Text, items []string, room int) []string {
	t := looks()
	lines := []string{t.strong.Render(m.lang.Say(heading)) + t.faint.Render(fmt.Sprintf("  %d", len(items)))}
	for i, item := range items {
		if i == room-1 && len(items) > room {
			lines = append(lines, t.faint.Render("  "+m.lang.Say("and %d more", len(items)-i)))
			break
		}
		lines = append(lines, "  "+item)
	}
	if len(items) == 0 {
		lines = append(lines, t.faint.Render("  "+m.lang.Say("nobody")))
	}
	return append(lines, "")
}

func (s *lobbyScreen) hints(*Model) []words.Text {
	if s.choosing {
		return []words.Text{"↑↓", "choose", "enter", "challenge", "esc", "back"}
	}
	return []words.Text{"p", "play", "o", "opponents", "b", "bot", "m", "room", "w", "watch", "t", "talk", "?", "help", "q", "leave"}
}
