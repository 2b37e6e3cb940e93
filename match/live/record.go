package live

import (
	"time"

	"broadside/match"
)

// Record describes a match that has ended.
type Record struct {
	ID      string
	Rules   match.Rules
	Names   [2]string
	Started time.Time
	Took    time.Duration
	Winner  match.Side
	Reason  match.Reason
	Events  []match.Event
}

func (r *referee) newRecord(events []match.Event) Record {
	rec := Record{
		ID: r.cfg.ID, Rules: r.cfg.Rules, Started: r.started, Events: events, Winner: match.Nobody, Reason: match.Closed,
		Names: [2]string{r.cfg.Seats[0].Name, r.cfg.Seats[1].Name},
	}
	n := len(events)
	if n > 0 && events[n-1].Kind == match.GameEnded {
		rec.Took, rec.Winner, rec.Reason = events[n-1].At, events[n-1].Side, events[n-1].Reason
	}
	return rec
}

func (r Record) winnerName() string {
	if r.Winner > match.Second {
		return ""
	}
	return r.Names[r.Winner]
}
