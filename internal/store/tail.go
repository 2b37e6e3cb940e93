package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"broadside/internal/store/tail"
	"broadside/match"
)

// TailName is the name of the tail in the data folder, see package tail. Matches that
// run when the server is killed need it to resume.
const TailName = "broadside.tail"

// held is the content of a match's slot in the tail: players have seen To events, and
// Events are those after the first From. Events is empty if they do not fit.
type held struct {
	From, To int
	Events   json.RawMessage `json:",omitempty"` // see [match.EncodeEvents]
}

// Hold keeps the newest events of a running match until the database has them, even if
// the process is killed; from is how many events came before them. It does not wait for
// the disk, and a full disk does not stop it. Players must not see an event before Hold
// has returned for it. List then includes the event. Each call replaces the events of
// the previous one. Finish and Forget end it.
//
// Hold does nothing unless the store is exclusive.
func (rs Running) Hold(id string, from int, events []match.Event) (err error) {
	if rs.tail == nil {
		return nil
	}
	defer annotate(&err, "keeping the newest events of the match %s", id)
	encoded, err := encodeWithoutRules(events)
	if err != nil {
		return err
	}
	h := held{From: from, To: from + len(events), Events: json.RawMessage(encoded)}
	full, err := json.Marshal(h)
	if err != nil {
		return err
	}
	h.Events = nil
	short, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return explain(rs.tail.Put(id, full, short))
}

// release ends Hold for a match.
func (rs Running) release(id string) {
	if rs.tail == nil {
		return
	}
	if err := rs.tail.Release(id); err != nil { // the next start of the server frees the slot
		rs.db.log.Warn("a slot of the tail could not be freed", "match", id, "error", err)
	}
}

// openTail opens the tail and frees the slots of matches that are no longer running.
func (rs *Running) openTail(ctx context.Context, folder string) (err error) {
	if rs.tail, err = tail.Open(filepath.Join(folder, TailName)); err != nil {
		return err
	}
	rs.db.failed = rs.syncTail
	running, err := list(ctx, rs.db, `SELECT id FROM running`, nil, itself[string])
	if err != nil {
		return errors.Join(err, rs.tail.Close())
	}
	for _, id := range rs.tail.Without(running) {
		rs.db.log.Warn("a match is void: it ended, or it began while the database could not be written to", "match", id)
		rs.release(id)
	}
	return nil
}

// addTail adds to a running match what the tail has of it.
func (rs Running) addTail(r *RunningMatch) error {
	if rs.tail == nil {
		return nil
	}
	content, err := rs.tail.Get(r.ID)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, tail.ErrTorn):
		r.Behind = true // players may have seen anything
		return nil
	case err != nil:
		return fmt.Errorf("reading the tail: %w", err)
	}
	var h held
	if json.Unmarshal(content, &h) != nil {
		r.Behind = true
		return nil
	}
	n := len(r.Events)
	if h.To <= n {
		return nil
	}
	_, events, err := match.DecodeEvents(h.Events)
	if err != nil || h.From > n || h.From+len(events) != h.To {
		r.Behind = true
		return nil
	}
	r.Events = append(r.Events, events[n-h.From:]...)
	return nil
}

// syncTail puts the tail on disk while the database cannot be written, so that a power
// failure does not lose it.
func (rs Running) syncTail() {
	if err := rs.tail.Sync(); err != nil {
		rs.db.log.Debug("the tail could not be synced", "error", err)
	}
}
