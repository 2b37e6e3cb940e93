package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"broadside/internal/store/tail"
	"broadside/match"
)

// TailName is the name of the tail in the data folder; see package tail. Matches that
// were running when the server was killed need it to resume.
const TailName = "broadside.tail"

// Hold keeps the newest events of a running match until they are in the database, even if
// the process is killed; from is how many events precede them. It does not wait for the
// disk and works even if the disk is full. Players must not see an event before Hold has
// returned for it. List then includes the event. Each call replaces the events of the
// previous call. Finish and Forget release them.
//
// Hold does nothing unless the store is exclusive.
func (rs Running) Hold(id string, from int, events []match.Event) (err error) {
	if rs.tail == nil {
		return nil
	}
	defer annotate(&err, "keeping the newest events of the match %s", id)
	return rs.tail.Put(id, from, events)
}

// release releases the events that Hold keeps for a match.
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

// addTail adds a running match's events in the tail to it.
func (rs Running) addTail(r *RunningMatch) error {
	if rs.tail == nil {
		return nil
	}
	slot, err := rs.tail.Get(r.ID)
	n := len(r.Events)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, tail.ErrTorn): // unknown how much players have seen
		r.Behind = true
	case err != nil:
		return fmt.Errorf("reading the tail: %w", err)
	case slot.To <= n:
	case slot.From > n || slot.From+len(slot.Events) != slot.To:
		r.Behind = true
	default:
		r.Events = append(r.Events, slot.Events[n-slot.From:]...)
	}
	return nil
}

// syncTail syncs the tail to disk while the database cannot be written, so that its
// events survive a power failure.
func (rs Running) syncTail() {
	if err := rs.tail.Sync(); err != nil {
		rs.db.log.Debug("the tail could not be synced", "error", err)
	}
}
