package tui

import (
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/tui/format"
)

// opponentsScreen is the list of who waits for an opponent, people and
// programs, and of who is here and may be challenged.
type opponentsScreen struct {
	at string // the key of the one pointed at; it may be gone
}

// opponent is a line of the list.
type opponent struct {
	key   string // the same as long as it is the same offer or person
	name  string // clean
	about string
	offer int    // to be taken; 0: a person to be challenged
	id    string // of the person
	why   string // why it cannot be: a sentence; empty if it can
}

// list is everybody there is to play, those who wait first.
func (s *opponentsScreen) list(m *Model) (waiting, here []opponent) {
	waits := map[string]bool{m.me.ID: true}
	for _, w := range m.news.Waiting {
		if w.Player.ID == m.me.ID {
			continue
		}
		waits[w.Player.ID] = true
		waiting = append(waiting, opponent{key: "offer " + w.Player.ID, name: m.who(w.Player), about: m.offerTerms(w.Rules, w.Stakes), offer: w.Offer})
	}
	for _, p := range m.news.People {
		if waits[p.Player.ID] {
			continue
		}
		waits[p.Player.ID] = true // once, however many sessions they have
		o := opponent{key: "person " + p.Player.ID, name: m.who(p.Player), id: p.Player.ID}
		switch {
		case p.Playing:
			o.about, o.why = m.lang.Say("playing"), m.lang.Say("%s is playing: wait until the match is over.", o.name)
		case p.DoNotDisturb:
			o.about, o.why = m.lang.Say("do not disturb"), m.lang.Say("%s does not want to be disturbed.", o.name)
		}
		here = append(here, o)
	}
	all := append(waiting[:len(waiting):len(waiting)], here...)
	if s.at == "" && len(all) > 0 {
		s.at = all[0].key
	}
	return waiting, here
}

func (s *opponentsScreen) key(m *Model, key string) tea.Cmd {
	waiting, here := s.list(m)
	all := append(waiting, here...)
	at := -1
	for i, o := range all {
		if o.key == s.at {
			at = i
		}
	}
	switch key {
	case "up", "k":
		if len(all) > 0 {
			s.at = all[(max(at, 0)+len(all)-1)%len(all)].key
		}
	case "down", "j", "tab":
		if len(all) > 0 {
			s.at = all[(at+1)%len(all)].key
		}
	case "enter", "space":
		switch {
		case len(all) == 0:
			m.notice = m.lang.Say("Nobody is here to play. Press p in the lobby to wait for the next who comes.")
		case at < 0:
			m.notice = m.lang.Say("Who you pointed at is gone: choose another.")
		default:
			return m.ask(all[at])
		}
	case "r":
		return m.nextRules()
	case "c":
		return m.nextClock()
	case "esc", "q", "o", "backspace":
		m.toLobby("")
	case "ctrl+c":
		return tea.Quit
	}
	return nil
}

// ask takes the offer of an opponent, or challenges them.
func (m *Model) ask(o opponent) tea.Cmd {
	if o.why != "" {
		m.notice = o.why
		return nil
	}
	if o.offer != 0 {
		return m.play(session.Accept{Offer: o.offer})
	}
	return m.seek(session.SendChallenge{Player: o.id, Rules: m.settings.Rules, Stakes: m.settings.Stakes()})
}

// seek looks for an opponent, and waits for one if there is none yet.
func (m *Model) seek(a session.Action) tea.Cmd {
	if !m.do(a) || m.state.Offer == nil {
		return nil
	}
	m.screen = &waitScreen{*m.state.Offer}
	return m.tick()
}

// play starts a match, or says why it cannot.
func (m *Model) play(a session.Action) tea.Cmd {
	m.do(a)
	return nil
}

// opponentsWidth is the width of the list.
const opponentsWidth = 60

func (s *opponentsScreen) draw(m *Model) []string {
	t := looks()
	waiting, here := s.list(m)
	var lines []string
	pointed := 0
	add := func(heading, none i18n.Text, list []opponent) {
		lines = append(lines, t.strong.Render(m.lang.Say(heading)))
		if len(list) == 0 {
			lines = append(lines, t.faint.Render("  "+m.lang.Say(none)))
		}
		for _, o := range list {
			mark := "  "
			if o.key == s.at {
				mark, pointed = "▸ ", len(lines)
			}
			lines = append(lines, mark+t.key.Render(format.Pad(o.name, format.NameWidth+12))+" "+t.faint.Render(o.about))
		}
		lines = append(lines, "")
	}
	add("They wait: play at once, and shoot first", "nobody", waiting)
	add("They are here: challenge them, and defend first", "nobody else", here)
	// As much of the list as there is room for around the one pointed at.
	room := m.height - 3 - 1 - 2
	if len(lines) > room {
		top := min(max(0, pointed-room/2), len(lines)-room)
		lines = lines[top : top+room]
	}
	lines = append(lines, "", m.lang.Say("A challenge of yours: %s", phrase.Terms(m.lang, m.settings.Rules)))
	lines[0] = format.Pad(lines[0], opponentsWidth)
	return lines
}

func (s *opponentsScreen) hints(*Model) []i18n.Text {
	return []i18n.Text{"↑↓", "choose", "enter", "play", "r", "rules", "c", "clock", "?", "help", "esc", "back"}
}
