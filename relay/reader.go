package relay

import "io"

// Lines takes lines from a stream as the server does: in whatever pieces they
// come, with any of the line ends \n, \r\n and \r, empty ones left out. It is
// for other ends of the protocol than [Server] and [Play]. Use it from one
// goroutine.
type Lines struct{ reader lineReader }

// NewLines takes lines from r.
func NewLines(r io.Reader) *Lines { return &Lines{lineReader{r: r}} }

// Next waits for the next line and returns it without its line end. The bytes
// are valid until the next call. The error is [ErrTooLong] or that of the
// stream.
func (l *Lines) Next() ([]byte, error) { return l.reader.next() }
