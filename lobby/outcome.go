package lobby

import (
	"fmt"
	"slices"

	"broadside/internal/store"
	"broadside/lobby/ratingmode"
	"broadside/match"
	"broadside/match/live"
)

// Outcome says what a finished match has changed. Its arrays are indexed by side.
type Outcome struct {
	// Continues reports that only the server stopped; the match resumes after a restart.
	Continues bool
	// Stored reports that the match is in the store. If it is false, the fields below are
	// zero.
	Stored bool
	// Rated reports that the match changed the ratings of both sides, from Before to
	// After.
	Rated         bool
	Before, After [2]float64
	// Provisional reports which ratings are provisional after the match.
	Provisional [2]bool
	// Private reports that only the players find the match in lists.
	Private bool
	// Score is how many matches each side has won in a series of rematches. It does not depend on
	// the store.
	Score [2]int
}

// RatingText returns a side's new rating, with a question mark while it is provisional.
func (o *Outcome) RatingText(side match.Side) string {
	if o.Provisional[side] {
		return fmt.Sprintf("%.0f?", o.After[side])
	}
	return fmt.Sprintf("%.0f", o.After[side])
}

// IsRatingKeptForProvisional reports whether a side's rating did not change because the opponent's is provisional.
func (o *Outcome) IsRatingKeptForProvisional(side match.Side) bool {
	return o.Rated && o.After[side] == o.Before[side] && !o.Provisional[side] && o.Provisional[side.Other()]
}

func newOutcome(stored store.Summary) Outcome {
	o := Outcome{Stored: true, Rated: stored.Rated, Private: stored.Private}
	for side, s := range stored.Seats {
		o.Before[side], o.After[side], o.Provisional[side] = s.Before, s.After, s.Provisional
	}
	return o
}

// newRecordLocked returns the match's record, once it has ended.
func (g *game) newRecordLocked(r live.Record) store.Match {
	seats, mode := g.seatRecordsLocked(), g.ratingMode
	m := store.Match{
		Summary: store.Summary{ID: r.ID, Started: r.Started, Took: r.Took, Winner: r.Winner, Reason: r.Reason, Seats: seats, Private: g.private},
		Rules:   r.Rules, Events: r.Events,
	}
	early, side := findEarlyEnd(r)
	if g.isAbortable() && early {
		// One side ended the match early without a result, so ratings do not change.
		mode = ratingmode.CasualEarly
		// Hosts may remove opponents who make them wait.
		if r.Reason != match.Removed || hasPlaced(r, side.Other()) {
			m.Aborter = seats[side].Player
		}
	}
	if !mode.IsRated() && isDisputed(r.Events) {
		mode = ratingmode.CasualDisputed
	}
	m.Rated = mode.IsRated() && r.Winner != match.Nobody
	if !mode.IsRated() {
		m.Casual = mode.String()
	}
	return m
}

// isDisputed reports whether the results that a side gave contradict each other, and the match
// continued nevertheless.
func isDisputed(events []match.Event) bool {
	disputed := slices.ContainsFunc(events, func(e match.Event) bool { return e.Kind == match.AnswersDisputed })
	return disputed && events[len(events)-1].Reason != match.Contradiction
}

// findEarlyEnd reports whether a side ended a match before it counted, and which side. It did so by
// aborting the match or violating the protocol.
func findEarlyEnd(r live.Record) (early bool, by match.Side) {
	if r.Reason == match.FleetSunk {
		return false, match.Nobody
	}
	var fired [2]int
	for i := range r.Events {
		switch e := &r.Events[i]; e.Kind {
		case match.ShotFired:
			fired[e.Side]++
		case match.GameAborted:
			return true, e.Side
		}
	}
	if r.Winner == match.Nobody || min(fired[0], fired[1]) >= match.CountingShots {
		return false, match.Nobody
	}
	return true, r.Winner.Other()
}

func hasPlaced(r live.Record, side match.Side) bool {
	return slices.ContainsFunc(r.Events, func(e match.Event) bool {
		return e.Side == side && (e.Kind == match.FleetPlaced || e.Kind == match.FleetKept)
	})
}
