package tui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/format"
)

// watchScreen shows somebody else's match: what each side knows of the other,
// and the fleets after the end.
type watchScreen struct{ id string }

// watch takes a spectator's place at a match.
func (m *Model) watch(id string) {
	m.screen = &watchScreen{id}
}

// watchBy watches the match that somebody means by a text.
func (m *Model) watchBy(text string) {
	if m.do(session.WatchBy{Text: text}) {
		m.watch(m.state.Watching.ID)
		m.sight = newSight(m.state.Watching, true) // not by attend: a match between bots would be over by then
	}
}

func (s *watchScreen) key(m *Model, key string) tea.Cmd {
	switch key {
	case "esc", "q", "backspace":
		m.toLobby("")
	case "t":
		return m.startTalk()
	case "w":
		m.screen = &watchList{at: s.id}
	case "right", "l", "tab", "enter":
		if next := s.next(m); next.ID != "" {
			m.watch(next.ID)
		} else {
			m.notice = m.lang.Say("There is no other match to watch just now.")
		}
	case "ctrl+c":
		return tea.Quit
	}
	return nil
}

// next is the match after this one in the list.
func (s *watchScreen) next(m *Model) session.Running {
	all := m.matches()
	if i := slices.IndexFunc(all, func(r session.Running) bool { return r.ID == s.id }); i >= 0 {
		all = slices.Concat(all[i+1:], all[:i])
	}
	if len(all) == 0 {
		return session.Running{}
	}
	return all[0]
}

func (s *watchScreen) draw(m *Model) []string {
	g := m.sight
	if g == nil || g.seen.IsZero() {
		return []string{"", format.Center(m.lang.Say("The match is coming."), m.width)}
	}
	u := &g.last
	v := &u.View
	status := g.state(m.lang)
	if v.Phase == match.Over {
		status += " " + phrase.EndingSeen(m.lang, v, g.names)
	} else {
		if !u.Deadline.IsZero() && v.Phase == match.Battle {
			status += "  " + looks().strong.Render(phrase.Clock(time.Until(u.Deadline)))
		}
		if u.Paused {
			status += looks().warn.Render("  " + m.lang.Say("The match is paused."))
		}
		for side, name := range g.names {
			if u.Away[side] {
				away := m.lang.Say("%s is away", name)
				if at := u.AwayUntil[side]; !at.IsZero() {
					away = m.lang.Say("%s is away and loses in %s", name, phrase.Clock(time.Until(at)))
				}
				status += looks().warn.Render("  " + away)
			}
		}
	}
	var boards [2]board.Panel
	for side := match.First; side <= match.Second; side++ {
		heading := m.lang.Say("THE WATERS OF %s", g.names[side])
		if v.Fleets[side] != nil {
			heading = m.lang.Say("THE FLEET OF %s", g.names[side])
		}
		boards[side] = board.Panel{Heading: heading, Board: g.waters(side), Below: phrase.Afloat(m.lang, &v.Charts[side.Other()])}
	}
	text, brief := g.course.lines(m.lang, u), g.course.line(m.lang, m.width)
	if v.Phase == match.Over {
		text = []string{strings.TrimSpace(phrase.ShotsSeen(m.lang, v, g.names) + " " + phrase.Rounds(m.lang, v)), s.following(m)}
		brief = text[1]
	}
	return m.showBoards(board.Scene{Status: status, Panels: boards[:], Text: text, Brief: brief})
}

// following says what there is to watch after the end.
func (s *watchScreen) following(m *Model) string {
	next := s.next(m)
	if next.ID == "" {
		return format.FirstFitting(m.width, m.lang.Say("No other match is on. Press esc for the lobby."), m.lang.Say("Press esc for the lobby."))
	}
	return format.FirstFitting(m.width, m.lang.Say("Press → to watch %s next.", versus(next)), m.lang.Say("Press → to watch another match."))
}

func (s *watchScreen) hints(*Model) []i18n.Text {
	return []i18n.Text{"→", "next match", "w", "matches", "esc", "lobby", "?", "help"}
}

// matches are those that can be watched: the featured one if it is no running
// one, then those that run.
func (m *Model) matches() []session.Running {
	var all []session.Running
	featured := m.news.Featured
	for _, r := range m.news.Running {
		if r.ID == featured.ID {
			featured.ID = ""
		}
	}
	if featured.ID != "" {
		all = append(all, featured)
	}
	return append(all, m.news.Running...)
}

// watching is the number of spectators of the match on the screen.
func (m *Model) watching() int {
	id := ""
	if s, ok := m.screen.(*watchScreen); ok {
		id = s.id
	} else if m.game != nil {
		id = m.game.about.ID
	}
	if r := m.running(id); r != nil && id != "" {
		return r.Watching
	}
	return 0
}

// versus is who plays a match.
func versus(r session.Running) string {
	return format.Name(r.Players[match.First].Name) + " – " + format.Name(r.Players[match.Second].Name)
}
