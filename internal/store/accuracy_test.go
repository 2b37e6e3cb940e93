package store_test

import (
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/match"
)

func TestReview(t *testing.T) {
	s := openStore(t)
	ann, bob := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	first, second := newQuickMatch(ann, bob, match.First, start), newQuickMatch(ann, store.Player{Name: "guest", Kind: store.Person}, match.First, start)
	second.Rated = false
	for _, m := range []store.Match{first, second} {
		finishMatch(t, s, m)
	}
	review := func(m store.Match, share float64) {
		stored, err := s.Matches.FindByID(ctx, m.ID)
		if err == nil {
			err = s.Matches.SaveAccuracy(ctx, stored.Summary, [2]store.Accuracy{{Judged: 9, Share: share, Costliest: "[1]"}, {}})
		}
		must.Do(err)
	}
	review(first, 0.5)
	review(first, 0.9) // reviewed already
	review(second, 0.7)
	got, err := s.Matches.FindByID(ctx, first.ID)
	if want := (store.Accuracy{Judged: 9, Share: 0.5, Costliest: "[1]"}); err != nil || got.Seats[0].Accuracy != want || got.Seats[1].Judged != 0 {
		t.Errorf("seats %+v, %v", got.Seats, err)
	}
	figures, err := s.Statistics.Figures(ctx, ann.ID)
	if err != nil || len(figures) != 1 || figures[0].Reviewed != 2 || figures[0].Accuracy < 0.599 || figures[0].Accuracy > 0.601 {
		t.Errorf("Ann's figures %+v, %v", figures, err)
	}
	if figures, err := s.Statistics.Figures(ctx, bob.ID); err != nil || figures[0].Reviewed != 0 || figures[0].Accuracy != 0 {
		t.Errorf("Bob's figures %+v, %v", figures, err)
	}
}
