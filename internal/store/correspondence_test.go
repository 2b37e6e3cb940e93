package store_test

import (
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/match"
)

// TestCorrespondence checks that an offer, the match that it leads to, its events and its end are stored.
func TestCorrespondence(t *testing.T) {
	folder := t.TempDir()
	s := openStoreIn(t, folder)
	c := s.Correspondence
	ann, bob, eve := createPerson(t, s, "Ann"), createPerson(t, s, "Bob"), createPerson(t, s, "Eve")
	offer := store.CorrespondenceOffer{ID: "o1", Player: ann.ID, Rules: match.Classic(), Rated: true, Pace: time.Hour, Expires: 3 * time.Hour}
	must.Do(c.AddOffer(ctx, offer, 3))
	offer.ID, offer.Opponent, offer.Expires = "o2", bob.ID, 9*time.Hour
	must.Do(c.AddOffer(ctx, offer, 3))
	offer.ID = "o3"
	wantError(t, "second offer to bob", c.AddOffer(ctx, offer, 3), store.ErrTooMany)
	offer.Opponent = ""
	wantError(t, "offer above the limit", c.AddOffer(ctx, offer, 2), store.ErrTooMany)
	for reader, want := range map[string][]string{bob.ID: {"o2", "o1"}, eve.ID: {"o1"}, ann.ID: {"o1", "o2"}} {
		offers := must.Get(c.ListOffers(ctx, reader))
		var got []string
		for _, o := range offers {
			got = append(got, o.ID)
		}
		if len(got) != len(want) || got[0] != want[0] || got[len(got)-1] != want[len(want)-1] {
			t.Errorf("ListOffers = %v, want %v", got, want)
		}
	}
	got := must.Get(c.GetOffer(ctx, "o2"))
	if got.Name != "Ann" || got.Opponent != bob.ID || !got.Rated || got.Pace != time.Hour || got.Rules.Name != "classic" || got.Expires != 9*time.Hour {
		t.Errorf("GetOffer = %+v", got)
	}

	finished := newFinishedMatch(newRandom(1), ann, bob, match.First, start)
	m := store.CorrespondenceMatch{
		Match: store.RunningMatch{ID: finished.ID, Rules: finished.Rules, Started: start, Seats: finished.Seats},
		Pace:  time.Hour, Acting: [2]bool{true, true}, Due: 5 * time.Hour,
	}
	wantError(t, "match above the limit", c.Accept(ctx, "o2", m, 0), store.ErrTooMany)
	must.Do(c.Accept(ctx, "o2", m, 1))
	wantError(t, "offer accepted twice", c.Accept(ctx, "o2", m, 1), store.ErrNotFound)
	events := finished.Events[:4]
	must.Do(c.AppendEvents(ctx, m.Match.ID, 0, events[:2], [2]bool{false, true}, 6*time.Hour))
	must.Do(c.AppendEvents(ctx, m.Match.ID, 2, events[2:], [2]bool{true, false}, 7*time.Hour))
	// A write whose success was unknown is repeated.
	must.Do(c.AppendEvents(ctx, m.Match.ID, 2, events[2:], [2]bool{true, false}, 7*time.Hour))
	stored := must.Get(c.Get(ctx, m.Match.ID))
	if len(stored.Match.Events) != len(events) || stored.Acting != [2]bool{true, false} || stored.Due != 7*time.Hour || stored.Pace != time.Hour {
		t.Errorf("Get = %+v, want 4 events and the first side's turn", stored)
	}
	if all := must.Get(c.ListByPlayer(ctx, bob.ID)); len(all) != 1 || all[0].Match.Seats[0].Name != "Ann" || all[0].Match.ID != m.Match.ID {
		t.Errorf("ListByPlayer = %+v, want the match", all)
	}
	if all := must.Get(s.Running.List(ctx)); len(all) != 0 {
		t.Errorf("a starting server reads %d matches, want 0", len(all))
	}
	if due := must.Get(c.ListDue(ctx, 7*time.Hour-1, 10)); len(due) != 0 {
		t.Errorf("ListDue before the deadline = %v, want none", due)
	}
	if due := must.Get(c.ListDue(ctx, 7*time.Hour, 10)); len(due) != 1 {
		t.Errorf("ListDue at the deadline = %v, want the match", due)
	}
	finishMatch(t, s, finished)
	_, err := c.Get(ctx, m.Match.ID)
	wantError(t, "finished match", err, store.ErrNotFound)

	must.Do(c.SaveClock(ctx, 4*time.Hour))
	if clock := must.Get(c.ReadClock(ctx)); clock != 4*time.Hour {
		t.Errorf("ReadClock = %v, want 4h", clock)
	}
	if offers := must.Get(c.ListOffers(ctx, bob.ID)); len(offers) != 0 {
		t.Errorf("%d offers after their time, want 0", len(offers))
	}
	cfg := storeConfig(t, folder)
	cfg.World = "north"
	north := must.Get(store.Open(ctx, cfg))
	defer north.Close()
	if clock := must.Get(north.Correspondence.ReadClock(ctx)); clock != 0 {
		t.Errorf("another world's clock = %v, want 0", clock)
	}
}

func TestFeedTokenFindsPlayer(t *testing.T) {
	s := openStore(t)
	ann := createPerson(t, s, "Ann")
	old := must.Get(s.Correspondence.ResetFeed(ctx, ann.ID))
	token := must.Get(s.Correspondence.ResetFeed(ctx, ann.ID))
	if p, err := s.Correspondence.FindByFeedToken(ctx, token); err != nil || p.Name != "Ann" {
		t.Errorf("FindByFeedToken = %+v, %v, want Ann", p, err)
	}
	_, err := s.Correspondence.FindByFeedToken(ctx, old)
	wantError(t, "old token", err, store.ErrNotFound)
}
