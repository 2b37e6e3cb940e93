package relay

import (
	"bytes"
	"io"
)

// maxLine is the longest line that is read, in bytes without its line end. The
// longest legal command has 14; the rest is patience with white space and room
// for directives.
const maxLine = 256

// maxBlank is how many bytes of empty lines may follow each other: enough for
// who shows by them for days that it is there, not for who does nothing else.
const maxBlank = 64 << 10

// lineReader takes lines from a stream, in whatever pieces they come. A line
// ends in \n, \r\n or a bare \r, which ends it at once: waiting for the byte
// after it would hang a match. Lines of nothing but white space are skipped,
// and with them the \n of a \r\n.
type lineReader struct {
	r          io.Reader
	blank      int // bytes of empty lines since the last other one
	buf        [2 * maxLine]byte
	start, end int // the bytes read and not yet returned
}

// next returns the next line, without its line end. It is valid until the next
// call. The error is ErrTooLong or that of the stream; what came before the
// stream's end without a line end is lost.
func (l *lineReader) next() ([]byte, error) {
	for !l.buffered() {
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

const lineEnds = "\r\n"

// buffered reports whether a whole line is there, so that next does not wait.
func (l *lineReader) buffered() bool {
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
