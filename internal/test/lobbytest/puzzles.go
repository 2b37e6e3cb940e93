package lobbytest

import (
	"context"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/storetest"
	"broadside/lobby/daily"
	"broadside/lobby/puzzle"
	"broadside/match"
)

// AddPuzzles stores today's puzzles and as many others.
func AddPuzzles(ctx context.Context, s *store.Store) error {
	var all []store.Puzzle
	for seed := uint64(0); len(all) < 2*puzzle.PerDay; seed++ {
		m := storetest.NewMatch(seed, match.Classic(), "ann", "bob")
		all = append(all, puzzle.FindPuzzles(ctx, m.Rules, m.Events)...)
	}
	if err := s.Puzzles.Add(ctx, all[:2*puzzle.PerDay]...); err != nil {
		return err
	}
	return s.Puzzles.ChooseForDay(ctx, daily.PuzzleDay(time.Now()), puzzle.PerDay)
}
