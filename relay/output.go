package relay

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"broadside/match"
	"broadside/relay/client"
)

// output sends lines to a client. Its methods may be called from any goroutine.
type output struct {
	wire   wire
	lines  *atomic.Uint64 // sent to all clients of the server
	faults *faults        // of the client

	mu   sync.Mutex     // held while writing
	rest sync.WaitGroup // the goroutine that writes what tryWrite could not
}

var newline = []byte{'\n'}

// write sends lines within the write timeout. A client that does not read is
// disconnected.
func (o *output) write(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lines.Add(uint64(bytes.Count(b, newline)))
	o.writeLocked(b)
}

// tryWrite sends lines without blocking. It returns false if nothing was sent.
func (o *output) tryWrite(b []byte) bool {
	w, ok := o.wire.(*tcpWire)
	if !ok || w.tryWrite == nil || !o.mu.TryLock() {
		return false
	}
	n := w.tryWrite(b)
	if n > 0 {
		o.lines.Add(uint64(bytes.Count(b, newline)))
	}
	if n == 0 || n == len(b) {
		o.mu.Unlock()
		return n > 0
	}
	rest := bytes.Clone(b[n:])
	o.rest.Go(func() {
		defer o.mu.Unlock()
		o.writeLocked(rest)
	})
	return true
}

func (o *output) writeLocked(b []byte) {
	_, err := o.wire.Write(b)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		o.cut(match.Unread, fmt.Errorf("it does not read: %w", err))
	case err != nil:
		o.cut(match.Hangup, err)
	}
}

// send sends a message.
func (o *output) send(m client.Message) { o.write(m.Append(nil)) }

// sendLine sends a formatted line to a client that understands directives.
func (o *output) sendLine(format string, args ...any) {
	o.write([]byte(printable(fmt.Sprintf(format, args...)) + "\n"))
}

// cut closes a connection that cannot be written to. The client's reader then forfeits
// its game.
func (o *output) cut(why match.Reason, err error) {
	o.faults.record(fault{reason: why, err: err})
	o.wire.Close()
}

// printable removes everything except printable ASCII.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, s)
}
