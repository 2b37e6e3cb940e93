package store_test

import (
	"reflect"
	"sync"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/store/rating"
	"broadside/internal/test/must"
	"broadside/match"
	"broadside/match/audit"
)

func TestStoredMatch(t *testing.T) {
	s := openStore(t)
	ann, bob := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	m := newFinishedMatch(newRandom(1), ann, bob, match.Second, start)
	stored := finishMatch(t, s, m)
	got, err := s.Matches.FindByID(ctx, m.ID)
	must.Do(err)
	if !reflect.DeepEqual(got.Events, m.Events) || !reflect.DeepEqual(got.Rules, m.Rules) {
		t.Error("the events or the rules are not those that were stored")
	}
	if _, err := match.Replay(got.Rules, audit.Flag, got.Events); err != nil {
		t.Errorf("the game cannot be rebuilt: %v", err)
	}
	if string(got.Details) != string(m.Details) {
		t.Errorf("details: %s", got.Details)
	}
	if !reflect.DeepEqual(got.Summary, stored) {
		t.Errorf("Match gives %+v, Finish gave %+v", got.Summary, stored)
	}
	if !got.Started.Equal(m.Started) || got.Took != m.Took || got.Winner != match.Second || got.Reason != match.FleetSunk ||
		!got.Rated || got.RuleSet != "classic" || !got.EndTime().Equal(start.Add(m.Took)) {
		t.Errorf("summary: %+v", got.Summary)
	}
	for side, seat := range got.Seats {
		wantShots, wantHits := 0, 0
		for _, e := range m.Events {
			if e.Kind == match.ShotFired && int(e.Side) == side {
				wantShots++
			}
			if e.Kind == match.ShotAnswered && int(e.Side) != side && e.Result != match.Miss {
				wantHits++
			}
		}
		if seat.Shots != wantShots || seat.Hits != wantHits || wantHits == 0 {
			t.Errorf("side %d: %d shots, %d hits; want %d, %d", side, seat.Shots, seat.Hits, wantShots, wantHits)
		}
	}
	if got.Seats[1].Player != bob.ID || got.Seats[1].Name != "Bob" {
		t.Errorf("seats: %+v", got.Seats)
	}
	_, err = s.Matches.FindByID(ctx, "nothing")
	wantError(t, "an unknown match", err, store.ErrNotFound)
}

func TestRatingsFollowMatches(t *testing.T) {
	s := openStore(t)
	ann, bob := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	rng := newRandom(2)
	want := map[string]rating.Rating{ann.ID: rating.New(), bob.ID: rating.New()}
	last := time.Time{}
	for i := range 6 {
		begin := start.AddDate(0, 0, 40*i)
		winner := match.Side(i % 2)
		m := newFinishedMatch(rng, ann, bob, winner, begin)
		idle := time.Duration(0)
		if i > 0 {
			idle = begin.Add(m.Took).Sub(last)
		}
		last = begin.Add(m.Took)
		before := want[ann.ID]
		score := float64(1 - winner)
		want[ann.ID], want[bob.ID] = rating.RateMatch(want[ann.ID], want[bob.ID], idle, idle, score)
		stored := finishMatch(t, s, m)
		if stored.Seats[0].Before != before.Value || stored.Seats[0].After != want[ann.ID].Value || stored.Seats[1].After != want[bob.ID].Value {
			t.Errorf("match %d: %+v, want %v", i, stored.Seats, want)
		}
	}
	for _, p := range []store.Player{ann, bob} {
		got, err := s.Ratings.ListByPlayer(ctx, p.ID)
		if err != nil || len(got) != 1 || got[0].Rating != want[p.ID] || got[0].Games != 6 ||
			!got[0].Updated.Equal(last) || got[0].RuleSet != "classic" || got[0].Name != p.Name {
			t.Errorf("%s: %+v, %v, want %v", p.Name, got, err, want[p.ID])
		}
		if now := got[0].RatingAt(last.AddDate(1, 0, 0)); now.Deviation <= got[0].Deviation || now.Value != got[0].Value {
			t.Errorf("a year later: %v", now)
		}
	}
}

