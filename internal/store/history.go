package store

import (
	"context"
	"fmt"
	"math"
	"time"

	"broadside/match"
)

// Mark is a place in a list that runs from the newest to the oldest. The zero
// Mark is its beginning.
type Mark struct {
	At time.Time
	ID string
}

// Mark is where a list goes on after the match.
func (s Summary) Mark() Mark { return Mark{s.Ended(), s.ID} }

// args are the arguments of a query for what is older than the mark.
func (m Mark) args(more ...any) []any {
	if m.At.IsZero() {
		return append([]any{int64(math.MaxInt64), ""}, more...)
	}
	return append([]any{micros(m.At), text(m.ID)}, more...)
}

// Matches are at most limit matches that have ended, newest first, after a
// mark.
func (s *Store) Matches(ctx context.Context, after Mark, limit int) ([]Summary, error) {
	return s.matches(ctx, `SELECT `+summaryColumns+` FROM matches`+withSeats+`
		WHERE (matches.ended, matches.id) < ($1, $2) ORDER BY matches.ended DESC, matches.id DESC LIMIT $3`,
		after.args(max(0, limit)))
}

// MatchesOf are at most limit matches of a player that have ended, newest
// first, after a mark.
func (s *Store) MatchesOf(ctx context.Context, player string, after Mark, limit int) ([]Summary, error) {
	return s.matches(ctx, `SELECT `+summaryColumns+` FROM seats JOIN matches ON matches.id = seats.match`+withSeats+`
		WHERE (seats.ended, seats.match) < ($1, $2) AND seats.player = $3
		ORDER BY seats.ended DESC, seats.match DESC LIMIT $4`,
		after.args(text(player), max(0, limit)))
}

func (s *Store) matches(ctx context.Context, query string, args []any) ([]Summary, error) {
	all, err := list(ctx, s, query, args, func(scan func(...any) error) (Summary, error) { return scanSummary(scan) })
	if err != nil {
		return nil, fmt.Errorf("listing matches: %w", err)
	}
	return all, nil
}

// Outcome is how a match ended for a player.
type Outcome uint8

// The outcomes.
const (
	Lost Outcome = iota
	Won
	Drawn // neither side could win
)

// Form is how a player's last matches ended, at most limit, newest first.
// Those that were ended without a result are left out.
func (s *Store) Form(ctx context.Context, player string, limit int) ([]Outcome, error) {
	all, err := list(ctx, s, `SELECT matches.winner, seats.side FROM seats JOIN matches ON matches.id = seats.match
		WHERE seats.player = $1 AND matches.reason NOT IN ($2, $4, $5) ORDER BY seats.ended DESC, seats.match DESC LIMIT $3`,
		[]any{text(player), match.Closed.String(), max(0, limit), match.Aborted.String(), match.Removed.String()}, func(scan func(...any) error) (Outcome, error) {
			var winner, side int
			err := scan(&winner, &side)
			switch {
			case winner == side:
				return Won, err
			case winner == int(match.Nobody):
				return Drawn, err
			}
			return Lost, err
		})
	if err != nil {
		return nil, fmt.Errorf("reading a player's form: %w", err)
	}
	return all, nil
}
