package lines

import (
	"context"

	"broadside/internal/narrate"
	"broadside/lobby/session"
)

// printOrAwaitReview prints how well both sides fired. If the match is not reviewed yet, an update follows.
func (g *game) printOrAwaitReview() {
	if !g.isOver() || !g.state.Outcome.Stored {
		return
	}
	// Without a review, only the accuracies are missing.
	r, err := queryStore(g.player, func(ctx context.Context) (session.Review, error) { return g.session.RequestReview(ctx, g.ID) })
	if err == nil {
		g.printReview(r)
	}
}

func (g *game) printReview(r session.Review) {
	if g.accuracyPrinted || !r.Ready {
		return
	}
	g.accuracyPrinted = true
	own, other := r.Sides[g.Side], r.Sides[g.Side.Other()]
	if own.Judged == 0 {
		return
	}
	percent := func(share float64) string { return narrate.Percent(g.lang, share) }
	g.print("Your accuracy: %s. %s's accuracy: %s.", percent(own.Accuracy), g.opponent, percent(other.Accuracy))
	g.print("Accuracy compares each shot with the best one. It is not the hit rate.")
	for _, s := range own.Costliest {
		shot, best := s.Cell.String(), s.Best.String()
		g.print("Mistake %d: %s hits with %s, %s with %s.", s.Turn, shot, percent(s.Odds), best, percent(s.BestOdds))
	}
}
