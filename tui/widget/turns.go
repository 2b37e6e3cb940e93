package widget

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/view"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/tui/text"
)

// NextTurn returns the match that waits for the player, other than the one on the screen, or false.
func (e *Env) NextTurn() (lobby.CorrespondenceMatch, bool) {
	for _, m := range e.Turns.OwnTurns() {
		if e.State.Match == nil || m.ID != e.State.Match.ID {
			return m, true
		}
	}
	return lobby.CorrespondenceMatch{}, false
}

// ReadTurns returns a command that reads Turns in the background. A notice says which matches and offers
// wait for the player only since the last call.
func (e *Env) ReadTurns() tea.Cmd {
	e.turnReads++
	if e.State.Me.Account == "" || !e.State.HasStore {
		e.Turns = session.Turns{}
		return nil
	}
	number := e.turnReads
	return Query(e, e.Session.ReadTurns, func(t session.Turns, err error) tea.Cmd {
		if number != e.turnReads {
			return nil
		}
		if err != nil {
			e.Notice = e.ErrorText(err)
			return nil
		}
		before := e.Turns
		e.Turns = t
		return e.announceTurns(before)
	})
}

// announceTurns shows a notice about a match or an offer that did not wait for the player before, except during
// matches whose players must be quick.
func (e *Env) announceTurns(before session.Turns) tea.Cmd {
	playing := e.State.Match
	if !before.IsRead || playing != nil && playing.Pace == 0 {
		return nil
	}
	matches, offers := e.Turns.NewSince(before, playing)
	switch {
	case len(matches) > 0:
		e.Notice = e.Lang.Text("It is your turn against %s.", text.CleanName(matches[0].Opponent))
	case len(offers) > 0:
		e.Notice = e.offerText(offers[0])
	default:
		return nil
	}
	return e.RingBell()
}

// offerText says who offers the player a correspondence match, and its terms.
func (e *Env) offerText(o lobby.CorrespondenceOffer) string {
	terms := view.CorrespondenceTerms(e.Lang, o.Rules, o.Pace, o.Mode)
	return e.Lang.Text("%s offers a match: %s.", text.CleanName(o.Player), terms)
}

// OpenTurn returns a command that opens a correspondence match by its ID.
func (e *Env) OpenTurn(id string) tea.Cmd {
	open := func(ctx context.Context) error { return e.Session.OpenCorrespondence(ctx, id) }
	return Exec(e, open, func(err error) tea.Cmd {
		if e.CheckAction(err) {
			return nil
		}
		return e.ReadTurns()
	})
}

// OfferMatch returns a command that offers a correspondence match, and then calls done with whether that
// succeeded. A notice says what comes next.
func (e *Env) OfferMatch(terms lobby.CorrespondenceTerms, done func(ok bool)) tea.Cmd {
	offer := func(ctx context.Context) error { return e.Session.OfferCorrespondence(ctx, terms) }
	return Exec(e, offer, func(err error) tea.Cmd {
		ok := e.CheckAction(err)
		done(ok)
		switch {
		case !ok:
		case terms.Opponent == "":
			e.Notice = e.Lang.Text("Your offer is open for 30 days. You can leave, or play meanwhile.")
		default:
			e.Notice = e.Lang.Text("%s can accept your offer for 30 days.", text.CleanName(terms.Opponent))
		}
		return nil
	})
}
