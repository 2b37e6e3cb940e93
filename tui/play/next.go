package play

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
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
func (s *result) suggestions() []suggestion {
	g := s.match.game
	// next is the bot after the one that the player has beaten.
	next := ""
	if g.info.Opponent.Kind == account.Bot && g.last.View.Winner == g.side {
		next = session.NextBot(s.Settings.Rules, g.info.Opponent.Name)
	}
	replay := suggestion{title: "Replay"}
	// The replay starts at the player's worst mistake.
	turn := 0
	c := s.worstMistakes()
	if len(c) > 0 {
		turn = c[0].Turn
		replay.note = s.Lang.Text("from shot %d", turn)
	}
	open := s.State.Offer == nil
	replay.Action = widget.Action{Keys: "v", Label: "replay", Off: !open || !g.outcome.Stored, Do: func() tea.Cmd {
		return s.Nav.OpenReplay(g.info.ID, turn)
	}}
	leave := suggestion{Action: widget.Action{Keys: "esc q", Label: "lobby"}, title: "Lobby"}
	if s.MustAskName() {
		leave.Label, leave.title = "name", "Choose a name"
	}
	leave.Do = widget.NoCommand(func() { s.Nav.GoHome("") })
	all := []suggestion{
		{
			Action: widget.Action{Keys: "r", Label: "rematch", Off: g.seat.OpponentLeft, Do: widget.NoCommand(func() {
				if open {
					s.CheckAction(s.Session.OfferRematch())
				}
			})},
			title: "Rematch", note: s.rematchNote(),
		},
		replay,
		{
			Action: widget.Action{Keys: "b", Label: "next bot", Off: !open || next == "", Do: widget.NoCommand(func() {
				s.CheckAction(s.Session.PlayBot(next, s.Settings.Rules, s.Settings.RatingMode()))
			})},
			title: "Next bot", note: narrate.BotName(s.Lang, next),
		}, {
			Action: widget.Action{
				Keys: "d", Label: "daily sea", Off: !open || s.match.hotSeat != nil || !s.Session.State().HasStore,
				Do: func() tea.Cmd {
					s.Nav.GoHome("")
					return s.Nav.Open(NewDaily(s.Env))
				},
			},
			title: "Daily sea", note: s.Lang.Text("one fleet a day"),
		},
		leave,
	}
	return slices.DeleteFunc(all, func(s suggestion) bool { return s.Off })
}

// rematchNote says who asked for a rematch, or who fires first in one.
func (s *result) rematchNote() string {
	g := s.match.game
	switch {
	case s.match.hotSeat != nil:
		return ""
	case s.State.Offer != nil:
		return s.Lang.Text("Waiting for %s to agree to a rematch.", g.opponent)
	case g.seat.RematchOffered:
		return s.Lang.Text("%s wants a rematch:", g.opponent)
	case g.side == match.First:
		return s.Lang.Text("you fire first")
	}
	return s.Lang.Text("you defend first")
}

// resultPause is how long enter does nothing at first, because the player may have pressed it to fire.
const resultPause = 2 * time.Second

// suggestionsBlock returns the block with the suggestions.
func (s *result) suggestionsBlock(width, height int) []string {
	b := widget.Block{Title: s.Lang.Text("What next"), Focused: true}
	all := s.suggestions()
	for i, item := range all {
		row := widget.Row{
			Text: s.Lang.Text(item.title), Note: item.note, Key: item.CapText(s.Lang), Press: item.Keys.List()[0],
			Selected: i == min(s.selected, len(all)-1),
		}
		if item.title == "Rematch" && (s.State.Offer != nil || s.match.game.seat.RematchOffered) {
			// The offer matters more than the label.
			short := s.Lang.Text("%s: rematch?", s.match.game.opponent)
			if s.State.Offer != nil {
				short = s.Lang.Text("Waiting for %s.", s.match.game.opponent)
			}
			row.Text, row.Note = text.FirstFitting(width-8, s.rematchNote(), short), ""
		}
		b.Rows = append(b.Rows, row)
	}
	return b.Draw(width, min(height, len(b.Rows)+1))
}
