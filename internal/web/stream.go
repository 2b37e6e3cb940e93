package web

import (
	"context"
	"net"
	"net/http"
	"time"

	"broadside/internal/web/feed"
)

// Timing of event streams.
const (
	beatTime  = 25 * time.Second // between two comments on an idle stream
	sendTime  = 10 * time.Second // for a client to accept events
	retryTime = "2000"           // milliseconds until a browser connects again
)

// source is a stream that readers can join.
type source interface {
	// Join returns what a reader gets first, and where it continues. See [feed.Match.Join].
	Join(id string) (first []byte, from uint64)
	Read(from uint64) feed.Next
}

// stream sends the events of a source until it ends or the client leaves. release is called
// in the end. The connection is taken from the HTTP server, whose buffers would need most of
// the memory of a stream.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, src source, release func()) {
	client := s.client(r)
	if err := s.open.Take(client); err != nil {
		release()
		w.Header().Set("Retry-After", "30")
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	done := func() {
		s.open.Release(client)
		release()
	}
	if r.Method == http.MethodHead {
		w.Header().Set("Content-Type", "text/event-stream")
		done()
		return
	}
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		done()
		http.Error(w, "event streams need HTTP/1.1", http.StatusHTTPVersionNotSupported)
		return
	}
	id := r.Header.Get("Last-Event-ID")
	if id == "" {
		id = r.URL.Query().Get("last-event-id")
	}
	s.streams.Go(func() {
		defer done()
		defer c.Close()
		defer context.AfterFunc(s.ctx, func() { c.Close() })()
		send(c, src, id)
	})
}

// streamHead is the head of the response. The response ends with the connection.
const streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n" +
	"X-Accel-Buffering: no\r\nX-Content-Type-Options: nosniff\r\nAccess-Control-Allow-Origin: *\r\n\r\nretry: " + retryTime + "\n\n"

// send sends events until the source ends or the client does not accept them.
func send(c net.Conn, src source, id string) {
	first, from := src.Join(id)
	if !write(c, []byte(streamHead), first) {
		return
	}
	beat := time.NewTimer(beatTime)
	defer beat.Stop()
	for {
		n := src.Read(from)
		switch {
		case n.Missed: // begin again with the current state
			first, from = src.Join("")
			if !write(c, first) {
				return
			}
		case len(n.Chunks) > 0:
			from = n.Position
			if !write(c, n.Chunks...) {
				return
			}
			beat.Reset(beatTime)
		case n.Ended:
			return
		default:
			select {
			case <-n.Changed:
			case <-beat.C:
				if !write(c, []byte(":\n\n")) {
					return
				}
				beat.Reset(beatTime)
			}
		}
	}
}

// write writes chunks and reports whether the client accepted them.
func write(c net.Conn, chunks ...[]byte) bool {
	_ = c.SetDeadline(time.Now().Add(sendTime)) // if it fails, so does Write
	for _, b := range chunks {
		if _, err := c.Write(b); err != nil {
			return false
		}
	}
	return true
}
