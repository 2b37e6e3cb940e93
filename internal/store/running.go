package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"broadside/internal/store/tail"
	"broadside/match"
)

// RunningMatch is a match that has not ended.
type RunningMatch struct {
	ID      string
	Rules   match.Rules
	Started time.Time
	Seats   [2]Seat
	Events  []match.Event
	Details json.RawMessage // defined by the caller; may be nil
	// Stored is how many of Events are in the database or the journal. The rest come from
	// the tail.
	Stored int
	// Behind reports that players have seen events that were not stored, so the match
	// must not resume from Events.
	Behind bool
}

// add adds stored events that come after the first number events. Call it in that order.
func (r *RunningMatch) add(number int, encoded []byte) error {
	if number > len(r.Events) {
		r.Behind = true
	}
	_, events, err := match.DecodeEvents(encoded)
	if err != nil {
		return fmt.Errorf("the match %s: %w", r.ID, err)
	}
	if known := len(r.Events) - number; known >= 0 && known < len(events) {
		r.Events = append(r.Events, events[known:]...)
	}
	r.Stored = len(r.Events)
	return nil
}

// Running stores matches that have not ended, so that they can resume after a restart. In
// a cluster, most of their data is in the journal.
type Running struct {
	db      *database
	journal Journal    // nil, except on the active node of a cluster
	tail    *tail.File // nil unless the store is exclusive
}

// Begin stores a match that has begun. If the match is already stored, as running or
// finished, Begin changes nothing; if the store is Journaled, Begin must not be called
// again for a match.
func (rs Running) Begin(ctx context.Context, r RunningMatch) (err error) {
	defer annotate(&err, "storing the beginning of the match %s", r.ID)
	rules, err := match.EncodeEvents(r.Rules, nil)
	if err != nil {
		return err
	}
	seats, err := json.Marshal(r.Seats)
	if err != nil {
		return err
	}
	if r.Details == nil {
		r.Details = json.RawMessage("{}")
	}
	if err := validJSON(r.Details); err != nil {
		return fmt.Errorf("its details: %w", err)
	}
	events, err := encodeWithoutRules(r.Events)
	if err != nil {
		return err
	}
	if rs.journal != nil {
		return rs.journalBeginning(r, string(rules), events)
	}
	return rs.db.update(ctx, func(t *tx) error {
		var stored int
		if err := t.get(`SELECT (SELECT COUNT(*) FROM matches WHERE id = $1) + (SELECT COUNT(*) FROM running WHERE id = $1)`,
			[]any{r.ID}, &stored); err != nil || stored > 0 {
			return err
		}
		if _, err := t.exec(`INSERT INTO running (id, started, rules, seats, details) VALUES ($1, $2, $3, $4, $5)`,
			r.ID, micros(r.Started), string(rules), string(seats), string(r.Details)); err != nil {
			return err
		}
		return t.appendEvents(r.ID, 0, events)
	})
}

// SaveDetails replaces the details of a running match. It reports whether the match is in
// the store.
func (rs Running) SaveDetails(ctx context.Context, r RunningMatch) (found bool, err error) {
	defer annotate(&err, "storing the details of the match %s", r.ID)
	rules, err := match.EncodeEvents(r.Rules, nil)
	if err == nil {
		err = validJSON(r.Details)
	}
	var body []byte
	if err == nil && rs.journal != nil {
		body, err = r.beginning(string(rules))
	}
	if err != nil {
		return false, err
	}
	if err := rs.flush(ctx); err != nil {
		return false, err
	}
	return updateTo(ctx, rs.db, func(t *tx) (bool, error) {
		n, err := t.exec(`UPDATE running SET details = $2 WHERE id = $1`, r.ID, string(r.Details))
		if err == nil && n == 0 && rs.journal != nil {
			n, err = t.exec(`UPDATE journal SET body = $2 WHERE match = $1 AND seq = 0`, r.ID, body)
		}
		return n > 0, err
	})
}

// encodeWithoutRules encodes events without the rules, which are stored once per match.
// The result is empty if there are no events.
func encodeWithoutRules(events []match.Event) (string, error) {
	if len(events) == 0 {
		return "", nil
	}
	b, err := match.EncodeEvents(match.Rules{}, events)
	return string(b), err
}

