package audit

import (
	"errors"
	"fmt"

	"broadside/match"
)

// Replay rebuilds a match as [match.Replay] does, and returns a mode in which it can be rebuilt.
// Events do not include the mode, which matters only if results contradict each other.
func Replay(r match.Rules, events []match.Event) (g *match.Game, mode Mode, err error) {
	for _, mode = range []Mode{Flag, Forfeit, Off} {
		if g, err = match.Replay(r, mode, events); err == nil {
			break
		}
	}
	return g, mode, err
}

// ReplayRecord rebuilds a record's match. It returns an error unless all results, the winner
// and the reason follow from the fleets and shots.
func ReplayRecord(r *match.Record) (*match.Game, error) {
	if len(r.Events) == 0 {
		return nil, errors.New("the record has no events")
	}
	events, err := r.DecodeEvents()
	if err != nil {
		return nil, err
	}
	g, _, err := Replay(r.Rules, events)
	if err != nil {
		return nil, err
	}
	end := match.NewRecord(r.Rules, events)
	switch {
	case g.Phase() != match.Over:
		return nil, errors.New("the match has not ended")
	case end.Reason != r.Reason || (end.Winner == nil) != (r.Winner == nil) || end.Winner != nil && *end.Winner != *r.Winner:
		return nil, fmt.Errorf("the winner or the reason, %v, differs from the last event", r.Reason)
	}
	return g, nil
}
