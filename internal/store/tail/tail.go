// Package tail keeps small pieces of data that must outlive the process but cannot wait
// for the disk.
package tail

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"

	"broadside/internal/owner"
)

// ErrTorn is returned for a slot that a power failure has damaged.
var ErrTorn = errors.New("the slot is damaged")

// File is a file of fixed size with a slot for each running match, which holds the
// match's newest events. Writing to it neither waits for the disk nor needs room on it.
// What has been written outlives the process, though not a power failure. So it can be
// written before the players of a match see what happened, and says after a restart how
// much they have seen. All methods may be called from any goroutine.
//
// A slot consists of the length of its content, a checksum, the ID of the match, and the
// content, compressed if it is long. A length of zero marks a free slot.
type File struct {
	file *os.File

	mu    sync.Mutex
	slots map[string]int // guarded by mu; by match
	free  []int          // guarded by mu
}

const (
	slotSize    = 4096 // bytes; a page, so that a killed process leaves a slot whole
	headerSize  = 40   // bytes
	maxID       = headerSize - 8
	maxContent  = slotSize - headerSize
	slotGroup   = 256     // slots by which the file grows
	maxUnpacked = 8 << 20 // bytes; more than any content
)

// Open opens a file, or makes one.
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

// index finds out which of the slots are free, and makes some if there are none.
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
	// Zeros are written since a hole in the file would not reserve the room.
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

// slot returns the slot of a match, which gets one if it has none.
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

// Put replaces the content of a match's slot: by content if it fits, else by short.
func (f *File) Put(id string, content, short []byte) error {
	if id == "" || len(id) > maxID {
		return fmt.Errorf("the match ID %q does not fit into the tail", id)
	}
	content, err := pack(content, short)
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

// pack returns what fits into a slot: content, compressed content, or short.
func pack(content, short []byte) ([]byte, error) {
	if len(content) <= maxContent {
		return content, nil
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

// Get returns the content of a match's slot. The error is [fs.ErrNotExist] if the match
// has none, and [ErrTorn] if it cannot be read.
func (f *File) Get(id string) ([]byte, error) {
	f.mu.Lock()
	slot, ok := f.slots[id]
	f.mu.Unlock()
	if !ok {
		return nil, fs.ErrNotExist
	}
	b := make([]byte, slotSize)
	if _, err := f.file.ReadAt(b, int64(slot)*slotSize); err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint32(b)
	if length > maxContent {
		return nil, ErrTorn
	}
	content := b[headerSize : headerSize+length]
	if crc32.ChecksumIEEE(content) != binary.LittleEndian.Uint32(b[4:]) {
		return nil, ErrTorn
	}
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return content, nil // it is not compressed
	}
	if content, err = io.ReadAll(io.LimitReader(z, maxUnpacked)); err != nil {
		return nil, ErrTorn
	}
	return content, nil
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

// Without returns the IDs of matches that have a slot and are not among those given.
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

// Sync waits until the file is on disk.
func (f *File) Sync() error { return f.file.Sync() }

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
