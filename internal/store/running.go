package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"broadside/match"
)

// RunningMatch is a match that has not ended.
type RunningMatch struct {
	ID      string
	Rules   match.Rules
	Started time.Time
	Seats   [2]Seat
	Events  []match.Event
	// Details are defined by the caller. They may be nil.
	Details json.RawMessage
}

// Running stores matches that have not ended in a journal, so that they resume after a restart. Show
// events only after they are stored.
type Running struct {
	db      *database
	journal *journal
}

// matchStart is the body of a match's first entry.
type matchStart struct {
	Started int64 `json:"started"`
	// Rules are encoded by [match.EncodeEvents].
	Rules   json.RawMessage `json:"rules"`
	Seats   [2]Seat         `json:"seats"`
	Details json.RawMessage `json:"details"`
}

func (r RunningMatch) firstEntry() (entry, error) {
	rules, err := match.EncodeEvents(r.Rules, nil)
	if err != nil {
		return entry{}, err
	}
	if r.Details == nil {
		r.Details = json.RawMessage("{}")
	}
	if err := checkJSON(r.Details); err != nil {
		return entry{}, fmt.Errorf("match details: %w", err)
	}
	body, err := json.Marshal(matchStart{toMicros(r.Started), rules, r.Seats, r.Details})
	return entry{match: r.ID, body: body}, err
}

// Add stores a match that has started, with its first events. After an error it may be called again.
func (rs Running) Add(ctx context.Context, r RunningMatch) (err error) {
	defer annotate(&err, "store start of match %s", r.ID)
	first, err := r.firstEntry()
	if err != nil || len(r.Events) == 0 {
		return cmp.Or(err, rs.journal.append(ctx, first))
	}
	events, err := match.EncodeEvents(match.Rules{}, r.Events)
	if err != nil {
		return err
	}
	return rs.journal.append(ctx, first, entry{match: r.ID, seq: 1, body: events})
}

// AppendEvents stores events of a match. number is how many events precede them. Pass all events of a
// command together, because the game cannot be rebuilt from some of them. After an error, the caller must
// append the same events again.
func (rs Running) AppendEvents(ctx context.Context, id string, number int, events []match.Event) (err error) {
	defer annotate(&err, "store events of match %s", id)
	body, err := match.EncodeEvents(match.Rules{}, events)
	if err != nil {
		return err
	}
	return rs.journal.append(ctx, entry{match: id, seq: number + 1, body: body})
}

// SaveDetails replaces the details of a match that Begin has stored.
func (rs Running) SaveDetails(ctx context.Context, r RunningMatch) (err error) {
	defer annotate(&err, "store details of match %s", r.ID)
	first, err := r.firstEntry()
	if err != nil {
		return err
	}
	return rs.db.update(ctx, func(t *tx) error {
		return t.execOrNotFound(`UPDATE journal SET body = $2 WHERE match = $1 AND seq = 0`, r.ID, first.body)
	})
}

// Remove removes a match that will not continue, without a result. It returns nil if the match is not
// running.
func (rs Running) Remove(ctx context.Context, id string) (err error) {
	defer annotate(&err, "remove running match %s", id)
	return rs.db.update(ctx, func(t *tx) error { return t.removeRunning(id) })
}

func (t *tx) removeRunning(id string) error {
	if _, err := t.exec(`DELETE FROM journal WHERE match = $1`, id); err != nil {
		return err
	}
	_, err := t.exec(`DELETE FROM correspondence WHERE match = $1`, id)
	return err
}

// List returns the running matches of this world, oldest first.
func (rs Running) List(ctx context.Context) (all []RunningMatch, err error) {
	defer annotate(&err, "read the running matches")
	// A write that seemed lost may have been stored after the end of its match.
	if err := rs.db.update(ctx, func(t *tx) error {
		_, err := t.exec(`DELETE FROM journal WHERE match IN (SELECT id FROM matches)`)
		return err
	}); err != nil {
		return nil, err
	}
	entries, err := listRows(ctx, rs.db, `SELECT match, seq, body FROM journal WHERE world = $1 ORDER BY match, seq`, []any{rs.journal.world},
		func(e *entry) []any { return []any{&e.match, &e.seq, &e.body} })
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.seq == 0 {
			r, err := e.decodeMatch()
			if err != nil {
				return nil, err
			}
			all = append(all, r)
			continue
		}
		if len(all) == 0 || all[len(all)-1].ID != e.match {
			rs.db.log.Error("the journal has events of a match without its start", "match", e.match)
			continue
		}
		if err := all[len(all)-1].addEvents(e); errors.Is(err, errGap) {
			rs.db.log.Error("a running match has lost its newest events", "match", e.match, "error", err)
		} else if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b RunningMatch) int { return cmp.Or(a.Started.Compare(b.Started), strings.Compare(a.ID, b.ID)) })
	return all, nil
}

// decodeMatch returns the match whose first entry is e, without events.
func (e entry) decodeMatch() (r RunningMatch, err error) {
	var b matchStart
	if err = json.Unmarshal(e.body, &b); err == nil {
		r = RunningMatch{ID: e.match, Started: fromMicros(b.Started), Seats: b.Seats, Details: b.Details}
		r.Rules, _, err = match.DecodeEvents(b.Rules)
	}
	if err != nil {
		err = fmt.Errorf("start of match %s: %w", e.match, err)
	}
	return r, err
}

// errGap is returned for events after missing ones. No version should write such events.
var errGap = errors.New("events are missing")

// addEvents appends an entry's events. Entries of earlier versions may overlap.
func (r *RunningMatch) addEvents(e entry) error {
	_, events, err := match.DecodeEvents(e.body)
	if err != nil {
		return fmt.Errorf("match %s: %w", r.ID, err)
	}
	known := len(r.Events) - (e.seq - 1)
	if known < 0 {
		return fmt.Errorf("%w before event %d", errGap, e.seq-1)
	}
	if known < len(events) {
		r.Events = append(r.Events, events[known:]...)
	}
	return nil
}
