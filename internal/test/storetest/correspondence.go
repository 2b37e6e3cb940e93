package storetest

import (
	"context"
	"slices"
	"time"

	"broadside/internal/store"
	"broadside/match"
)

// AddCorrespondence stores the start of a sample match, whose seats have accounts, as a correspondence match with a
// day for each turn. It ends before the first turn after a number of events. With 0, no fleet is placed.
func AddCorrespondence(ctx context.Context, s *store.Store, m store.Match, events int) error {
	const day = 24 * time.Hour
	acting := [2]bool{true, true}
	running := store.RunningMatch{ID: m.ID, Rules: m.Rules, Started: m.Started, Seats: m.Seats}
	offer := store.CorrespondenceOffer{ID: m.ID, Player: m.Seats[0].Player, Rules: m.Rules, Pace: day, Expires: day}
	if err := s.Correspondence.AddOffer(ctx, offer, 1); err != nil {
		return err
	}
	start := store.CorrespondenceMatch{Match: running, Pace: day, Acting: acting, Due: day}
	if err := s.Correspondence.Accept(ctx, m.ID, start, 1<<20); err != nil || events == 0 {
		return err
	}
	n := events + slices.IndexFunc(m.Events[events:], func(e match.Event) bool {
		return e.Kind == match.FleetMoved || e.Kind == match.ShotFired
	})
	for m.Events[n-1].Kind != match.ShotAnswered {
		n++
	}
	acting = [2]bool{}
	acting[m.Events[n].Side] = true
	return s.Correspondence.AppendEvents(ctx, m.ID, 0, m.Events[:n], acting, day)
}
