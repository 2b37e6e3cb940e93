package screen

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/view"
	"broadside/lobby"
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// correspondenceScreen lists the player's correspondence matches and the open offers.
type correspondenceScreen struct {
	*widget.Env
	list widget.List[correspondenceItem]
	// asksRemoval is set while the player is asked whether to withdraw or decline the selected offer.
	asksRemoval bool
	// busy is set while an offer is being accepted or removed.
	busy bool
}

// correspondenceItem is a match or an offer. The other one is nil.
type correspondenceItem struct {
	match *lobby.CorrespondenceMatch
	offer *lobby.CorrespondenceOffer
}

func (i correspondenceItem) id() string {
	switch {
	case i.match != nil:
		return i.match.ID
	case i.offer != nil:
		return i.offer.ID
	}
	return ""
}

// NewCorrespondence returns the screen with the player's correspondence matches.
func NewCorrespondence(env *widget.Env) widget.Screen { return NewCorrespondenceOffer(env, "") }

// NewCorrespondenceOffer returns the same screen with an offer selected.
func NewCorrespondenceOffer(env *widget.Env, offer string) widget.Screen {
	s := &correspondenceScreen{Env: env}
	s.list.ID, s.list.Open = correspondenceItem.id, s.openItem
	s.updateItems()
	s.list.Select(offer)
	return s
}

// Init implements [widget.Initializer]. It reads the matches and offers.
func (s *correspondenceScreen) Init() tea.Cmd { return s.ReadTurns() }

// Subject implements [widget.Subject].
func (s *correspondenceScreen) Subject() any {
	item, _ := s.list.Selected()
	return item.id()
}

// Typing implements [widget.Typist]. It keeps y and n for this screen.
func (s *correspondenceScreen) Typing() widget.Typing { return widget.SomeText }

// updateItems lists what was read last.
func (s *correspondenceScreen) updateItems() {
	if !s.Turns.IsRead && s.State.Me.Account != "" {
		return
	}
	var items []correspondenceItem
	for i := range s.Turns.Matches {
		items = append(items, correspondenceItem{match: &s.Turns.Matches[i]})
	}
	for i := range s.Turns.Offers {
		items = append(items, correspondenceItem{offer: &s.Turns.Offers[i]})
	}
	s.list.SetItems(items)
}

func (s *correspondenceScreen) Update(msg tea.Msg) tea.Cmd {
	press, ok := msg.(tea.KeyPressMsg)
	if ok && s.asksRemoval {
		s.asksRemoval = false
		if s.Lang.IsYes(press.String()) {
			return s.changeOffer(s.Session.WithdrawCorrespondence)
		}
		return nil
	}
	if _, ok := msg.(widget.Pick); ok {
		s.asksRemoval = false
	}
	return s.list.Update(msg)
}

// Actions implements [widget.Screen].
func (s *correspondenceScreen) Actions() []widget.Action {
	item, _ := s.list.Selected()
	open, remove := i18n.Key("play"), i18n.Key("decline")
	switch {
	case item.offer == nil:
	case item.offer.IsOwn:
		open, remove = "", "withdraw"
	default:
		open = "accept"
	}
	if s.asksRemoval {
		return []widget.Action{
			{Keys: "y", Cap: "y##yes", Label: remove},
			{Keys: "esc", Cap: "any other key", Label: "keep"},
		}
	}
	canRemove := item.offer != nil && (item.offer.IsOwn || item.offer.IsForReader)
	return append(s.list.Actions(open), []widget.Action{
		{Keys: "n", Label: "offer a match", Do: func() tea.Cmd { return s.Nav.Open(NewMatchAgainst(s.Env, "")) }},
		{Keys: "x delete", Label: remove, Off: !canRemove, Do: widget.NoCommand(func() { s.asksRemoval = true })},
		widget.HelpHint,
		widget.BackAction(s.Env, "q c backspace"),
	}...)
}

