package store_test

import (
	"encoding/json"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/match"
)

func TestDailySea(t *testing.T) {
	s := openStore(t)
	week := time.Now().UTC().AddDate(0, 0, 6).Format(time.DateOnly) // computed first, because the day may end while the accounts are created
	ann, bob, eve := createPerson(t, s, "Ann"), createPerson(t, s, "Bob"), createPerson(t, s, "Eve")
	hard, err := s.Accounts.EnsureBot(ctx, "hard")
	must.Do(err)
	const day = "2126-11-21"
	save := func(p store.Player, shots int, done bool, after time.Duration) error {
		return s.Daily.Save(ctx, store.DailyResult{
			Day: day, Player: p.ID, Shots: shots, Finished: done, ShareText: "🟦🟥", Progress: json.RawMessage(`["B7"]`), LastShot: start.Add(after),
		})
	}
	_, err = s.Daily.Get(ctx, ann.ID, day)
	wantError(t, "not begun", err, store.ErrNotFound)
	for shots := range 3 {
		must.Do(save(ann, shots, false, 0))
	}
	got, err := s.Daily.Get(ctx, ann.ID, day)
	if err != nil || got.Shots != 2 || got.Finished || string(got.Progress) != `["B7"]` || got.Name != "Ann" || got.ShareText != "🟦🟥" || !got.LastShot.Equal(start) {
		t.Errorf("on the way: %+v, %v", got, err)
	}
	if table, err := s.Daily.ListQualified(ctx, day, 10); err != nil || len(table) != 0 {
		t.Errorf("the table lists an unfinished attempt: %+v, %v", table, err)
	}
	for _, err := range []error{
		save(ann, 40, true, 3*time.Hour), save(bob, 40, true, 2*time.Hour), save(eve, 38, true, 4*time.Hour),
	} {
		must.Do(err)
	}
	for i := range store.DailyMatches {
		if table, err := s.Daily.ListQualified(ctx, day, 10); err != nil || len(table) != 0 {
			t.Errorf("after %d rated matches the table is %+v, %v", i, table, err)
		}
		if table, err := s.Daily.ListNewcomers(ctx, day, 10); err != nil || len(table) != 3 {
			t.Errorf("after %d rated matches the newcomers are %+v, %v", i, table, err)
		}
		for _, p := range []store.Player{ann, bob, eve} {
			finishMatch(t, s, newQuickMatch(hard, p, match.First, start))
		}
	}
	must.Do(s.Daily.Save(ctx, store.DailyResult{Day: week, Player: ann.ID, Shots: 20, Finished: true, LastShot: start}))
	if table, err := s.Daily.ListQualified(ctx, week, 10); err != nil || len(table) != 0 {
		t.Errorf("an account of six days is in the table: %+v, %v", table, err)
	}
	wantError(t, "another try", save(ann, 17, true, 5*time.Hour), store.ErrFinished)
	wantError(t, "back to the beginning", save(ann, 0, false, 5*time.Hour), store.ErrFinished)
	table, err := s.Daily.ListQualified(ctx, day, 10)
	if err != nil || len(table) != 3 || table[0].Name != "Eve" || table[1].Name != "Bob" || table[2].Name != "Ann" || table[2].Shots != 40 {
		t.Errorf("table: %+v, %v", table, err)
	}
	if table, err := s.Daily.ListQualified(ctx, day, 1); err != nil || len(table) != 1 {
		t.Errorf("the best: %+v, %v", table, err)
	}
	if table, err := s.Daily.ListQualified(ctx, "2126-11-22", 10); err != nil || len(table) != 0 {
		t.Errorf("another day: %+v, %v", table, err)
	}
	for i, p := range []store.Player{eve, bob, ann} {
		if place, of, err := s.Daily.Place(ctx, p.ID, day); err != nil || place != i+1 || of != 3 {
			t.Errorf("%s: place %d of %d, %v; want %d", p.Name, place, of, err, i+1)
		}
	}
	late := createPerson(t, s, "Late")
	must.Do(save(late, 3, false, 0))
	if place, of, err := s.Daily.Place(ctx, late.ID, day); err != nil || place != 0 || of != 3 {
		t.Errorf("not done: place %d of %d, %v", place, of, err)
	}
	for _, shots := range []int{0, 2, 3} {
		wantError(t, "a shot taken back", save(late, shots, shots == 2, 0), store.ErrOvertaken)
	}
	for _, bad := range []string{"", "today", "2026-11-31", "2026-1-1"} {
		if err := s.Daily.Save(ctx, store.DailyResult{Day: bad, Player: ann.ID}); err == nil {
			t.Errorf("the day %q was stored", bad)
		}
	}
	for _, bad := range []string{"", "today"} {
		if _, err := s.Daily.ListQualified(ctx, bad, 1); err == nil {
			t.Errorf("the table of %q", bad)
		}
		if _, _, err := s.Daily.Place(ctx, ann.ID, bad); err == nil {
			t.Errorf("a place of %q", bad)
		}
	}
	wantError(t, "nobody", s.Daily.Save(ctx, store.DailyResult{Day: day, Player: "nobody"}), store.ErrNotFound)
}

func TestStreaks(t *testing.T) {
	s := openStore(t)
	ann := createPerson(t, s, "Ann")
	for day, done := range map[string]bool{
		"2026-02-26": true, "2026-02-27": true, "2026-02-28": true, "2026-03-01": true, // over the end of a month
		"2026-03-02": false,
		"2026-03-28": true, "2026-03-29": true, "2026-03-30": true, // over a change of the clocks
	} {
		must.Do(s.Daily.Save(ctx, store.DailyResult{Day: day, Player: ann.ID, Finished: done}))
	}
	for today, want := range map[string][2]int{
		"2026-02-25": {0, 0},
		"2026-02-26": {1, 1},
		"2026-03-01": {4, 4},
		"2026-03-02": {4, 4}, // today's result is still open
		"2026-03-03": {0, 4},
		"2026-03-30": {3, 4},
		"2026-03-31": {3, 4},
		"2026-04-01": {0, 4},
	} {
		current, best, err := s.Daily.Streak(ctx, ann.ID, today)
		if err != nil || [2]int{current, best} != want {
			t.Errorf("on %s: %d, best %d, %v; want %v", today, current, best, err, want)
		}
	}
	if _, _, err := s.Daily.Streak(ctx, ann.ID, "today"); err == nil {
		t.Error("a day that is none")
	}
}
