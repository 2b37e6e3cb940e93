package web

import (
	"cmp"
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
	// Join returns a reader's first data, and the position at which it continues. See
	// [feed.Match.Join].
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
		respondError(w, http.StatusServiceUnavailable, err.Error())
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
	s.streams.Add(1) // the HTTP server does not wait for the code below
	defer s.streams.Done()
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		done()
		respondError(w, http.StatusHTTPVersionNotSupported, "event streams need HTTP/1.1")
		return
	}
	first, from := src.Join(cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("last-event-id")))
	s.audiences.admit(src, &viewer{c, from, done}, []byte(streamHead), first)
}

// streamHead is the head of the response. The response ends with the connection.
const streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n" +
	"X-Accel-Buffering: no\r\nX-Content-Type-Options: nosniff\r\nAccess-Control-Allow-Origin: *\r\n\r\nretry: " + retryTime + "\n\n"

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
