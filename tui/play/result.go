package play

import (
	"cmp"
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/internal/term"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/component"
)

// result shows how the match ended, and the player's options.
type result struct {
	*shared
	boards component.Boards
}

// newResult returns the result of a match. It keeps the board selection and scroll
// position of the battle.
func newResult(m *shared) *result {
	r := &result{m, component.Boards{Chosen: component.EnemyBoard}}
	if b, ok := m.page.(*battle); ok {
		r.boards = b.boards.Copy()
	}
	return r
}

func (s *result) question() *leaving { return nil }

var resultKeys = struct{ rematch, replay, back key.Binding }{
	rematch: component.Bind("r", "rematch", "r"), replay: component.Bind("v", "replay", "v"), back: component.Bind("esc", "lobby", "esc q b"),
}

var rematchToo = component.Bind("enter", "rematch", "enter")

func (s *result) Update(msg tea.Msg) tea.Cmd {
	press, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
	case key.Matches(press, component.OtherBoard) && s.boards.Switch():
	case key.Matches(press, resultKeys.rematch, rematchToo):
		if s.State.Offer == nil {
			s.Do(session.Rematch{})
		}
	case key.Matches(press, resultKeys.replay):
		if s.State.Offer == nil && s.game.outcome.Stored {
			return s.PlayReplay(s.game.about.ID)
		}
		s.Notice = s.Lang.Text("no-replay-of-this-match")
	case key.Matches(press, resultKeys.back):
		s.Home("")
	}
	return nil
}

func (s *result) View(size component.Size) component.View {
	g := s.game
	if !g.outcome.Stored { // it may be stored by now
		s.State = s.Session.State()
		g.outcome = s.State.Outcome
	}
	v := &g.last.View
	other := g.side.Other()
	verdict := term.Warn.Render(s.Lang.Text("nobody-won-capitals"))
	switch v.Winner {
	case g.side:
		verdict = term.Good.Render(s.Lang.Text("you-have-won-capitals-sentence"))
	case other:
		verdict = term.Bad.Render(s.Lang.Text("you-have-lost-capitals"))
	}
	why := phrase.Ending(s.Lang, v, g.side, g.opponent)
	if g.outcome.Continues {
		verdict, why = term.Warn.Render(s.Lang.Text("interrupted")), s.Lang.Text("the-server-goes-down-come")
		if g.code != "" {
			why = s.Lang.Text("to-continue-your-match-later", g.code)
		}
	}
	theirs := board.Panel{Heading: s.Lang.Text("the-fleet-of-x", strings.ToUpper(g.opponent)), Board: board.Own(v, other), Below: phrase.Afloat(s.Lang, &v.Charts[g.side])}
	if v.Fleets[other] == nil {
		theirs.Heading, theirs.Board = s.Lang.Text("enemy-waters")+" · "+g.opponent, board.Enemy(&v.Charts[g.side], board.Nowhere, v.Last[g.side]...)
	}
	shots := phrase.ShotsFired(s.Lang, v, g.side, g.opponent)
	rating := s.rating()
	next := s.next()
	brief := size.Fit(shots+rating, cmp.Or(strings.TrimSpace(rating), shots))
	if s.State.Offer != nil || g.seat.OpponentLeft || g.seat.RematchOffered { // the offer or the opponent's decision matters more
		brief = next
	}
	text := []string{shots + rating, next}
	if rounds := phrase.Rounds(s.Lang, v); rounds != "" {
		text = append([]string{rounds}, text...)
	}
	if v.Disputed[match.First] || v.Disputed[match.Second] {
		text = append(text, term.Warn.Render(s.Lang.Text("the-match-is-disputed-answers")))
	}
	if s.Session.HasStore() && s.hot == nil && !g.outcome.Stored && !g.outcome.Continues {
		text = append(text, term.Warn.Render(s.Lang.Text("the-server-could-not-save")))
	}
	own := board.Panel{Heading: s.Lang.Text("your-fleet"), Board: board.Own(v, g.side), Below: phrase.Afloat(s.Lang, &v.Charts[other])}
	return s.boards.View(size, board.Scene{Status: verdict + " " + why, Panels: []board.Panel{own, theirs}, Text: text, Brief: brief})
}

// rating returns the change of the player's rating, or "" for an unrated match.
func (s *result) rating() string {
	g := s.game
	o := &g.outcome
	if !o.Rated {
		return ""
	}
	colour := term.Good
	if o.After[g.side] < o.Before[g.side] {
		colour = term.Bad
	}
	change := o.After[g.side] - o.Before[g.side]
	return "   " + s.Lang.Text("your-rating-x-x", term.Strong.Render(o.RatingText(g.side)), colour.Render(fmt.Sprintf("(%+.0f)", change)))
}

// next returns the state of a rematch.
func (s *result) next() string {
	g := s.game
	switch {
	case s.State.Offer != nil:
		return s.Lang.Text("waiting-for-x-to-agree", g.opponent)
	case g.seat.OpponentLeft:
		return term.Faint.Render(s.Lang.Text("x-has-left", g.opponent))
	case g.seat.RematchOffered:
		return term.Good.Render(s.Lang.Text("x-wants-a-rematch", g.opponent)) + " " + s.Lang.Text("press-r")
	}
	return s.Lang.Text("press-r-for-a-rematch")
}

func (s *result) Bindings() []key.Binding {
	bindings := []key.Binding{resultKeys.replay, resultKeys.back, component.Help, component.Leave}
	if s.State.Offer == nil && !s.game.seat.OpponentLeft {
		bindings = append([]key.Binding{resultKeys.rematch}, bindings...)
	}
	return s.boards.WithSwitch(bindings)
}
