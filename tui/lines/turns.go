package lines

import (
	"context"
	"slices"
	"strings"

	"broadside/internal/view"
	"broadside/lobby"
)

// reportTurns says which correspondence matches and offers have come to wait for the player since the last call.
func (s *Session) reportTurns() {
	s.reported.TurnRevision = s.state.TurnRevision
	if s.state.Me.Account == "" || !s.state.HasStore {
		return
	}
	matches, err := queryStore(s.player, s.session.CorrespondenceMatches)
	if err != nil {
		return
	}
	known := s.turns
	s.turns = nil
	var news []lobby.CorrespondenceMatch
	for _, m := range matches {
		if !m.IsTurn {
			continue
		}
		s.turns = append(s.turns, m.ID)
		isOpen := s.game != nil && s.game.ID == m.ID
		if !isOpen && !slices.Contains(known, m.ID) {
			news = append(news, m)
		}
	}
	switch len(news) {
	case 0:
	case 1:
		s.print("It is your turn against %s. Type open %s.", collapseSpaces(news[0].Opponent), view.ShortID(news[0].ID))
	default:
		s.print("It is your turn in %d matches. Type turns.", len(news))
	}
	s.reportOffers()
}

// reportOffers says which offers to the player are new.
func (s *Session) reportOffers() {
	offers, err := queryStore(s.player, s.session.CorrespondenceOffers)
	if err != nil {
		return
	}
	known := s.offers
	s.offers = nil
	for _, o := range offers {
		if !o.IsForReader {
			continue
		}
		s.offers = append(s.offers, o.ID)
		if !slices.Contains(known, o.ID) {
			terms, id := view.CorrespondenceTerms(s.lang, o.Rules, o.Pace, o.Mode), view.ShortID(o.ID)
			s.print("%s offers a match: %s. Type accept %s or withdraw %s.", collapseSpaces(o.Player), terms, id, id)
		}
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

// acceptOffer accepts an offer of a correspondence match by the start of its ID.
func (f *finder) acceptOffer(id string) {
	all, err := queryStore(f.player, f.session.CorrespondenceOffers)
	if err != nil {
		f.printError(err)
		return
	}
	isNamed := func(o lobby.CorrespondenceOffer) bool { return strings.HasPrefix(o.ID, strings.ToLower(id)) }
	i := slices.IndexFunc(all, isNamed)
	if i < 0 {
		f.print("There is no offer %s. Type offers.", shortenWord(id))
		return
	}
	f.runStoreAction(func(ctx context.Context) error { return f.session.AcceptCorrespondence(ctx, all[i].ID) })
}

// offerCorrespondence offers the same opponent another correspondence match.
func (f *finder) offerCorrespondence() {
	m := f.game.Match
	terms := lobby.CorrespondenceTerms{Rules: m.Rules, Mode: f.settings.RatingMode(), Pace: m.Pace, Opponent: m.Opponent.Name}
	if f.runStoreAction(func(ctx context.Context) error { return f.session.OfferCorrespondence(ctx, terms) }) {
		f.print("%s can accept your offer for 30 days.", f.game.opponent)
	}
}
