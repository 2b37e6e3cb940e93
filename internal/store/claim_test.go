package store_test

import (
	"slices"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/match"
)

// TestMatchesBeforeName checks that an account gets the matches that were played with its key
// before it existed, with their statistics, and those that end afterwards.
func TestMatchesBeforeName(t *testing.T) {
	s := openStore(t)
	bob := createPerson(t, s, "Bob")
	rng := newRandom(1)
	newcomer := func(winner match.Side, hours int) store.Match {
		m := newFinishedMatch(rng, store.Player{Name: "guest", Kind: store.Person}, bob, winner, start.Add(time.Duration(hours)*time.Hour))
		m.Seats[0].Key, m.Casual = "SHA256:ann", "guest"
		return m
	}
	before := []store.Match{newcomer(match.First, 0), newcomer(match.Second, 1), newcomer(match.Nobody, 2)}
	before[2].Reason = match.Closed
	other := newcomer(match.First, 3)
	other.Seats[0].Key = "SHA256:eve"
	for _, m := range append(before, other) {
		finishMatch(t, s, m)
	}
	bobs := must.Get(s.Matches.ListByPlayer(ctx, bob.ID, store.Cursor{}, 9))
	must.Do(s.Matches.SaveAccuracy(ctx, bobs[3], [2]store.Accuracy{{Judged: 9, Share: 0.5}, {Judged: 9, Share: 0.75}}))

	ann := must.Get(s.Accounts.CreatePerson(ctx, "Ann", store.Key{Fingerprint: "SHA256:ann"}))
	late := finishMatch(t, s, newcomer(match.First, 4))
	if late.Seats[0].Player != ann.ID || late.Seats[0].Name != "Ann" {
		t.Errorf("a match that ends later belongs to %+v", late.Seats[0])
	}
	want := []string{late.ID, before[2].ID, before[1].ID, before[0].ID}
	var got []string
	list, err := s.Matches.RestrictTo("").ListByPlayer(ctx, ann.ID, store.Cursor{}, 9)
	for _, m := range list {
		if got = append(got, m.ID); m.Seats[0].Name != "Ann" || m.Rated {
			t.Errorf("the match is listed as %+v", m)
		}
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("the matches are %v, %v, want %v", got, err, want)
	}
	figures, err := s.Statistics.Figures(ctx, ann.ID)
	if err != nil || len(figures) != 1 || figures[0].Games != 3 || figures[0].Won != 2 || figures[0].Reviewed != 1 || figures[0].Accuracy != 0.5 {
		t.Errorf("the figures are %+v, %v", figures, err)
	}
	if shots, err := s.Statistics.FirstShots(ctx, ann.ID, "classic"); err != nil || len(shots) == 0 {
		t.Errorf("the first shots are %v, %v", shots, err)
	}
	if form, err := s.Statistics.RecentOutcomes(ctx, ann.ID, 9); err != nil || !slices.Equal(form, []store.Outcome{store.Won, store.Lost, store.Won}) {
		t.Errorf("the form is %v, %v", form, err)
	}

	// Matches against oneself stay with one side.
	own := newcomer(match.First, 5)
	own.Seats[0].Key, own.Seats[1] = "SHA256:bob2", store.Seat{Player: bob.ID, Name: "Bob", Kind: store.Person}
	finishMatch(t, s, own)
	must.Do(s.Keys.Add(ctx, store.Key{Fingerprint: "SHA256:bob2", Player: bob.ID}))
	if list, err := s.Matches.ListByPlayer(ctx, bob.ID, store.Cursor{}, 9); err != nil || len(list) != 6 || list[0].Seats[0].Player != "" {
		t.Errorf("bob has the matches %+v, %v", list, err)
	}
}
