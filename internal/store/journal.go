package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"broadside/match"
)

// Journal stores the events of matches in a cluster.
type Journal interface {
	// Append stores entries and waits until they and all entries posted before are
	// durable. It may be called without entries.
	Append(ctx context.Context, entries ...Entry) error
	// Post schedules entries to be stored. Entries appended or posted later are stored no
	// earlier.
	Post(entries ...Entry)
	// Load calls f with each entry, ordered by match and number.
	Load(ctx context.Context, f func(Entry) error) error
}

// Entry is a part of a [Journal]. Match and Seq identify it.
type Entry struct {
	Match string
	Seq   int // 0: the beginning of the match; otherwise number of the first event plus one
	At    time.Time
	Body  []byte // JSON
}

// beginning is the body of a match's first entry.
type beginning struct {
	Started int64           `json:"started"`
	Rules   json.RawMessage `json:"rules"` // see [match.EncodeEvents]
	Seats   [2]Seat         `json:"seats"`
	Details json.RawMessage `json:"details"`
}

// Journaled reports whether Begin and Append use a [Journal]. Each event then reaches the
// store only once, and players must not see it before that.
func (rs Running) Journaled() bool { return rs.journal != nil }

// journalBeginning is Begin for a match whose events go to the journal. It does not wait,
// because the first events of the match are stored in the same group or a later one.
func (rs Running) journalBeginning(r RunningMatch, rules, events string) error {
	body, err := r.beginning(rules)
	if err != nil {
		return err
	}
	now := time.Now()
	entries := []Entry{{Match: r.ID, At: now, Body: body}}
	if events != "" {
		entries = append(entries, Entry{Match: r.ID, Seq: 1, At: now, Body: []byte(events)})
	}
	rs.journal.Post(entries...)
	return nil
}

// beginning encodes the body of the first entry.
func (r RunningMatch) beginning(rules string) ([]byte, error) {
	return json.Marshal(beginning{micros(r.Started), json.RawMessage(rules), r.Seats, r.Details})
}

// deleteStored removes journal entries of finished matches. Finish normally does that.
const deleteStored = `DELETE FROM journal USING matches WHERE matches.id = journal.match`

// fromJournal adds the matches and events in the journal to the running matches.
func (rs Running) fromJournal(ctx context.Context, all []RunningMatch) ([]RunningMatch, error) {
	if err := rs.db.update(ctx, func(t *tx) error {
		_, err := t.exec(deleteStored)
		return err
	}); err != nil {
		return nil, err
	}
	places := make(map[string]int, len(all))
	for i, r := range all {
		places[r.ID] = i
	}
	var lost string
	err := rs.journal.Load(ctx, func(e Entry) error {
		i, ok := places[e.Match]
		switch {
		case !ok && e.Seq == 0:
			r, err := e.running()
			if err != nil {
				return err
			}
			places[e.Match] = len(all)
			all = append(all, r)
			return nil
		case !ok && e.Match != lost:
			lost = e.Match
			rs.db.log.Error("the journal has events of a match without its beginning", "match", e.Match)
		}
		if !ok || e.Seq == 0 {
			return nil
		}
		return all[i].add(e.Seq-1, e.Body)
	})
	return all, err
}

// running returns the match whose first entry is e.
func (e Entry) running() (r RunningMatch, err error) {
	var b beginning
	if err = json.Unmarshal(e.Body, &b); err == nil {
		r = RunningMatch{ID: e.Match, Started: moment(b.Started), Seats: b.Seats, Details: b.Details}
		r.Rules, _, err = match.DecodeEvents(b.Rules)
	}
	if err != nil {
		err = fmt.Errorf("the beginning of the match %s: %w", e.Match, err)
	}
	return r, err
}
