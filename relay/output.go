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
)

// output sends lines to a client. Its methods may be called from any goroutine.
type output struct {
	wire   wire
	lines  *atomic.Uint64 // sent to all clients of the server
	faults *faults        // of the client

	mu sync.Mutex // held while writing
}

var newline = []byte{'\n'}

// write sends lines, and takes at most the write timeout for it. A client that does
// not read is cut off.
func (o *output) write(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lines.Add(uint64(bytes.Count(b, newline)))
	_, err := o.wire.Write(b)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		o.cut(match.Unread, fmt.Errorf("it does not read: %w", err))
	case err != nil:
		o.cut(match.Hangup, err)
	}
}

// send sends a message.
func (o *output) send(m Message) { o.write(m.Append(nil)) }

// say sends a line to a client that understands more than the base protocol.
func (o *output) say(format string, args ...any) {
	o.write([]byte(printable(fmt.Sprintf(format, args...)) + "\n"))
}

// cut closes a connection that cannot be written to. The client's reader notices,
// and ends its game.
func (o *output) cut(why match.Reason, err error) {
	o.faults.blame(fault{reason: why, err: err})
	o.wire.Close()
}

// printable drops everything but printable ASCII, of which lines are made.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, s)
}
