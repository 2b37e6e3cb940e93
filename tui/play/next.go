package play

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// nextItem is a suggestion for what to do after a match.
type nextItem struct {
	key   key.Binding
	label i18n.Key
	note  string
	open  func(*result) tea.Cmd
}

var nextKeys = struct{ rematch, replay, bot, daily, name, back, open key.Binding }{
	rematch: widget.Bind("r", "rematch", "r"), replay: widget.Bind("v", "replay", "v"), bot: widget.Bind("b", "next bot", "b"),
	daily: widget.Bind("d", "daily sea", "d"), name: widget.Bind("esc", "name", "esc q"), back: widget.Bind("esc", "lobby", "esc q"),
	open: widget.Bind("enter", "choose", "enter"),
}

// items returns the suggestions that are possible now, the best one first.
func (s *result) items() []nextItem {
	g, k := s.match.game, &nextKeys
	var items []nextItem
	add := func(when bool, item nextItem) {
		if when {
			items = append(items, item)
		}
	}
	open := s.State.Offer == nil
	add(!g.seat.OpponentLeft, nextItem{k.rematch, "Rematch", s.rematchNote(), func(s *result) tea.Cmd {
		if s.State.Offer == nil {
			s.Check(s.Session.Rematch())
		}
		return nil
	}})
	add(open && g.outcome.Stored, nextItem{k.replay, "Replay", s.replayNote(), (*result).replay})
	next := s.nextBot()
	add(open && next != "", nextItem{k.bot, "Next bot", narrate.BotName(s.Lang, next), func(s *result) tea.Cmd {
		s.Check(s.Session.PlayBot(next, s.Settings.Rules, s.Settings.Stakes()))
		return nil
	}})
	add(open && s.match.hot == nil && s.Session.State().HasStore, nextItem{k.daily, "Daily sea", s.Lang.Text("one fleet a day"), func(s *result) tea.Cmd {
		s.Home("")
		return s.Open(NewDaily(s.Env))
	}})
	leave := nextItem{k.back, "Lobby", "", func(s *result) tea.Cmd {
		s.Home("")
		return nil
	}}
	if s.AsksName() {
		leave.key, leave.label = k.name, "Choose a name"
	}
	add(true, leave)
	return items
}

// rematchNote returns the state of a rematch.
func (s *result) rematchNote() string {
	g := s.match.game
	switch {
	case s.match.hot != nil:
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

// rematchShort returns an offered rematch's state in at most width cells.
func (s *result) rematchShort(width int) string {
	short := s.Lang.Text("%s: rematch?", s.match.game.opponent)
	if s.State.Offer != nil {
		short = s.Lang.Text("Waiting for %s.", s.match.game.opponent)
	}
	return text.FirstFitting(width, s.rematchNote(), short)
}

func (s *result) replayNote() string {
	if c := s.costliest(); len(c) > 0 {
		return s.Lang.Text("from shot %d", c[0].Turn)
	}
	return ""
}

// replay opens the replay at the player's costliest shot.
func (s *result) replay() tea.Cmd {
	if c := s.costliest(); len(c) > 0 {
		return s.PlayReplay(s.match.game.about.ID, c[0].Turn)
	}
	return s.PlayReplay(s.match.game.about.ID, 0)
}

// nextBot returns the bot after the one that the player has beaten, or "".
func (s *result) nextBot() string {
	g := s.match.game
	if g.about.Opponent.Kind != account.Bot || g.last.View.Winner != g.side {
		return ""
	}
	return session.NextBot(s.Settings.Rules, g.about.Opponent.Name)
}

// resultPause is how long enter does nothing at first, because it may have been meant for a shot.
const resultPause = 2 * time.Second

// press handles a key for the suggestions.
func (s *result) press(msg tea.KeyPressMsg) tea.Cmd {
	items := s.items()
	if !key.Matches(msg, nextKeys.open) {
		s.opened = time.Time{}
	}
	var ok bool
	if s.at, ok = widget.Step(msg, min(s.at, len(items)-1), len(items)); ok {
		return nil
	}
	switch {
	case key.Matches(msg, nextKeys.open):
		if time.Since(s.opened) < resultPause {
			return nil
		}
		return items[s.at].open(s)
	case key.Matches(msg, nextKeys.replay) && !s.match.game.outcome.Stored:
		s.Notice = s.Lang.Text("No replay of this match is available right now.")
	}
	for _, item := range items {
		if key.Matches(msg, item.key) {
			return item.open(s)
		}
	}
	return nil
}

// nextBlock returns the block with the suggestions.
func (s *result) nextBlock(width, height int) widget.Area {
	b := widget.Block{Title: s.Lang.Text("What next"), Focused: true}
	items := s.items()
	for i, item := range items {
		row := widget.Row{Text: s.Lang.Text(item.label), Note: item.note, Key: s.Lang.Label(item.key.Help().Key), Press: item.key.Keys()[0], Selected: i == min(s.at, len(items)-1)}
		if item.label == "Rematch" && (s.State.Offer != nil || s.match.game.seat.RematchOffered) { // matters more than the label
			row.Text, row.Note = s.rematchShort(width-8), ""
		}
		b.Rows = append(b.Rows, row)
	}
	return b.Draw(width, min(height, len(b.Rows)+1))
}