// openItem opens a match or accepts an offer.
func (s *correspondenceScreen) openItem(item correspondenceItem) tea.Cmd {
	switch {
	case item.match != nil:
		return s.OpenTurn(item.match.ID)
	case item.offer.IsOwn:
		s.Notice = s.Lang.Text("This is your own offer. Press x to withdraw it.")
		return nil
	}
	return s.changeOffer(s.Session.AcceptCorrespondence)
}

// changeOffer accepts or removes the selected offer and reads the list again. It does nothing while another
// change runs.
func (s *correspondenceScreen) changeOffer(action func(context.Context, string) error) tea.Cmd {
	item, ok := s.list.Selected()
	if s.busy || !ok {
		return nil
	}
	s.busy = true
	return widget.Exec(s.Env, func(ctx context.Context) error { return action(ctx, item.id()) }, func(err error) tea.Cmd {
		s.busy = false
		s.CheckAction(err)
		return s.ReadTurns()
	})
}

func (s *correspondenceScreen) View(size widget.Size) widget.View {
	s.updateItems()
	view := widget.PageView(size, s.Lang.Text("Correspondence"), widget.ListWidth, func(width, height int) []string {
		none := i18n.Key("You have no correspondence matches. Press n to offer one: you have days for each shot.")
		if s.State.Me.Account == "" {
			none = needsAccount
		}
		b := widget.Block{Title: s.Lang.Text("Your turn"), Note: fmt.Sprint(len(s.Turns.OwnTurns())), Focused: true}
		if len(s.list.Items) == 0 {
			b.Rows = s.list.Rows(s.Env, width, height-1, s.drawItem, none)
			return b.Draw(width, height)
		}
		own, matches := len(s.Turns.OwnTurns()), len(s.Turns.Matches)
		for i, item := range s.list.Items {
			if i == own && i < matches {
				b.Rows = append(b.Rows, s.heading("Waiting for opponents", matches-own))
			}
			if i == matches {
				b.Rows = append(b.Rows, s.heading("Offers", len(s.Turns.Offers)))
			}
			b.Rows = append(b.Rows, s.list.CompleteRow(i, s.drawItem(i, item)))
		}
		return b.Draw(width, height)
	})
	item, _ := s.list.Selected()
	if s.asksRemoval && item.offer != nil {
		view.Question = s.Lang.Text("Decline this offer?")
		if item.offer.IsOwn {
			view.Question = s.Lang.Text("Withdraw this offer?")
		}
	}
	return view
}

func (s *correspondenceScreen) heading(title i18n.Key, count int) widget.Row {
	return widget.Row{Heading: s.Lang.Text(title), Note: fmt.Sprint(count)}
}

// needsAccount is shown to guests.
const needsAccount i18n.Key = "Correspondence matches need an account: press a in the lobby and choose a name."

// TurnRow returns a correspondence match with the time left.
func TurnRow(l i18n.Language, m lobby.CorrespondenceMatch) widget.Row {
	row := widget.Row{Text: term.Strong.Render(text.CleanName(m.Opponent)), Note: narrate.TimeLeft(l, time.Until(m.Deadline))}
	if m.Rules.Name != match.Classic().Name {
		row.Text += "  " + term.Faint.Render(text.CleanName(m.Rules.Name))
	}
	return row
}

// OfferRow returns an offer of a correspondence match with its terms.
func OfferRow(l i18n.Language, o lobby.CorrespondenceOffer) widget.Row {
	terms := view.CorrespondenceTerms(l, o.Rules, o.Pace, o.Mode)
	return widget.Row{Text: term.Strong.Render(text.CleanName(o.Player)) + "  " + term.Faint.Render(terms)}
}

// drawItem returns a match with the time left, or an offer with its terms.
func (s *correspondenceScreen) drawItem(_ int, item correspondenceItem) widget.Row {
	m, o := item.match, item.offer
	if m != nil {
		return TurnRow(s.Lang, *m)
	}
	row := OfferRow(s.Lang, *o)
	switch {
	case o.IsOwn && o.Opponent != "":
		row.Note = s.Lang.Text("to %s", text.CleanName(o.Opponent))
	case o.IsOwn:
		row.Note = s.Lang.Text("your offer")
	case o.IsForReader:
		row.Note = s.Lang.Text("to you")
	}
	return row
}
