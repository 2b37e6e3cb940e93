package store

import (
	"context"
	"time"

	"broadside/match"
)

// Tally counts the rated ladder matches of two players with the same sides, winner and reason.
type Tally struct {
	RuleSet string
	Players [2]string // accounts, by side
	Winner  match.Side
	Reason  string // as a word, see [match.Reason]
	Matches int
}

func (t *Tally) columns() []any {
	return []any{&t.RuleSet, &t.Players[0], &t.Players[1], &t.Winner, &t.Reason, &t.Matches}
}

// Ladder returns the tallies of all rated ladder matches that ended before a time.
func (ms Matches) Ladder(ctx context.Context, before time.Time) ([]Tally, error) {
	const same = `matches.rules, a.player, b.player, matches.winner, matches.reason`
	return list(ctx, ms.db, `SELECT `+same+`, COUNT(*) FROM matches`+withSeats+`
		WHERE matches.ladder = TRUE AND matches.rated = TRUE AND matches.ended < $1 GROUP BY `+same, []any{micros(before)}, (*Tally).columns)
}
