package tui

import (
	"fmt"
	"math"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/match"
	"broadside/tui/board"
)

// resultScreen shows how the match ended, and leads on.
type resultScreen struct {
	wish *lobby.Ticket // for a rematch, once asked for
}

func (s *resultScreen) key(m *Model, key string) tea.Cmd {
	switch key {
	case "r", "enter":
		return s.rematch(m)
	case "v":
		if s.wish == nil && m.game.outcome.Stored {
			return m.openReplay(m.game.seat.Match().ID(), s)
		}
		m.notice = "There is no replay of this match now."
	case "t":
		return m.startTalk()
	case "esc", "q", "b":
		m.toLobby("")
	case "ctrl+c":
		return tea.Quit
	}
	return nil
}

func (s *resultScreen) rematch(m *Model) tea.Cmd {
	if s.wish != nil {
		return nil
	}
	ticket, err := m.game.seating.Rematch()
	if err != nil {
		m.notice = sentence(err)
		return nil
	}
	s.wish = ticket
	return m.awaitSeat(ticket)
}

func (s *resultScreen) draw(m *Model) []string {
	t := looks()
	g := m.game
	if !g.outcome.Stored { // perhaps it is by now
		g.outcome = g.seating.Outcome()
	}
	v := &g.last.View
	other := g.side.Other()
	verdict := t.warn.Render("NOBODY WON.")
	switch v.Winner {
	case g.side:
		verdict = t.good.Render("YOU HAVE WON.")
	case other:
		verdict = t.bad.Render("YOU HAVE LOST.")
	}
	why := ending(v, g.side, g.opponent)
	if g.outcome.GoesOn {
		verdict, why = t.warn.Render("INTERRUPTED."), "The server is going down. Come back when it is up: your match goes on."
		if g.code != "" {
			why = "The server is going down. Your match goes on with ssh -t HOST resume " + g.code
		}
	}
	theirs := shown{"THE FLEET OF " + g.opponent, fleetBoard(v, other), shipsLeft(&v.Charts[g.side])}
	if v.Fleets[other] == nil {
		theirs.heading, theirs.board = "ENEMY WATERS · "+g.opponent, chartBoard(&v.Charts[g.side], board.Nowhere, v.Last[g.side])
	}
	shots := fmt.Sprintf("You fired %s, %s fired %d.", plural(v.Charts[g.side].Fired, "shot", "shots"), g.opponent, v.Charts[other].Fired)
	text := []string{shots + s.rating(g), s.next(m)}
	if v.Disputed[match.First] || v.Disputed[match.Second] {
		text = append(text, t.warn.Render("The match is disputed: answers contradicted each other."))
	}
	if m.hall.Store() != nil && m.hot == nil && !g.outcome.Stored && !g.outcome.GoesOn {
		text = append(text, t.warn.Render("The server could not store this match yet: it tries again."))
	}
	own := shown{"YOUR FLEET", fleetBoard(v, g.side), shipsLeft(&v.Charts[other])}
	return m.showBoards(scene{status: verdict + " " + why, boards: []shown{own, theirs}, text: text})
}

// rating says what the match has done to the ratings of both sides; nothing if
// it was not rated.
func (s *resultScreen) rating(g *game) string {
	o := &g.outcome
	if !o.Rated {
		return ""
	}
	t := looks()
	colour := t.good
	if o.After[g.side] < o.Before[g.side] {
		colour = t.bad
	}
	before, after := math.Round(o.Before[g.side]), math.Round(o.After[g.side])
	return fmt.Sprintf("   Your rating: %s %s", t.strong.Render(fmt.Sprintf("%.0f", after)), colour.Render(fmt.Sprintf("(%+.0f)", after-before)))
}

// next says how it stands with a rematch.
func (s *resultScreen) next(m *Model) string {
	t := looks()
	g := m.game
	switch {
	case s.wish != nil:
		return "Waiting for " + g.opponent + " to agree to a rematch."
	case g.table.Gone:
		return t.faint.Render(g.opponent + " has left.")
	case g.table.Wanted:
		return t.good.Render(g.opponent+" wants a rematch:") + " press r."
	}
	return "Press r for a rematch with sides swapped."
}

func (s *resultScreen) hints(*Model) []string {
	return []string{"r", "rematch", "v", "replay", "esc", "lobby", "?", "help", "ctrl+c", "leave"}
}
