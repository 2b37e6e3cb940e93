package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"broadside/internal/owner"
	"broadside/match"
)

// TailName is the name of the tail in the data folder. Matches that run when
// the server is killed need it to resume.
const TailName = "broadside.tail"

// tail is a file of fixed size with the newest events of each running match.
// Writing to it neither waits for the disk nor needs room on it, and what has
// been written outlives the process, though not a power failure. So it can be
// written before the players of a match see what happened, and it says after a
// restart how far they were.
//
// The file consists of slots, one for each running match. A slot holds the
// length of its content, a checksum, the ID of the match, and the content: a
// [held] as JSON, compressed if it is long. A length of zero marks a free slot.
type tail struct {
	file *os.File

	mu    sync.Mutex
	slots map[string]int // guarded by mu, as is free; by match
	free  []int
}

const (
	slotSize   = 4096 // bytes; a page, so that a killed process leaves a slot whole
	slotHeader = 40
	idRoom     = slotHeader - 8
	slotGroup  = 256 // slots by which the file grows
)

// held is what a slot says about its match: players have seen To events, and
// Events are those after the first From. It has no events if they do not fit.
type held struct {
	From, To int
	Events   json.RawMessage `json:",omitempty"` // see [match.EncodeEvents]
}

// openTail opens the tail in a data folder, or makes one.
func openTail(folder string) (t *tail, err error) {
	file, err := os.OpenFile(filepath.Join(folder, TailName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	t = &tail{file: file, slots: map[string]int{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	owner.Inherit(file.Name())
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", file.Name())
	}
	count := int(info.Size() / slotSize)
	for i := range count {
		id, err := t.match(i)
		if err != nil {
			return nil, err
		}
		if id == "" {
			t.free = append(t.free, i)
		} else {
			t.slots[id] = i
		}
	}
	if count == 0 {
		err = t.grow()
	}
	return t, err
}

// grow adds free slots to the file. t.mu must be held, unless nobody else uses
// the tail yet.
func (t *tail) grow() error {
	count := len(t.slots) + len(t.free)
	// A hole in the file would not reserve the room.
	if _, err := t.file.WriteAt(make([]byte, slotGroup*slotSize), int64(count)*slotSize); err != nil {
		return errors.Join(err, t.file.Truncate(int64(count)*slotSize))
	}
	if err := t.file.Sync(); err != nil {
		return err
	}
	for i := range slotGroup {
		t.free = append(t.free, count+i)
	}
	return nil
}

// match returns the ID of the match that has a slot, or an empty one.
func (t *tail) match(slot int) (string, error) {
	var header [slotHeader]byte
	if _, err := t.file.ReadAt(header[:], int64(slot)*slotSize); err != nil {
		return "", err
	}
	if binary.LittleEndian.Uint32(header[:]) == 0 {
		return "", nil
	}
	return string(bytes.TrimRight(header[8:], "\x00")), nil
}

// slot returns the slot of a match, which gets one if it has none.
func (t *tail) slot(id string) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n, ok := t.slots[id]; ok {
		return n, nil
	}
	if len(t.free) == 0 {
		if err := t.grow(); err != nil {
			return 0, err
		}
	}
	n := t.free[len(t.free)-1]
	t.free = t.free[:len(t.free)-1]
	t.slots[id] = n
	return n, nil
}

// put replaces the content of a match's slot.
func (t *tail) put(id string, h held) error {
	if id == "" || len(id) > idRoom {
		return fmt.Errorf("the match ID %q does not fit into the tail", id)
	}
	content, err := h.encode()
	if err != nil {
		return err
	}
	slot, err := t.slot(id)
	if err != nil {
		return err
	}
	b := make([]byte, slotHeader, slotHeader+len(content))
	binary.LittleEndian.PutUint32(b, uint32(len(content)))
	binary.LittleEndian.PutUint32(b[4:], crc32.ChecksumIEEE(content))
	copy(b[8:], id)
	_, err = t.file.WriteAt(append(b, content...), int64(slot)*slotSize)
	return err
}

// encode returns the content of a slot.
func (h held) encode() ([]byte, error) {
	content, err := json.Marshal(h)
	if err != nil || len(content) <= slotSize-slotHeader {
		return content, err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(content); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	if b.Len() <= slotSize-slotHeader {
		return b.Bytes(), nil
	}
	h.Events = nil
	return json.Marshal(h)
}

// get returns what a match's slot says; ok is false if the match has none. A
// slot that was torn by a power failure says that players may have seen
// anything.
func (t *tail) get(id string) (h held, ok bool, err error) {
	t.mu.Lock()
	slot, ok := t.slots[id]
	t.mu.Unlock()
	if !ok {
		return h, false, nil
	}
	b := make([]byte, slotSize)
	if _, err := t.file.ReadAt(b, int64(slot)*slotSize); err != nil {
		return h, true, fmt.Errorf("reading the tail: %w", err)
	}
	length := binary.LittleEndian.Uint32(b)
	if length > slotSize-slotHeader {
		return torn, true, nil
	}
	content := b[slotHeader : slotHeader+length]
	if crc32.ChecksumIEEE(content) != binary.LittleEndian.Uint32(b[4:]) {
		return torn, true, nil
	}
	if z, err := gzip.NewReader(bytes.NewReader(content)); err == nil {
		if content, err = io.ReadAll(io.LimitReader(z, maxUnpacked)); err != nil {
			return torn, true, nil
		}
	}
	if err := json.Unmarshal(content, &h); err != nil {
		return torn, true, nil
	}
	return h, true, nil
}

// torn is what a slot says that cannot be read.
var torn = held{To: int(^uint(0) >> 1)}

// release frees the slot of a match, if it has one.
func (t *tail) release(id string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	slot, ok := t.slots[id]
	if !ok {
		return nil
	}
	if _, err := t.file.WriteAt(make([]byte, slotHeader), int64(slot)*slotSize); err != nil {
		return err
	}
	delete(t.slots, id)
	t.free = append(t.free, slot)
	return nil
}

// Hold keeps the newest events of a running match until the store has them,
// even if the process is killed: from is how many events came before them.
// It does not wait for the disk, and a full disk does not stop it. Players must
// not see an event before Hold has returned for it; [Store.Running] then knows
// of it. Each call replaces what an earlier one kept. [Store.Finish] and
// [Store.Forget] end it.
//
// Hold does nothing in a store that was not opened with [Config].Alone.
func (s *Store) Hold(id string, from int, events []match.Event) error {
	if s.tail == nil {
		return nil
	}
	encoded, err := encodeSome(events)
	if err == nil {
		err = s.tail.put(id, held{From: from, To: from + len(events), Events: json.RawMessage(encoded)})
	}
	if err != nil {
		return fmt.Errorf("keeping the newest events of the match %s: %w", id, explain(err))
	}
	return nil
}

// letGo ends [Store.Hold] for a match that is no longer among the running ones.
func (s *Store) letGo(id string) {
	if s.tail == nil {
		return
	}
	if err := s.tail.release(id); err != nil { // the match is unknown at the next start, and its slot is freed then
		s.log.Warn("a slot of the tail could not be freed", "match", id, "error", err)
	}
}

// openTail opens the tail and frees the slots of matches that no longer run.
func (s *Store) openTail(ctx context.Context, folder string) error {
	t, err := openTail(folder)
	if err != nil {
		return err
	}
	s.tail = t
	running, err := list(ctx, s, `SELECT id FROM running`, nil, func(scan func(...any) error) (id string, err error) {
		err = scan(&id)
		return id, err
	})
	if err != nil {
		return err
	}
	known := make(map[string]bool, len(running))
	for _, id := range running {
		known[id] = true
	}
	for id := range t.slots { // nobody else uses the tail yet
		if !known[id] {
			s.log.Warn("a match is void: it ended, or it began while the database could not be written to", "match", id)
			s.letGo(id)
		}
	}
	return nil
}

// complete adds to a running match what the tail has of it.
func (s *Store) complete(r *Running) error {
	if s.tail == nil {
		return nil
	}
	h, ok, err := s.tail.get(r.ID)
	switch n := len(r.Events); {
	case err != nil || !ok || h.To <= n:
		return err
	case h.From > n || len(h.Events) == 0:
		r.Behind = true
		return nil
	}
	_, events, err := match.DecodeEvents(h.Events)
	if err != nil || h.From+len(events) != h.To {
		r.Behind = true
		return nil
	}
	r.Events = append(r.Events, events[len(r.Events)-h.From:]...)
	return nil
}

// syncTail puts the tail on the disk while the database cannot be written to,
// so that a power failure does not take it.
func (s *Store) syncTail() {
	if s.tail == nil {
		return
	}
	if err := s.tail.file.Sync(); err != nil && !errors.Is(err, fs.ErrClosed) {
		s.log.Debug("the tail could not be synced", "error", err)
	}
}