// TestFinishTwice checks that storing a match again changes nothing, even with another
// result.
func TestFinishTwice(t *testing.T) {
	s := openStore(t)
	ann, bob := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	m := newFinishedMatch(newRandom(3), ann, bob, match.First, start)
	first := finishMatch(t, s, m)
	before := must.Get(s.Ratings.ListByPlayer(ctx, ann.ID))
	changed := newFinishedMatch(newRandom(4), bob, ann, match.First, start.Add(time.Hour))
	changed.ID = m.ID
	var wg sync.WaitGroup
	for range 10 {
		for _, again := range []store.Match{m, changed} {
			wg.Go(func() {
				if got, err := s.Matches.Finish(ctx, again); err != nil || !reflect.DeepEqual(got, first) {
					t.Errorf("stored again: %+v, %v, want %+v", got, err, first)
				}
			})
		}
	}
	wg.Wait()
	if after, err := s.Ratings.ListByPlayer(ctx, ann.ID); err != nil || !reflect.DeepEqual(after, before) || after[0].Games != 1 {
		t.Errorf("ratings: %+v, %v, want %+v", after, err, before)
	}
	if got, err := s.Matches.FindByID(ctx, m.ID); err != nil || !reflect.DeepEqual(got.Events, m.Events) {
		t.Errorf("the match has changed: %v", err)
	}
}

func TestUnratedMatches(t *testing.T) {
	s := openStore(t)
	ann := createPerson(t, s, "Ann")
	m := newFinishedMatch(newRandom(5), ann, store.Player{Name: "guest-1", Kind: store.Person}, match.Second, start)
	finishMatch(t, s, m)
	if got, err := s.Matches.FindByID(ctx, m.ID); err != nil || got.Rated || got.Seats[1].Name != "guest-1" || got.Seats[1].Player != "" || got.Seats[0].After != 0 {
		t.Errorf("%+v, %v", got.Summary, err)
	}
	if got, err := s.Ratings.ListByPlayer(ctx, ann.ID); err != nil || len(got) != 0 {
		t.Errorf("ratings: %+v, %v", got, err)
	}
	void := store.Match{
		Summary: store.Summary{ID: store.NewID(), Started: start, Winner: match.Nobody, Reason: match.Closed,
			Seats: [2]store.Seat{{Player: ann.ID, Name: "Ann", Kind: store.Person}, {Name: "x", Kind: store.Program}}},
		Rules: match.Hasbro(),
	}
	finishMatch(t, s, void)
	if got, err := s.Matches.FindByID(ctx, void.ID); err != nil || got.Winner != match.Nobody || got.Reason != match.Closed || got.RuleSet != "hasbro" || len(got.Events) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestMatchesThatCannotBe(t *testing.T) {
	s := openStore(t)
	ann, bob := createPerson(t, s, "Ann"), createPerson(t, s, "Bob")
	for what, spoil := range map[string]func(*store.Match){
		"no ID":              func(m *store.Match) { m.ID = "" },
		"no such winner":     func(m *store.Match) { m.Winner = 3 },
		"rated without one":  func(m *store.Match) { m.Winner = match.Nobody },
		"rated with a guest": func(m *store.Match) { m.Seats[1].Player = "" },
		"against oneself":    func(m *store.Match) { m.Seats[1].Player = ann.ID },
		"details":            func(m *store.Match) { m.Details = []byte("{") },
		"events":             func(m *store.Match) { m.Events = []match.Event{{Kind: 99}} },
	} {
		m := newFinishedMatch(newRandom(6), ann, bob, match.First, start)
		spoil(&m)
		if _, err := s.Matches.Finish(ctx, m); err == nil {
			t.Errorf("%s: stored", what)
		}
		if _, err := s.Matches.FindByID(ctx, m.ID); err == nil {
			t.Errorf("%s: there is something of it", what)
		}
	}
	for _, rated := range []bool{true, false} {
		m := newFinishedMatch(newRandom(6), ann, store.Player{ID: "nobody"}, match.First, start)
		m.Rated = rated
		_, err := s.Matches.Finish(ctx, m)
		wantError(t, "an unknown account", err, store.ErrNotFound)
		_, err = s.Matches.FindByID(ctx, m.ID)
		wantError(t, "what is left of it", err, store.ErrNotFound)
	}
	if got, err := s.Ratings.ListByPlayer(ctx, ann.ID); err != nil || len(got) != 0 {
		t.Errorf("ratings: %+v, %v", got, err)
	}
}
