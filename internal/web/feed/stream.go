package feed

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// backlog is the number of chunks that a stream keeps for slow and returning readers.
const backlog = 256

// Stream is a sequence of server-sent events for any number of readers. Each chunk of
// events is encoded once. A reader that is more than the backlog behind misses events. Its
// methods may be called from any goroutine and do not block.
type Stream struct {
	id string // distinguishes streams after a restart and on other nodes

	mu      sync.Mutex
	chunks  [][]byte      // guarded by mu, like the fields below: chunk n is at n%backlog
	count   uint64        // chunks so far
	changed chan struct{} // closed at the next change; nil unless a reader waits
	ended   bool
}

// newStream returns an empty stream.
func newStream() *Stream { return &Stream{id: rand.Text()[:8]} }

// Event is a server-sent event. An event without a name is a message.
type Event struct {
	Name string
	Data any
}

// encode returns events in the form in which they are sent. The last one has an ID.
func encode(id string, events ...Event) []byte {
	var b bytes.Buffer
	for i, e := range events {
		data, err := json.Marshal(e.Data)
		if err != nil { // cannot happen: all data are plain structs
			continue
		}
		if e.Name != "" {
			fmt.Fprintf(&b, "event: %s\n", e.Name)
		}
		if i == len(events)-1 {
			fmt.Fprintf(&b, "id: %s\n", id)
		}
		fmt.Fprintf(&b, "data: %s\n\n", data)
	}
	return b.Bytes()
}

// publish adds a chunk of events.
func (s *Stream) publish(events ...Event) {
	if len(events) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	chunk := encode(s.idLocked(s.count+1), events...)
	if len(s.chunks) < backlog {
		s.chunks = append(s.chunks, chunk)
	} else {
		s.chunks[s.count%backlog] = chunk
	}
	s.count++
	s.wakeLocked()
}

// end ends the stream after its last chunk.
func (s *Stream) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.wakeLocked()
}

func (s *Stream) wakeLocked() {
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// idLocked returns the ID of the position after n chunks.
func (s *Stream) idLocked(n uint64) string { return s.id + "-" + strconv.FormatUint(n, 10) }

// position returns the ID of the current end of the stream.
func (s *Stream) position() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.idLocked(s.count)
}

// find returns the position with an ID. It returns false if the stream does not have what
// follows it.
func (s *Stream) find(id string) (uint64, bool) {
	stream, number, _ := strings.Cut(id, "-")
	n, err := strconv.ParseUint(number, 10, 64)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || stream != s.id || n > s.count || s.count-n > uint64(len(s.chunks)) {
		return s.count, false
	}
	return n, true
}

// Join returns the position at which a reader begins: after the event with the ID, or at
// the end.
func (s *Stream) Join(id string) (first []byte, from uint64) {
	from, _ = s.find(id)
	return nil, from
}

// Next is the result of [Stream.Read].
type Next struct {
	Chunks   [][]byte // shared; must not be modified
	Position uint64
	Missed   bool            // the reader was too slow and has missed chunks
	Changed  <-chan struct{} // if there are no chunks: closed when there are
	Ended    bool            // there will be no more chunks
}

// Read returns the chunks after a position.
func (s *Stream) Read(from uint64) Next {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := Next{Position: s.count}
	kept := uint64(len(s.chunks))
	if s.count-from > kept {
		n.Missed = true
		return n
	}
	for ; from < s.count; from++ {
		n.Chunks = append(n.Chunks, s.chunks[from%backlog])
	}
	if len(n.Chunks) > 0 {
		return n
	}
	if n.Ended = s.ended; !s.ended {
		if s.changed == nil {
			s.changed = make(chan struct{})
		}
		n.Changed = s.changed
	}
	return n
}
