package lines

import (
	"context"

	"broadside/internal/i18n"
	"broadside/internal/view"
	"broadside/lobby"
	"broadside/sshd/command"
)

// reportTurns says which correspondence matches and offers have come to wait for the player since the last call.
func (s *Session) reportTurns() {
	s.reported.TurnRevision = s.state.TurnRevision
	if s.state.Me.Account == "" || !s.state.HasStore {
		return
	}
	before := s.turns
	turns, err := queryStore(s.player, s.session.ReadTurns)
	if err != nil {
		return
	}
	s.turns = turns
	matches, offers := turns.NewSince(before, s.state.Match)
	switch len(matches) {
	case 0:
	case 1:
		s.print("It is your turn against %s. Type open %s.", collapseSpaces(matches[0].Opponent), view.ShortID(matches[0].ID))
	default:
		s.print("It is your turn in %d matches. Type turns.", len(matches))
	}
	for _, o := range offers {
		terms, id := view.CorrespondenceTerms(s.lang, o.Rules, o.Pace, o.Mode), view.ShortID(o.ID)
		s.print("%s offers a match: %s. Type accept %s or withdraw %s.", collapseSpaces(o.Player), terms, id, id)
	}
}

// printDueTime says that a correspondence match waits, and for how long.
func (g *game) printDueTime() {
	left := g.timeLeft(g.lastUpdate.Deadline)
	switch {
	case g.lastUpdate.Deadline.IsZero():
		g.print("The match waits for you.")
	case !g.isMyTurn():
		g.print("The match waits: %s has %s.", g.opponent, left)
	case g.isPlacing():
		g.print("The match waits for you. Your fleet is due in %s.", left)
	default:
		g.print("The match waits for you. Your next shot is due in %s.", left)
	}
}

// acceptOffer accepts a correspondence offer by its ID's first letters.
func (f *finder) acceptOffer(prefix string) {
	all, err := queryStore(f.player, f.session.CorrespondenceOffers)
	id := ""
	if err == nil {
		missing := i18n.Errorf("there is no offer %s: type offers", shortenWord(prefix))
		id, err = command.FindID(all, func(o lobby.CorrespondenceOffer) string { return o.ID }, prefix, missing)
	}
	if err != nil {
		f.printError(err)
		return
	}
	f.runStoreAction(func(ctx context.Context) error { return f.session.AcceptCorrespondence(ctx, id) })
}

// offerCorrespondence offers the same opponent another correspondence match.
func (f *finder) offerCorrespondence() {
	m := f.game.Match
	terms := lobby.CorrespondenceTerms{Rules: m.Rules, Mode: f.settings.RatingMode(), Pace: m.Pace, Opponent: m.Opponent.Name}
	if f.runStoreAction(func(ctx context.Context) error { return f.session.OfferCorrespondence(ctx, terms) }) {
		f.print("%s can accept your offer for 30 days.", f.game.opponent)
	}
}
