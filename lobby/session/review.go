package session

import (
	"context"

	"broadside/lobby/review"
)

// Review is a match's review, once it is ready.
type Review struct {
	Ready bool
	Sides review.Match
}

// RequestReview returns a finished match's review: both sides' accuracy and worst mistakes. It waits for
// the database, but not for the review. If the review is not ready, the session gets it with an
// update [ReviewReady].
func (s *Session) RequestReview(ctx context.Context, id string) (Review, error) {
	m, ready, err := s.lobby.Reviews.FindOrStart(ctx, id, func(m review.Match) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pending.addLocked(Update{Kind: ReviewReady, ID: id, Review: Review{true, m}})
	})
	return Review{ready, m}, err
}
