package session

import (
	"context"
	"slices"

	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/account"
)

// OfferCorrespondence opens an offer of a correspondence match.
func (s *Session) OfferCorrespondence(ctx context.Context, terms lobby.CorrespondenceTerms) error {
	return s.lobby.Correspondence.Offer(ctx, s.Player(), terms)
}

// CorrespondenceOffers returns the open offers that the player has made or can accept: those to the
// player first, then the player's own.
func (s *Session) CorrespondenceOffers(ctx context.Context) ([]lobby.CorrespondenceOffer, error) {
	return s.lobby.Correspondence.ListOffers(ctx, s.Player())
}

// AcceptCorrespondence accepts an offer by its ID and opens the match.
func (s *Session) AcceptCorrespondence(ctx context.Context, offer string) error {
	id, err := s.lobby.Correspondence.Accept(ctx, s.Player(), offer)
	if err != nil {
		return err
	}
	return s.OpenCorrespondence(ctx, id)
}

// WithdrawCorrespondence withdraws an offer of the player, or declines one to the player.
func (s *Session) WithdrawCorrespondence(ctx context.Context, offer string) error {
	return s.lobby.Correspondence.Withdraw(ctx, s.Player(), offer)
}

// CorrespondenceMatches returns the player's matches that have not ended: first those where it is the
// player's turn, each in the order of their deadlines.
func (s *Session) CorrespondenceMatches(ctx context.Context) ([]lobby.CorrespondenceMatch, error) {
	return s.lobby.Correspondence.List(ctx, s.Player())
}

// Turns are a player's correspondence matches, and the offers of such matches that the player has made or can
// accept. Those that wait for the player come first.
type Turns struct {
	Matches []lobby.CorrespondenceMatch
	Offers  []lobby.CorrespondenceOffer
	// IsRead is set once the player's matches and offers are known.
	IsRead bool
}

// ReadTurns returns the player's matches and offers.
func (s *Session) ReadTurns(ctx context.Context) (t Turns, err error) {
	if t.Matches, err = s.CorrespondenceMatches(ctx); err != nil {
		return t, err
	}
	t.Offers, err = s.CorrespondenceOffers(ctx)
	t.IsRead = true
	return t, err
}

// OwnTurns returns the matches that wait for the player.
func (t Turns) OwnTurns() []lobby.CorrespondenceMatch {
	n := slices.IndexFunc(t.Matches, func(m lobby.CorrespondenceMatch) bool { return !m.IsTurn })
	if n < 0 {
		return t.Matches
	}
	return t.Matches[:n]
}

// OffersToPlayer returns the offers that no one else can accept.
func (t Turns) OffersToPlayer() []lobby.CorrespondenceOffer {
	n := slices.IndexFunc(t.Offers, func(o lobby.CorrespondenceOffer) bool { return !o.IsForReader })
	if n < 0 {
		return t.Offers
	}
	return t.Offers[:n]
}

// NewSince returns the matches and offers that wait for the player and did not before, except for the match that
// the player has open, or nil.
func (t Turns) NewSince(before Turns, open *Match) (matches []lobby.CorrespondenceMatch, offers []lobby.CorrespondenceOffer) {
	for _, m := range t.OwnTurns() {
		isSame := func(other lobby.CorrespondenceMatch) bool { return other.ID == m.ID }
		if !slices.ContainsFunc(before.OwnTurns(), isSame) && (open == nil || open.ID != m.ID) {
			matches = append(matches, m)
		}
	}
	for _, o := range t.OffersToPlayer() {
		isSame := func(other lobby.CorrespondenceOffer) bool { return other.ID == o.ID }
		if !slices.ContainsFunc(before.Offers, isSame) {
			offers = append(offers, o)
		}
	}
	return matches, offers
}

// OpenCorrespondence takes the player's seat in a correspondence match, which another session of the
// player loses.
func (s *Session) OpenCorrespondence(ctx context.Context, id string) error {
	return s.takeSeat(s.lobby.Correspondence.Open(ctx, s.Player(), id))
}

// ResetFeed gives the player's private feed of correspondence matches a new token and returns it. The old
// token becomes invalid.
func (s *Session) ResetFeed(ctx context.Context) (token string, err error) {
	me := s.Player()
	if s.lobby.Store() == nil || me.Account == "" {
		return "", lobby.ErrNeedsAccount
	}
	if token, err = s.lobby.Store().Correspondence.ResetFeed(ctx, me.Account); err != nil {
		return "", account.ErrStore
	}
	return token, nil
}

// Feed is what a private feed shows.
type Feed struct {
	Player account.Player
	// Language is that of the player's settings, or "".
	Language string
	// Turns are the matches in which it is the player's turn.
	Turns []lobby.CorrespondenceMatch
}

// ReadFeed returns the private feed with a token, which may be another player's. The error is
// [store.ErrNotFound] if there is no such feed.
func (s *Session) ReadFeed(ctx context.Context, token string) (f Feed, err error) {
	// The store compares hashes, so response times do not help to guess tokens.
	if s.lobby.Store() == nil {
		return f, store.ErrNotFound
	}
	found, err := s.lobby.Store().Correspondence.FindByFeedToken(ctx, token)
	if err != nil {
		return f, err
	}
	f.Player = account.PersonPlayer(found)
	f.Language = s.lobby.Accounts.Settings(ctx, f.Player).Language
	var t Turns
	t.Matches, err = s.lobby.Correspondence.List(ctx, f.Player)
	f.Turns = t.OwnTurns()
	return f, err
}
