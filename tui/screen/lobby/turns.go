package lobby

import (
	tea "charm.land/bubbletea/v2"

	"broadside/tui/screen"
	"broadside/tui/term"
	"broadside/tui/widget"
)

// updateFocus moves the highlight to the block of turns when that appears, unless the player has already pressed
// a key in the lobby, and away from it when it disappears.
func (s *lobbyScreen) updateFocus() {
	had := s.showsTurns
	s.showsTurns = len(s.turnRows().items) > 0
	if s.lists[turnBlock].IsSelectionLost() {
		s.lists[turnBlock].Select("")
	}
	switch {
	case !s.showsTurns:
		s.focus.First = int(playBlock)
		s.focus.Selected = max(s.focus.Selected, s.focus.First)
	case !had && !s.LastKeyTime.After(s.opened):
		s.focus.First, s.focus.Selected = int(turnBlock), int(turnBlock)
	default:
		s.focus.First = int(turnBlock)
	}
}

// turnRows returns the matches and offers that wait for the player.
func (s *lobbyScreen) turnRows() (r blockRows) {
	for _, m := range s.Turns.OwnTurns() {
		row := screen.TurnRow(s.Lang, m)
		row.Button = s.Lang.Text("play")
		open := func(s *lobbyScreen) tea.Cmd { return s.OpenTurn(m.ID) }
		r.addItem(item{id: "turn " + m.ID, label: "play", open: open}, row)
	}
	for _, o := range s.Turns.OffersToPlayer() {
		open := func(s *lobbyScreen) tea.Cmd { return s.Nav.Open(screen.NewCorrespondenceOffer(s.Env, o.ID)) }
		row := screen.OfferRow(s.Lang, o)
		row.Button = s.Lang.Text("answer")
		r.addItem(item{id: "turn offer " + o.ID, label: "answer", open: open}, row)
	}
	return r
}

// drawTurnBlock returns the matches and offers that wait for the player, and the number of matches that wait for
// opponents. Of those that do not fit, it has the number.
func (s *lobbyScreen) drawTurnBlock(width, height int) []string {
	b := widget.Block{Title: s.Lang.Text("Your turn")}
	waiting := len(s.Turns.Matches) - len(s.Turns.OwnTurns())
	if waiting > 0 {
		b.Note = s.Lang.Text("%d waits for the opponent||%d wait for opponents", waiting)
	}
	r := s.turnRows()
	more := len(r.items) - (height - 2)
	if more > 1 {
		r.items, r.all = r.items[:height-2], r.all[:height-2]
		r.add(widget.Row{Text: term.Faint.Render(s.Lang.Text("and %d more", more)), Press: "c"})
	}
	return s.drawBlock(turnBlock, b, r, width, height)
}
