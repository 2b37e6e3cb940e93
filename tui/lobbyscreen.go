package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/bots"
	"broadside/lobby"
	"broadside/match"
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
		m.notice = "Press p to play, b to challenge a bot, w to watch, ? for all keys, q to leave."
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
		lines := []string{t.strong.Render("Challenge a bot"), ""}
		for i, b := range all {
			mark := "  "
			if i == s.bot {
				mark = "▸ "
			}
			lines = append(lines, mark+t.key.Render(fmt.Sprintf("%2d  %s", i+1, b.Name)))
		}
		lines = append(lines, "")
		for _, l := range wrap("It shoots "+all[s.bot].About+".", menuWidth-2) {
			lines = append(lines, t.faint.Render(l))
		}
		return append(lines, pad("You shoot first.", menuWidth))
	}
	lines := []string{t.strong.Render(" ▁▂▃▄  Battleship over SSH  ▄▃▂▁")}
	for _, i := range []struct{ key, what, about string }{
		{},
		{"p", "Play now", "the next who comes"},
		{"o", "Opponents", "people and programs"},
		{"b", "Challenge a bot", botNames(m.rules)},
		{"m", "Private room", "with a code"},
		{"h", "Hot seat", "two people here"},
		{"w", "Watch", watchable(m.news)},
		{"s", "Daily sea", "one fleet for all"},
		{"l", "Leaderboard", "ratings, profiles"},
		{"g", "Games", "history, replays"},
		{},
		{"r", "Rules", m.rules.Name},
		{"c", "Clock", clockName(m.rules.Clock)},
		{"a", "Account", accountLine(m)},
		{"d", "Do not disturb", map[bool]string{false: "off", true: "on"}[m.quiet]},
		{"?", "Help", "all keys and signs"},
		{"q", "Leave", ""},
	} {
		line := ""
		if i.key != "" {
			line = " " + t.key.Render(i.key) + "  " + pad(i.what, 17) + t.faint.Render(i.about)
		}
		lines = append(lines, pad(line, menuWidth))
	}
	return append(lines, "", pad(t.faint.Render(" "+rulesLine(m.rules)), menuWidth))
}

// watchable says how many matches there are to watch.
func watchable(news *lobby.Snapshot) string {
	switch n := len(news.Running); {
	case n > 0:
		return plural(n, "match", "matches")
	case news.Featured.ID != "":
		return "two bots"
	}
	return "nobody plays"
}

// accountLine says what the account is.
func accountLine(m *Model) string {
	if m.me.Account == "" {
		return "you are a guest"
	}
	return "name and keys"
}

// botNames says which bots there are.
func botNames(r match.Rules) string {
	all := bots.Offered(r)
	return all[0].Name + " to " + all[len(all)-1].Name
}

// company is the featured match, who is here, who waits and what runs.
func (s *lobbyScreen) company(m *Model) []string {
	var here, waiting, running []string
	for _, p := range m.news.Here {
		line := clean(p.Player.Name, nameWidth)
		if p.Player.ID == m.me.ID {
			line += " (you)"
		}
		if p.Playing {
			line += looks().faint.Render("  plays")
		}
		if p.Quiet {
			line += looks().faint.Render("  do not disturb")
		}
		here = append(here, line)
	}
	for _, w := range m.news.Waiting {
		waiting = append(waiting, who(w.Player)+looks().faint.Render("  "+w.Rules.Name+", clock "+clockName(w.Rules.Clock)))
	}
	for _, r := range m.news.Running {
		running = append(running, who(r.Players[0])+" – "+who(r.Players[1])+looks().faint.Render("  "+r.Rules.Name)+watchers(r))
	}
	lines := m.featured(m.companyWidth())
	talk := m.lastTalk(m.companyWidth())
	rows := m.height - 3 - 9 - len(lines) - len(talk) // less what is around the lists
	lines = append(lines, list("Here", here, rows-2*(rows/3))...)
	lines = append(lines, list("Waiting for an opponent", waiting, rows/3)...)
	lines = append(lines, list("Matches", running, rows/3)...)
	return append(lines, talk...)
}

func who(p lobby.Player) string {
	name := clean(p.Name, nameWidth)
	if p.Kind != lobby.Person {
		name += " (" + p.Kind.String() + ")"
	}
	return name
}

// list is a heading with its items, as far as there is room.
func list(heading string, items []string, room int) []string {
	t := looks()
	lines := []string{t.strong.Render(heading) + t.faint.Render(fmt.Sprintf("  %d", len(items)))}
	for i, item := range items {
		if i == room-1 && len(items) > room {
			lines = append(lines, t.faint.Render(fmt.Sprintf("  and %d more", len(items)-i)))
			break
		}
		lines = append(lines, "  "+item)
	}
	if len(items) == 0 {
		lines = append(lines, t.faint.Render("  nobody"))
	}
	return append(lines, "")
}

func (s *lobbyScreen) hints(*Model) []string {
	if s.choosing {
		return []string{"↑↓", "choose", "enter", "challenge", "esc", "back"}
	}
	return []string{"p", "play", "o", "opponents", "b", "bot", "m", "room", "w", "watch", "t", "talk", "?", "help", "q", "leave"}
}
