package tui

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/format"
)

// resultScreen shows how the match ended, and leads on.
type resultScreen struct{}

func (s *resultScreen) key(m *Model, key string) tea.Cmd {
	switch key {
	case "r", "enter":
		if m.state.Offer == nil {
			m.do(session.Rematch{})
		}
	case "v":
		if m.state.Offer == nil && m.game.outcome.Stored {
			return m.openReplay(m.game.about.ID, s)
		}
		m.notice = m.lang.Say("There is no replay of this match now.")
	case "t":
		return m.startTalk()
	case "esc", "q", "b":
		m.toLobby("")
	case "ctrl+c":
		return tea.Quit
	}
	return nil
}

func (s *resultScreen) draw(m *Model) []string {
	t := looks()
	g := m.game
	if !g.outcome.Stored { // perhaps it is by now
		m.read()
		g.outcome = m.state.Outcome
	}
	v := &g.last.View
	other := g.side.Other()
	verdict := t.warn.Render(m.lang.Say("NOBODY WON."))
	switch v.Winner {
	case g.side:
		verdict = t.good.Render(m.lang.Say("YOU HAVE WON."))
	case other:
		verdict = t.bad.Render(m.lang.Say("YOU HAVE LOST."))
	}
	why := phrase.Ending(m.lang, v, g.side, g.opponent)
	if g.outcome.Continues {
		verdict, why = t.warn.Render(m.lang.Say("INTERRUPTED.")), m.lang.Say("The server goes down. Come back later: your match goes on.")
		if g.code != "" {
			why = m.lang.Say("Your match goes on later: ssh -t HOST resume %s", g.code)
		}
	}
	theirs := board.Panel{Heading: m.lang.Say("THE FLEET OF %s", g.opponent), Board: board.Own(v, other), Below: phrase.Afloat(m.lang, &v.Charts[g.side])}
	if v.Fleets[other] == nil {
		theirs.Heading, theirs.Board = m.lang.Say("ENEMY WATERS")+" · "+g.opponent, board.Enemy(&v.Charts[g.side], board.Nowhere, v.Last[g.side]...)
	}
	shots := phrase.ShotsFired(m.lang, v, g.side, g.opponent)
	rating := s.rating(m)
	next := s.next(m)
	brief := format.FirstFitting(m.width, shots+rating, cmp.Or(strings.TrimSpace(rating), shots))
	if m.state.Offer != nil || g.table.OpponentLeft || g.table.RematchOffered { // it is about somebody
		brief = next
	}
	text := []string{shots + rating, next}
	if rounds := phrase.Rounds(m.lang, v); rounds != "" {
		text = append([]string{rounds}, text...)
	}
	if v.Disputed[match.First] || v.Disputed[match.Second] {
		text = append(text, t.warn.Render(m.lang.Say("The match is disputed: answers contradicted each other.")))
	}
	if m.own.HasStore() && m.hot == nil && !g.outcome.Stored && !g.outcome.Continues {
		text = append(text, t.warn.Render(m.lang.Say("The server could not store this match yet: it tries again.")))
	}
	own := board.Panel{Heading: m.lang.Say("YOUR FLEET"), Board: board.Own(v, g.side), Below: phrase.Afloat(m.lang, &v.Charts[other])}
	return m.showBoards(board.Scene{Status: verdict + " " + why, Panels: []board.Panel{own, theirs}, Text: text, Brief: brief})
}

// rating says what the match has done to the ratings of both sides; nothing if
// it was not rated.
func (s *resultScreen) rating(m *Model) string {
	g := m.game
	o := &g.outcome
	if !o.Rated {
		return ""
	}
	t := looks()
	colour := t.good
	if o.After[g.side] < o.Before[g.side] {
		colour = t.bad
	}
	change := o.After[g.side] - o.Before[g.side]
	return "   " + m.lang.Say("Your rating: %s %s", t.strong.Render(Rating(o.After[g.side], o.Provisional[g.side])), colour.Render(fmt.Sprintf("(%+.0f)", change)))
}

// next says how it stands with a rematch.
func (s *resultScreen) next(m *Model) string {
	t := looks()
	g := m.game
	switch {
	case m.state.Offer != nil:
		return m.lang.Say("Waiting for %s to agree to a rematch.", g.opponent)
	case g.table.OpponentLeft:
		return t.faint.Render(m.lang.Say("%s has left.", g.opponent))
	case g.table.RematchOffered:
		return t.good.Render(m.lang.Say("%s wants a rematch:", g.opponent)) + " " + m.lang.Say("press r.")
	}
	return m.lang.Say("Press r for a rematch with sides swapped.")
}

func (s *resultScreen) hints(m *Model) []i18n.Text {
	hints := []i18n.Text{"v", "replay", "esc", "lobby", "?", "help", "ctrl+c", "leave"}
	if m.state.Offer == nil && !m.game.table.OpponentLeft {
		hints = append([]i18n.Text{"r", "rematch"}, hints...)
	}
	return hints
}
