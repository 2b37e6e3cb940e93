package session

import (
	"context"

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
