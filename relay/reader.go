package relay

import "io"

// Lines reads lines from a stream as the server does: they may end in \n, \r\n or \r, and
// blank lines are skipped. It is for other implementations of the protocol. It must be
// used from one goroutine.
type Lines struct{ reader lineReader }

// NewLines returns a reader of the lines of r.
func NewLines(r io.Reader) *Lines { return &Lines{lineReader{r: r}} }

// Next waits for the next line and returns it without its line ending. The bytes are
// valid until the next call. The error is [ErrTooLong] or that of the stream.
func (l *Lines) Next() ([]byte, error) { return l.reader.next() }
