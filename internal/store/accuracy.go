package store

import "context"

// Accuracy is the quality of one side's shots in a match.
type Accuracy struct {
	// Judged is the number of shots that count, or 0 if the match was not reviewed.
	Judged int
	// Share is the accuracy from 0 to 1, as package review computes it.
	Share float64
	// Costliest has the worst mistakes, as JSON that the caller defines. It is empty if there are none.
	Costliest string
}

// SaveAccuracy stores the accuracy of both sides of a stored match, unless it has been saved before. It
// adds it to the players' [Figures] if the match counts in them.
func (ms Matches) SaveAccuracy(ctx context.Context, m Summary, sides [2]Accuracy) error {
	return ms.db.update(ctx, func(t *tx) error {
		for side, a := range sides {
			n, err := t.exec(`UPDATE seats SET judged = $1, accuracy = $2, costliest = $3 WHERE match = $4 AND side = $5 AND judged = 0`,
				a.Judged, a.Share, a.Costliest, m.ID, side)
			if err != nil {
				return err
			}
			if n == 0 || a.Judged == 0 || !m.isCounted() {
				continue
			}
			if err := t.addAccuracy(m, side, a); err != nil {
				return err
			}
		}
		return nil
	})
}

// addAccuracy adds a side's accuracy to its player's figures, if the player has an account.
func (t *tx) addAccuracy(m Summary, side int, a Accuracy) error {
	_, err := t.exec(`UPDATE figures SET reviewed = reviewed + 1, accuracy = accuracy + $1
		WHERE player = (SELECT player FROM seats WHERE match = $2 AND side = $3) AND rules = $4`, a.Share, m.ID, side, m.RuleSet)
	return err
}
