// Package tail keeps the newest events of running matches in a file, without waiting for
// the disk.
package tail

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"

	"broadside/internal/owner"
	"broadside/match"
)

// ErrTorn is returned for a slot that a power failure has damaged.
var ErrTorn = errors.New("the slot is damaged")

// File is a fixed-size file with a slot for each running match, which holds the match's
// newest events. Writing to a slot neither waits for the disk nor needs free space.
// Written data survives the end of the process, but not a power failure. Writing events
// here before players see them is therefore fast, and after a restart the file tells how
// much players have seen. All methods may be called from any goroutine.
//
// A slot consists of the length of its content, a checksum, the match ID, and the
// content, which is compressed if it is long. A length of zero marks a free slot.
type File struct {
	file *os.File

	mu    sync.Mutex
	slots map[string]int // guarded by mu; by match
	free  []int          // guarded by mu
}

const (
	slotSize    = 4096 // bytes; one page, so that a killed process cannot leave a partly written slot
	headerSize  = 40   // bytes
	maxID       = headerSize - 8
	maxContent  = slotSize - headerSize
	slotGroup   = 256     // number of slots by which the file grows
	maxUnpacked = 8 << 20 // bytes; more than any content
)

// Open opens a file, or creates it.
func Open(name string) (f *File, err error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	owner.Inherit(name)
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	f = &File{file: file, slots: map[string]int{}}
	return f, f.index(int(info.Size() / slotSize))
}

// index finds the free slots, and adds some if there are none.
func (f *File) index(count int) error {
	var header [headerSize]byte
	for i := range count {
		if _, err := f.file.ReadAt(header[:], int64(i)*slotSize); err != nil {
			return err
		}
		if binary.LittleEndian.Uint32(header[:]) == 0 {
			f.free = append(f.free, i)
		} else {
			f.slots[string(bytes.TrimRight(header[8:], "\x00"))] = i
		}
	}
	if count == 0 {
		return f.growLocked()
	}
	return nil
}

// growLocked adds free slots.
func (f *File) growLocked() error {
	count := len(f.slots) + len(f.free)
	// Write zeros, because a hole in the file would not reserve disk space.
	if _, err := f.file.WriteAt(make([]byte, slotGroup*slotSize), int64(count)*slotSize); err != nil {
		return errors.Join(err, f.file.Truncate(int64(count)*slotSize))
	}
	if err := f.file.Sync(); err != nil {
		return err
	}
	for i := range slotGroup {
		f.free = append(f.free, count+i)
	}
	return nil
}

// slot returns the slot of a match and allocates one if necessary.
func (f *File) slot(id string) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n, ok := f.slots[id]; ok {
		return n, nil
	}
	if len(f.free) == 0 {
		if err := f.growLocked(); err != nil {
			return 0, err
		}
	}
	n := f.free[len(f.free)-1]
	f.free = f.free[:len(f.free)-1]
	f.slots[id] = n
	return n, nil
}

// Slot records how many events the players of a match have seen: To events, of which
// Events are those after the first From. Events is empty if they do not fit into the
// file.
type Slot struct {
	From, To int
	Events   []match.Event
}

// encodedSlot is the stored form of a Slot.
type encodedSlot struct {
	From, To int
	Events   json.RawMessage `json:",omitempty"` // see [match.EncodeEvents]
}

// Put replaces the slot of a match. events are events that players may have seen; from is
// how many precede them.
func (f *File) Put(id string, from int, events []match.Event) error {
	if id == "" || len(id) > maxID {
		return fmt.Errorf("the match ID %q does not fit into the tail", id)
	}
	content, err := encode(from, events)
	if err != nil {
		return err
	}
	slot, err := f.slot(id)
	if err != nil {
		return err
	}
	b := make([]byte, headerSize, headerSize+len(content))
	binary.LittleEndian.PutUint32(b, uint32(len(content)))
	binary.LittleEndian.PutUint32(b[4:], crc32.ChecksumIEEE(content))
	copy(b[8:], id)
	_, err = f.file.WriteAt(append(b, content...), int64(slot)*slotSize)
	return err
}

// encode returns the content of a slot, compressed if it is long. It omits events that do
// not fit even when compressed.
func encode(from int, events []match.Event) ([]byte, error) {
	slot := encodedSlot{From: from, To: from + len(events)}
	if len(events) == 0 {
		return json.Marshal(slot)
	}
	short, err := json.Marshal(slot)
	if err != nil {
		return nil, err
	}
	if slot.Events, err = match.EncodeEvents(match.Rules{}, events); err != nil {
		return nil, err
	}
	content, err := json.Marshal(slot)
	if err != nil || len(content) <= maxContent {
		return content, err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	_, err = z.Write(content)
	if err := errors.Join(err, z.Close()); err != nil {
		return nil, err
	}
	if b.Len() <= maxContent {
		return b.Bytes(), nil
	}
	return short, nil
}

// Get returns the slot of a match. The error is [fs.ErrNotExist] if the match has none,
// and [ErrTorn] if the slot cannot be read.
func (f *File) Get(id string) (Slot, error) {
	f.mu.Lock()
	slot, ok := f.slots[id]
	f.mu.Unlock()
	if !ok {
		return Slot{}, fs.ErrNotExist
	}
	b := make([]byte, slotSize)
	if _, err := f.file.ReadAt(b, int64(slot)*slotSize); err != nil {
		return Slot{}, err
	}
	length := binary.LittleEndian.Uint32(b)
	if length > maxContent {
		return Slot{}, ErrTorn
	}
	content := b[headerSize : headerSize+length]
	if crc32.ChecksumIEEE(content) != binary.LittleEndian.Uint32(b[4:]) {
		return Slot{}, ErrTorn
	}
	return decode(content)
}

// decode is the inverse of encode.
func decode(content []byte) (Slot, error) {
	if z, err := gzip.NewReader(bytes.NewReader(content)); err == nil { // the content is compressed
		if content, err = io.ReadAll(io.LimitReader(z, maxUnpacked)); err != nil {
			return Slot{}, ErrTorn
		}
	}
	var e encodedSlot
	if json.Unmarshal(content, &e) != nil {
		return Slot{}, ErrTorn
	}
	s := Slot{From: e.From, To: e.To}
	if len(e.Events) > 0 {
		_, events, err := match.DecodeEvents(e.Events)
		if err != nil {
			return Slot{}, ErrTorn
		}
		s.Events = events
	}
	return s, nil
}

// Release frees the slot of a match, if it has one.
func (f *File) Release(id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	slot, ok := f.slots[id]
	if !ok {
		return nil
	}
	if _, err := f.file.WriteAt(make([]byte, headerSize), int64(slot)*slotSize); err != nil {
		return err
	}
	delete(f.slots, id)
	f.free = append(f.free, slot)
	return nil
}

// Without returns the IDs of the matches that have a slot but are not in ids.
func (f *File) Without(ids []string) (others []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id := range f.slots {
		if !slices.Contains(ids, id) {
			others = append(others, id)
		}
	}
	return others
}

// Sync waits until the file's content is on disk.
func (f *File) Sync() error { return f.file.Sync() }

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
