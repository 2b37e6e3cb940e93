package lines

import (
	"broadside/internal/narrate"
)

// printReview describes how well both sides shot, once the match is reviewed. Until then
// it says nothing; the session's update calls it again.
func (g *game) printReview() {
	if g.reviewed || !g.over() || !g.state.Outcome.Stored {
		return
	}
	r, err := g.own.Review(g.ctx, g.ID)
	if err != nil || !r.Ready { // the result does not depend on it
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
