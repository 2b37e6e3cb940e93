package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"broadside/match"
)

// Running is a match that has not ended.
type Running struct {
	ID      string
	Rules   match.Rules
	Started time.Time
	Seats   [2]Seat
	Events  []match.Event
	Details json.RawMessage // whatever else the caller needs to go on; may be nil
	// Stored is how many of Events the database or the journal has; the rest is from
	// the tail.
	Stored int
	// Behind reports that players have seen events that are stored nowhere, so
	// the match must not resume from Events.
	Behind bool
}

// Begin stores a match that has begun, so that it can go on after a restart.
// A match that is stored already, as running or as ended, stays as it is; if the
// store is [Store.Journaled], Begin must not be called for one.
func (s *Store) Begin(ctx context.Context, r Running) error {
	if err := s.begin(ctx, r); err != nil {
		return fmt.Errorf("storing the beginning of the match %s: %w", r.ID, err)
	}
	return nil
}

func (s *Store) begin(ctx context.Context, r Running) error {
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
	events, err := encodeSome(r.Events)
	if err != nil {
		return err
	}
	if s.journal != nil {
		return s.journalBeginning(ctx, r, string(rules), events)
	}
	return s.change(ctx, func(t *tx) error {
		var there int
		if err := t.get(`SELECT (SELECT COUNT(*) FROM matches WHERE id = $1) + (SELECT COUNT(*) FROM running WHERE id = $1)`,
			[]any{r.ID}, &there); err != nil || there > 0 {
			return err
		}
		if _, err := t.exec(`INSERT INTO running (id, started, rules, seats, details) VALUES ($1, $2, $3, $4, $5)`,
			r.ID, micros(r.Started), string(rules), string(seats), string(r.Details)); err != nil {
			return err
		}
		return t.appendEvents(r.ID, 0, events)
	})
}

// Rewrite replaces the details of a running match that the store has. It reports
// whether the store has the match.
func (s *Store) Rewrite(ctx context.Context, r Running) (found bool, err error) {
	rules, err := match.EncodeEvents(r.Rules, nil)
	if err == nil {
		err = validJSON(r.Details)
	}
	var body []byte
	if err == nil && s.journal != nil {
		body, err = r.beginning(string(rules))
	}
	if err == nil {
		err = s.change(ctx, func(t *tx) error {
			n, err := t.exec(`UPDATE running SET details = $2 WHERE id = $1`, r.ID, string(r.Details))
			if err == nil && n == 0 && s.journal != nil {
				n, err = t.exec(`UPDATE journal SET body = $2 WHERE match = $1 AND seq = 0`, r.ID, body)
			}
			found = n > 0
			return err
		})
	}
	if err != nil {
		return false, fmt.Errorf("storing the details of the match %s: %w", r.ID, err)
	}
	return found, nil
}

// encodeSome is events without the rules, which are stored once. It is empty
// if there are none.
func encodeSome(events []match.Event) (string, error) {
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

// Append stores what has happened in a match since it began, or since the last
// Append: number is how many events there were before. What follows from one
// command belongs in one Append, or the game cannot be rebuilt if only half of
// it is stored. After an error, append the same events again, alone or with
// later ones. A match that is not running, because it was finished meanwhile,
// is [ErrNotFound].
//
// If the store is [Store.Journaled], the match must be running, and the same events
// must not be appended after success or with others.
func (s *Store) Append(ctx context.Context, id string, number int, events []match.Event) error {
	encoded, err := encodeSome(events)
	switch {
	case err != nil:
	case s.journal != nil:
		err = s.journal.Append(ctx, Entry{Match: id, Seq: number + 1, At: time.Now(), Body: []byte(encoded)})
	default:
		err = s.change(ctx, func(t *tx) error {
			if err := t.get(`SELECT id FROM running WHERE id = $1`, []any{id}, new(string)); err != nil {
				return err
			}
			return t.appendEvents(id, number, encoded)
		})
	}
	if err != nil {
		return fmt.Errorf("storing events of the match %s: %w", id, err)
	}
	return nil
}

// Forget removes a match that will not go on, as if it had never been. There
// may be no such match.
func (s *Store) Forget(ctx context.Context, id string) error {
	if err := s.change(ctx, func(t *tx) error { return t.forget(id) }); err != nil {
		return fmt.Errorf("forgetting the match %s: %w", id, err)
	}
	s.letGo(id)
	return nil
}

// forget ends the stay of a match among the running ones.
func (t *tx) forget(id string) error {
	_, err := t.exec(`DELETE FROM running WHERE id = $1`, id)
	if err == nil && t.writer.store.journal != nil {
		_, err = t.exec(`DELETE FROM journal WHERE match = $1`, id)
	}
	return err
}

// Running returns the matches that have not ended, oldest first, with what the
// tail or the journal has of them. Events after a gap are left out.
func (s *Store) Running(ctx context.Context) ([]Running, error) {
	all, err := list(ctx, s, `SELECT id, started, rules, seats, details FROM running ORDER BY started, id`, nil,
		func(scan func(...any) error) (Running, error) {
			var r Running
			var started int64
			var rules, seats, details string
			if err := scan(&r.ID, &started, &rules, &seats, &details); err != nil {
				return r, err
			}
			r.Started, r.Details = moment(started), json.RawMessage(details)
			if err := json.Unmarshal([]byte(seats), &r.Seats); err != nil {
				return r, fmt.Errorf("the match %s: %w", r.ID, err)
			}
			var err error
			r.Rules, _, err = match.DecodeEvents([]byte(rules))
			return r, err
		})
	for i := range all {
		if err == nil {
			err = s.readEvents(ctx, &all[i])
		}
		if err == nil {
			err = s.complete(&all[i])
		}
	}
	if err == nil && s.journal != nil {
		all, err = s.fromJournal(ctx, all)
		slices.SortFunc(all, func(a, b Running) int { return cmp.Or(a.Started.Compare(b.Started), strings.Compare(a.ID, b.ID)) })
	}
	if err != nil {
		return nil, fmt.Errorf("reading the running matches: %w", err)
	}
	return all, nil
}

func (s *Store) readEvents(ctx context.Context, r *Running) error {
	_, err := list(ctx, s, `SELECT number, events FROM running_events WHERE match = $1 ORDER BY number`, []any{r.ID},
		func(scan func(...any) error) (struct{}, error) {
			var number int
			var encoded string
			if err := scan(&number, &encoded); err != nil {
				return struct{}{}, err
			}
			return struct{}{}, r.add(number, []byte(encoded))
		})
	return err
}

// add adds stored events, of which number came before them. They are called in that
// order.
func (r *Running) add(number int, encoded []byte) error {
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
