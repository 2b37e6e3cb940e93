package session

import (
	"context"

	"broadside/lobby/review"
)

// GetReview asks for the review of a finished match: the accuracy of both sides and their
// costliest shots. It waits for the database, but not for the review. If the answer is not
// ready, the session gets an update [ReviewReady] with the match's ID once it is.
type GetReview struct{ ID string }

// Review is the answer to [GetReview].
type Review struct {
	Ready bool
	Sides [2]review.Side // by side
}

func (q GetReview) ask(ctx context.Context, s *Local) (Review, error) {
	m, ready, err := s.lobby.Reviews.Of(ctx, q.ID, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pending.addLocked(Update{Kind: ReviewReady, ID: q.ID})
	})
	return Review{ready, m}, err
}
