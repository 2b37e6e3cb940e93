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
	p, ok, err := s.lobby.Correspondence.FindByFeedToken(ctx, token)
	if err == nil && !ok {
		err = store.ErrNotFound
	}
	if err != nil {
		return f, err
	}
	f.Player, f.Language = p, s.lobby.Accounts.Settings(ctx, p).Language
	all, err := s.lobby.Correspondence.List(ctx, p)
	f.Turns = slices.DeleteFunc(all, func(m lobby.CorrespondenceMatch) bool { return !m.IsTurn })
	return f, err
}
