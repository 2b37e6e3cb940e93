package store_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/must"
)

// puzzleNumbers returns the numbers of puzzles, and the reader's answers.
func puzzleNumbers(all []store.Puzzle, err error) string {
	must.Do(err)
	var numbers []string
	for _, p := range all {
		numbers = append(numbers, fmt.Sprint(p.Number, p.Own))
	}
	return fmt.Sprint(numbers)
}

func TestPuzzles(t *testing.T) {
	s := openStore(t)
	ann, bob := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	for _, ratio := range []float64{1.3, 1.4, 9, 2} {
		must.Do(s.Puzzles.Add(ctx, slices.Repeat([]store.Puzzle{{Position: json.RawMessage(`{}`), Best: "B7", Ratio: ratio}}, 2)...))
	}
	if err := s.Puzzles.Add(ctx, store.Puzzle{Position: json.RawMessage(`{`)}); err == nil {
		t.Error("a damaged position was stored")
	}
	const day, next = "2026-11-27", "2026-11-28"
	// The second call changes nothing, and two puzzles are too few for a third day.
	for _, d := range []string{day, day, next} {
		must.Do(s.Puzzles.ChooseForDay(ctx, d, 3))
	}
	if n, err := s.Puzzles.CountUnused(ctx); err != nil || n != 1 {
		t.Errorf("%d puzzles are unused, %v", n, err)
	}
	must.Do(s.Puzzles.Answer(ctx, ann.ID, 8, "B7", day))
	must.Do(s.Puzzles.Answer(ctx, bob.ID, 6, "A1", day))
	wantError(t, "second answer", s.Puzzles.Answer(ctx, ann.ID, 8, "A1", day), store.ErrAnswered)
	wantError(t, "no player", s.Puzzles.Answer(ctx, "nobody", 8, "A1", day), store.ErrNotFound)
	wantError(t, "no puzzle", s.Puzzles.Answer(ctx, ann.ID, 99, "A1", day), store.ErrNotFound)
	for what, c := range map[string]struct{ got, want string }{
		"of the day":      {puzzleNumbers(s.Puzzles.ListByDay(ctx, ann.ID, day)), "[5 3 1]"},
		"of the next day": {puzzleNumbers(s.Puzzles.ListByDay(ctx, ann.ID, next)), "[]"},
		"more for ann":    {puzzleNumbers(s.Puzzles.ListMore(ctx, ann.ID, day, 9)), "[4 2 6]"},
		"more for guests": {puzzleNumbers(s.Puzzles.ListMore(ctx, "", day, 3)), "[8 4 2]"},
		"a day later":     {puzzleNumbers(s.Puzzles.ListMore(ctx, ann.ID, next, 9)), "[5 3 4 1 2 6]"},
	} {
		if c.got != c.want {
			t.Errorf("puzzles %s = %s, want %s", what, c.got, c.want)
		}
	}
	if p, err := s.Puzzles.Get(ctx, ann.ID, day, 8); err != nil || p.Own != "B7" {
		t.Errorf("puzzle 8 = %+v, %v", p, err)
	}
	_, err := s.Puzzles.Get(ctx, ann.ID, day, 7)
	wantError(t, "puzzle of a day to come", err, store.ErrNotFound)
	for _, number := range []int{1, 3, 5} {
		must.Do(s.Puzzles.Answer(ctx, ann.ID, number, "A1", day))
		must.Do(s.Puzzles.Answer(ctx, bob.ID, number, "A1", next))
	}
	for who, want := range map[string]int{ann.ID: 1, bob.ID: 0} {
		if current, best, err := s.Puzzles.Streak(ctx, who, next, 3); err != nil || current != want || best != want {
			t.Errorf("streak %d, longest %d, %v; want %d", current, best, err, want)
		}
	}
}
