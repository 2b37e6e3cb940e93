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
	// id differs after a restart and on each node.
	id string

	// mu guards the fields below.
	mu sync.Mutex
	// chunks has chunk n at n%backlog.
	chunks [][]byte
	// count is the number of chunks so far.
	count uint64
	// changed is closed at the next change. It is nil unless a reader waits.
	changed chan struct{}
	ended   bool
}

// newStream returns an empty stream.
func newStream() *Stream { return &Stream{id: rand.Text()[:8]} }

// Event is a server-sent event. An event without a name is a message.
type Event struct {
	Name string
	Data any
}

// encodeEvents returns events in the form in which they are sent. The last one has an ID.
func encodeEvents(id string, events ...Event) []byte {
	var b bytes.Buffer
	for i, e := range events {
		data, err := json.Marshal(e.Data)
		// All data are plain structs, which can be encoded.
		if err != nil {
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
	chunk := encodeEvents(s.positionIDLocked(s.count+1), events...)
	if len(s.chunks) < backlog {
		s.chunks = append(s.chunks, chunk)
	} else {
		s.chunks[s.count%backlog] = chunk
	}
	s.count++
	s.wakeReadersLocked()
}

// end ends the stream after its last chunk.
func (s *Stream) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.wakeReadersLocked()
}

func (s *Stream) wakeReadersLocked() {
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// positionIDLocked returns the ID of the position after n chunks.
func (s *Stream) positionIDLocked(n uint64) string { return s.id + "-" + strconv.FormatUint(n, 10) }

// positionID returns the ID of the stream's current end.
func (s *Stream) positionID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.positionIDLocked(s.count)
}

// findPosition returns the position with an ID. It returns false if the stream does not have what
// follows it.
func (s *Stream) findPosition(id string) (uint64, bool) {
	stream, number, _ := strings.Cut(id, "-")
	n, err := strconv.ParseUint(number, 10, 64)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || stream != s.id || n > s.count || s.count-n > uint64(len(s.chunks)) {
		return s.count, false
	}
	return n, true
}

// Join returns the position at which a reader starts: after the event with the ID, or at
// the end.
func (s *Stream) Join(lastEventID string) (first []byte, from uint64) {
	from, _ = s.findPosition(lastEventID)
	return nil, from
}

// ReadResult is the result of [Stream.Read].
type ReadResult struct {
	// Chunks are shared and must not be modified.
	Chunks   [][]byte
	Position uint64
	// Missed is set if the reader was too slow, so that the stream no longer has its next chunk.
	Missed bool
	// Changed is closed when there are chunks. It is nil if there are some now, or will be none.
	Changed <-chan struct{}
	// Ended is set if there will be no more chunks.
	Ended bool
}

// Read returns the chunks after a position.
func (s *Stream) Read(from uint64) ReadResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := ReadResult{Position: s.count}
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
	if s.ended {
		n.Ended = true
		return n
	}
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	n.Changed = s.changed
	return n
}
