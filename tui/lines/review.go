package lines

import (
	"broadside/internal/narrate"
	"broadside/lobby/session"
)

// askReview describes how well both sides shot. If the match is not reviewed yet, an update follows.
func (g *game) askReview() {
	if !g.over() || !g.state.Outcome.Stored {
		return
	}
	if r, err := g.own.Review(g.ctx, g.ID); err == nil { // the result does not depend on it
		g.printReview(r)
	}
}

func (g *game) printReview(r session.Review) {
	if g.reviewed || !r.Ready {
		return
	}
	g.reviewed = true
	own, other := r.Sides[g.Side], r.Sides[g.Side.Other()]
	if own.Judged == 0 {
		return
	}
	g.print("Your accuracy: %s. %s's accuracy: %s.", narrate.Percent(g.l, own.Accuracy), g.opponent, narrate.Percent(g.l, other.Accuracy))
	g.print("Accuracy compares each shot with the best one. It is not the hit rate.")
	for _, s := range own.Costliest {
		g.print("Mistake %d: %s hits with %s, %s with %s.", s.Turn, s.Cell.String(), narrate.Percent(g.l, s.Odds), s.Best.String(), narrate.Percent(g.l, s.BestOdds))
	}
}
