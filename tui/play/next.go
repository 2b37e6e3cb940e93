package play

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// suggestion is what a player can do after a match.
type suggestion struct {
	widget.Action
	title i18n.Key
	note  string
}

// suggestions returns what is possible now, the best one first.
func (p *resultPage) suggestions() []suggestion {
	g := p.match.game
	// next is the bot after the one that the player has beaten.
	next := ""
	if g.info.Opponent.Kind == account.Bot && g.last.View.Winner == g.side {
		next = session.NextBot(p.Settings.Rules, g.info.Opponent.Name)
	}
	replay := suggestion{title: "Replay"}
	// The replay starts at the player's worst mistake.
	turn := 0
	c := p.worstMistakes()
	if len(c) > 0 {
		turn = c[0].Turn
		replay.note = p.Lang.Text("from shot %d", turn)
	}
	open := p.State.Offer == nil
	replay.Action = widget.Action{Keys: "v", Label: "replay", Off: !open || !g.outcome.Stored, Do: func() tea.Cmd {
		return p.Nav.OpenReplay(g.info.ID, turn)
	}}
	leave := suggestion{Action: widget.Action{Keys: "esc q", Label: "lobby"}, title: "Lobby"}
	if p.MustAskName() {
		leave.Label, leave.title = "name", "Choose a name"
	}
	leave.Do = widget.NoCommand(func() { p.Nav.LeaveToLobby("") })
	rematch := suggestion{title: "Rematch", note: p.rematchNote()}
	rematch.Action = widget.Action{Keys: "r", Label: "rematch", Off: g.seat.OpponentLeft, Do: widget.NoCommand(func() {
		if open {
			p.CheckAction(p.Session.OfferRematch())
		}
	})}
	if g.info.Pace > 0 {
		rematch.Off, rematch.Do = p.isRematchOffered, p.offerCorrespondence
	}
	waiting, _ := p.NextTurn()
	all := []suggestion{
		{Action: p.match.nextTurnAction(), title: "Next match", note: text.CleanName(waiting.Opponent)},
		rematch,
		replay,
		{
			Action: widget.Action{Keys: "b", Label: "next bot", Off: !open || next == "", Do: widget.NoCommand(func() {
				p.CheckAction(p.Session.PlayBot(next, p.Settings.Rules, p.Settings.RatingMode()))
			})},
			title: "Next bot", note: narrate.BotName(p.Lang, next),
		}, {
			Action: widget.Action{
				Keys: "d", Label: "daily sea", Off: !open || p.match.hotSeat != nil || !p.Session.State().HasStore,
				Do: func() tea.Cmd {
					p.Nav.LeaveToLobby("")
					return p.Nav.Open(NewDaily(p.Env))
				},
			},
			title: "Daily sea", note: p.Lang.Text("one fleet a day"),
		},
		leave,
	}
	return slices.DeleteFunc(all, func(s suggestion) bool { return s.Off })
}

// offerCorrespondence offers the same opponent another correspondence match.
func (p *resultPage) offerCorrespondence() tea.Cmd {
	m := p.match.game.info
	p.isRematchOffered = true
	return p.OfferMatch(lobby.CorrespondenceTerms{
		Rules: m.Rules, Mode: p.Settings.RatingMode(), Pace: m.Pace, Opponent: m.Opponent.Name,
	}, func(ok bool) { p.isRematchOffered = ok })
}

// isWaitingForDays reports whether a correspondence match waits for the opponent.
func (m *Match) isWaitingForDays() bool {
	return m.game.info.Pace > 0 && m.IsPlaying() && !m.IsMyTurn()
}

// nextTurnAction returns the action that opens the next correspondence match that waits for the player. It is off
// in other matches, and if there is none.
func (m *Match) nextTurnAction() widget.Action {
	next, ok := m.NextTurn()
	open := func() tea.Cmd { return m.OpenTurn(next.ID) }
	return widget.Action{Keys: "n", Label: "next match", Off: !ok || m.game.info.Pace == 0, Do: open}
}

// nextTurnText says what the player can do while a correspondence match waits for the opponent.
func (m *Match) nextTurnText() string {
	next, ok := m.NextTurn()
	if !ok {
		return m.Lang.Text("You can leave: press q.")
	}
	return m.Lang.Text("Press n to play %s.", text.CleanName(next.Opponent))
}

// rematchNote says who asked for a rematch, or who fires first in one.
func (p *resultPage) rematchNote() string {
	g := p.match.game
	switch {
	case p.match.hotSeat != nil:
		return ""
	case g.info.Pace > 0:
		return p.Lang.Text("%d day per shot||%d days per shot", narrate.DayCount(g.info.Pace))
	case p.State.Offer != nil:
		return p.Lang.Text("Waiting for %s to agree to a rematch.", g.opponent)
	case g.seat.RematchOffered:
		return p.Lang.Text("%s wants a rematch:", g.opponent)
	case g.side == match.First:
		return p.Lang.Text("you fire first")
	}
	return p.Lang.Text("you defend first")
}

// resultPause is how long enter does nothing at first, because the player may have pressed it to fire.
const resultPause = 2 * time.Second

// suggestionsBlock returns the block with the suggestions.
func (p *resultPage) suggestionsBlock(width, height int) []string {
	b := widget.Block{Title: p.Lang.Text("What next"), Focused: true}
	all := p.suggestions()
	for i, item := range all {
		row := widget.Row{
			Text: p.Lang.Text(item.title), Note: item.note, Key: item.CapText(p.Lang), Press: item.Keys.List()[0],
			Selected: i == min(p.selected, len(all)-1),
		}
		if item.title == "Rematch" && (p.State.Offer != nil || p.match.game.seat.RematchOffered) {
			// The offer matters more than the label.
			short := p.Lang.Text("%s: rematch?", p.match.game.opponent)
			if p.State.Offer != nil {
				short = p.Lang.Text("Waiting for %s.", p.match.game.opponent)
			}
			row.Text, row.Note = text.FirstFitting(width-8, p.rematchNote(), short), ""
		}
		b.Rows = append(b.Rows, row)
	}
	return b.Draw(width, min(height, len(b.Rows)+1))
}
