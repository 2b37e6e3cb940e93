package client

import (
	"bytes"
	"io"
	"strings"
)

// maxLine is the maximum length of a line, in bytes without its line ending. The longest
// legal command has 14 bytes. The rest is for white space and directives.
const maxLine = 256

// maxBlank is the maximum number of bytes of consecutive empty lines. It allows empty
// lines as keep-alives for days, but not forever.
const maxBlank = 64 << 10

// Lines reads lines from a stream. A line ends in \n, \r\n or a bare \r. A \r ends
// the line immediately, because waiting for the next byte could block a match. Blank lines
// are skipped, including the \n of a \r\n, and so is a byte order mark at the start. Lines
// must be used from one goroutine.
type Lines struct {
	r io.Reader
	// blank counts the bytes of blank lines since the last other line.
	blank int
	buf   [2 * maxLine]byte
	// start and end delimit the bytes in buf that are not returned yet.
	start, end int
	// hasStarted is true once a byte order mark can no longer come.
	hasStarted bool
}

// NewLines returns a reader of the lines of r.
func NewLines(r io.Reader) *Lines { return &Lines{r: r} }

// Next waits for the next line and returns it without its line ending. The bytes are
// valid until the next call. The error is [ErrTooLong] or that of the stream. An
// unfinished last line is lost.
func (l *Lines) Next() ([]byte, error) {
	for !l.HasLine() {
		pending := l.buf[l.start:l.end]
		if len(pending) > maxLine || l.blank > maxBlank {
			return nil, ErrTooLong
		}
		l.end = copy(l.buf[:], pending)
		l.start = 0
		n, err := l.r.Read(l.buf[l.end:])
		l.end += n
		if n == 0 && err != nil {
			return nil, err
		}
	}
	pending := l.buf[l.start:l.end]
	line := pending[:bytes.IndexAny(pending, lineEnds)]
	if len(line) > maxLine {
		return nil, ErrTooLong
	}
	l.start += len(line) + 1
	l.blank = 0
	return line, nil
}

const (
	lineEnds      = "\r\n"
	byteOrderMark = "\ufeff"
)

// HasLine reports whether a whole line is buffered, so that Next would not block.
func (l *Lines) HasLine() bool {
	l.skipByteOrderMark()
	for {
		pending := l.buf[l.start:l.end]
		i := bytes.IndexAny(pending, lineEnds)
		if i < 0 || i > maxLine || len(bytes.TrimLeft(pending[:i], " \t")) > 0 {
			return i >= 0
		}
		l.start += i + 1
		l.blank += i + 1
	}
}

// skipByteOrderMark skips a byte order mark at the stream's start.
func (l *Lines) skipByteOrderMark() {
	if l.hasStarted {
		return
	}
	pending := string(l.buf[l.start:l.end])
	if strings.HasPrefix(pending, byteOrderMark) {
		l.start += len(byteOrderMark)
		l.hasStarted = true
		return
	}
	l.hasStarted = !strings.HasPrefix(byteOrderMark, pending)
}
