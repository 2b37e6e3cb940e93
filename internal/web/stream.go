package web

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"time"

	"broadside/internal/web/feed"
)

// Timing of event streams.
const (
	// heartbeatTime is the time between two comments on an idle stream.
	heartbeatTime = 25 * time.Second
	// sendTime is the time for a client to accept events.
	sendTime = 10 * time.Second
	// joinTime is the time between a change and writing it. It lets the change reach the players first and
	// joins changes that belong together.
	joinTime = 3 * time.Millisecond
)

// streamHead tells browsers to connect again two seconds after a stream has ended.
const streamHead = "retry: 2000\n\n"

// eventSource is a stream that readers can join.
type eventSource interface {
	// Join returns a reader's first data, and the position at which it continues. See
	// [feed.Match.Join].
	Join(id string) (first []byte, from uint64)
	Read(from uint64) feed.ReadResult
}

// serveStream sends the events of a source until it ends, the client leaves or stalls, or the server shuts down.
func (s *Server) serveStream(w http.ResponseWriter, r *http.Request, src eventSource) {
	client := s.clientAddress(r)
	err := s.streams.Acquire(client)
	if err != nil {
		writeRefusal(w, r, http.StatusServiceUnavailable, err.Error())
		return
	}
	defer s.streams.Release(client)
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		return
	}
	first, from := src.Join(cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("last-event-id")))
	v := streamClient{w: w, control: http.NewResponseController(w)}
	// The deadline for reading requests would end the stream.
	_ = v.control.SetReadDeadline(time.Time{})
	for ok := v.send([]byte(streamHead), first); ok; {
		n := src.Read(from)
		switch {
		case n.Missed:
			// The client starts again with the current state.
			first, from = src.Join("")
			ok = v.send(first)
		case len(n.Chunks) > 0:
			from = n.Position
			ok = v.send(n.Chunks...)
		case n.Ended:
			return
		default:
			ok = v.waitForChange(r.Context(), n.Changed)
		}
	}
}

// streamClient is a client that reads a stream.
type streamClient struct {
	w       io.Writer
	control *http.ResponseController
}

// send writes chunks and reports whether the client accepted them.
func (c *streamClient) send(chunks ...[]byte) bool {
	if c.control.SetWriteDeadline(time.Now().Add(sendTime)) != nil {
		return false
	}
	for _, b := range chunks {
		if _, err := c.w.Write(b); err != nil {
			return false
		}
	}
	return c.control.Flush() == nil
}

// waitForChange waits for a change, and sends comments meanwhile, by which proxies see that the stream is alive. It
// returns false if the client has left or ctx ends.
func (c *streamClient) waitForChange(ctx context.Context, changed <-chan struct{}) bool {
	beat := time.NewTimer(heartbeatTime)
	defer beat.Stop()
	select {
	case <-changed:
		time.Sleep(joinTime)
		return true
	case <-beat.C:
		return c.send([]byte(":\n\n"))
	case <-ctx.Done():
		return false
	}
}