func (t *tx) appendEvents(id string, number int, events string) error {
	if events == "" {
		return nil
	}
	_, err := t.exec(`INSERT INTO running_events (match, number, events) VALUES ($1, $2, $3)
		ON CONFLICT (match, number) DO UPDATE SET events = excluded.events WHERE LENGTH(excluded.events) > LENGTH(running_events.events)`,
		id, number, events)
	return err
}

// Append stores events of a match; number is how many events precede them. All events
// caused by one command must be in the same Append, since the game cannot be rebuilt from
// some of them. After an error, the caller must append the same events again, alone or
// with later ones. The error is [ErrNotFound] if the match is not running.
//
// If the store is Journaled, the match must be running, and events that were appended
// successfully must not be appended again.
func (rs Running) Append(ctx context.Context, id string, number int, events []match.Event) (err error) {
	defer annotate(&err, "storing events of the match %s", id)
	encoded, err := encodeWithoutRules(events)
	if err != nil {
		return err
	}
	if rs.journal != nil {
		return rs.journal.Append(ctx, Entry{Match: id, Seq: number + 1, At: time.Now(), Body: []byte(encoded)})
	}
	return rs.db.update(ctx, func(t *tx) error {
		if err := t.get(`SELECT id FROM running WHERE id = $1`, []any{id}, new(string)); err != nil {
			return err
		}
		return t.appendEvents(id, number, encoded)
	})
}

// Forget removes a match that will not continue, without a result. It is no error if the
// match is not running.
func (rs Running) Forget(ctx context.Context, id string) (err error) {
	defer annotate(&err, "forgetting the match %s", id)
	if err := rs.flush(ctx); err != nil {
		return err
	}
	if err := rs.db.update(ctx, func(t *tx) error { return rs.remove(t, id) }); err != nil {
		return err
	}
	rs.release(id)
	return nil
}

// flush waits until the posted beginnings of all matches are in the journal, so that
// their rows can be updated.
func (rs Running) flush(ctx context.Context) error {
	if rs.journal == nil {
		return nil
	}
	return rs.journal.Append(ctx)
}

// remove removes a match from the running ones.
func (rs Running) remove(t *tx, id string) error {
	_, err := t.exec(`DELETE FROM running WHERE id = $1`, id)
	if err == nil && rs.journal != nil {
		_, err = t.exec(`DELETE FROM journal WHERE match = $1`, id)
	}
	return err
}

// List returns the running matches, oldest first, including events in the tail or the
// journal. Events after a gap are left out.
func (rs Running) List(ctx context.Context) (all []RunningMatch, err error) {
	defer annotate(&err, "reading the running matches")
	type row struct {
		RunningMatch
		rules, seats []byte
	}
	rows, err := list(ctx, rs.db, `SELECT id, started, rules, seats, details FROM running ORDER BY started, id`, nil, func(r *row) []any {
		return []any{&r.ID, timeInto(&r.Started), &r.rules, &r.seats, jsonInto(&r.Details)}
	})
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if err := json.Unmarshal(r.seats, &r.Seats); err != nil {
			return nil, fmt.Errorf("the match %s: %w", r.ID, err)
		}
		if r.Rules, _, err = match.DecodeEvents(r.rules); err != nil {
			return nil, err
		}
		if err := rs.readEvents(ctx, &r.RunningMatch); err != nil {
			return nil, err
		}
		if err := rs.addTail(&r.RunningMatch); err != nil {
			return nil, err
		}
		all = append(all, r.RunningMatch)
	}
	if rs.journal == nil {
		return all, nil
	}
	if all, err = rs.fromJournal(ctx, all); err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b RunningMatch) int { return cmp.Or(a.Started.Compare(b.Started), strings.Compare(a.ID, b.ID)) })
	return all, nil
}

// readEvents adds a match's events from the database.
func (rs Running) readEvents(ctx context.Context, r *RunningMatch) error {
	type row struct {
		number int
		events []byte
	}
	rows, err := list(ctx, rs.db, `SELECT number, events FROM running_events WHERE match = $1 ORDER BY number`, []any{r.ID},
		func(e *row) []any { return []any{&e.number, &e.events} })
	for _, e := range rows {
		if err == nil {
			err = r.add(e.number, e.events)
		}
	}
	return err
}
