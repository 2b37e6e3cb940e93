package session

import (
	"context"

	"broadside/lobby/review"
)

// Review is the review of a match.
type Review struct {
	Ready bool
	Sides review.Match // by side
}

// Review returns the review of a finished match: the accuracy of both sides and their
// costliest shots. It waits for the database, but not for the review. If the answer is not
// ready, the session gets an update [ReviewReady] with the match's ID and the review once it is.
func (s *Session) Review(ctx context.Context, id string) (Review, error) {
	m, ready, err := s.lobby.Reviews.FindOrStart(ctx, id, func(m review.Match) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pending.addLocked(Update{Kind: ReviewReady, ID: id, Review: Review{true, m}})
	})
	return Review{ready, m}, err
}
