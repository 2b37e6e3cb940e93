package client

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// readLines reads a stream to the end and returns its lines and the error.
func readLines(r io.Reader) (lines []string, err error) {
	l := Lines{r: r}
	for {
		line, err := l.Next()
		if err != nil {
			return lines, err
		}
		lines = append(lines, string(line))
	}
}

func TestLineEnds(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	for _, c := range []struct {
		stream string
		want   []string
		err    error
	}{
		{"a\nb\n", []string{"a", "b"}, io.EOF},
		{"a\r\nb\r\n", []string{"a", "b"}, io.EOF},
		{"a\rb\r", []string{"a", "b"}, io.EOF},
		{"a\r\rb\n\nc\r\n\r\n", []string{"a", "b", "c"}, io.EOF},
		{"\n\r\n\r \t\n  a \n", []string{"  a "}, io.EOF},
		{"a\nno end", []string{"a"}, io.EOF},
		{long + "\n" + long + "\r", []string{long, long}, io.EOF},
		{"a\n" + long + "x\n", []string{"a"}, ErrTooLong},
		{"a\n" + long + "x", []string{"a"}, ErrTooLong},
		{strings.Repeat(" ", maxLine) + "\na\n", []string{"a"}, io.EOF},
		{strings.Repeat(" ", maxLine+1) + "\na\n", nil, ErrTooLong},
		{"a\x00b\xff\n", []string{"a\x00b\xff"}, io.EOF},
		{"\ufeffa\n\ufeffb\n", []string{"a", "\ufeffb"}, io.EOF},
		{"\ufeff\n\ufeffa\n", []string{"\ufeffa"}, io.EOF},
		{"\ufeff" + long + "\n", []string{long}, io.EOF},
		{"\xef\xbb\n", []string{"\xef\xbb"}, io.EOF},
	} {
		for name, r := range map[string]io.Reader{
			"whole":         strings.NewReader(c.stream),
			"byte by byte":  iotest.OneByteReader(strings.NewReader(c.stream)),
			"in halves":     iotest.HalfReader(strings.NewReader(c.stream)),
			"end with data": iotest.DataErrReader(strings.NewReader(c.stream)),
		} {
			lines, err := readLines(r)
			if !slices.Equal(lines, c.want) || !errors.Is(err, c.err) {
				t.Errorf("lines of %.40q, %s = %.60q, %v, want %.60q, %v", c.stream, name, lines, err, c.want, c.err)
			}
		}
	}
}

// TestBareReturnEndsLine checks that a line is complete before the byte after \r arrives.
func TestBareReturnEndsLine(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	go w.Write([]byte("(1,[3,4]).\r"))
	l := Lines{r: r}
	if line, err := l.Next(); string(line) != "(1,[3,4])." || err != nil {
		t.Errorf("Next = %q, %v", line, err)
	}
	if l.HasLine() {
		t.Error("HasLine = true without another line")
	}
	go w.Write([]byte("\n% ready\r\n(2"))
	if line, err := l.Next(); string(line) != "% ready" || err != nil {
		t.Errorf("Next = %q, %v", line, err)
	}
	if l.HasLine() {
		t.Error("HasLine = true for half a line")
	}
}

// splitLines is a simple implementation of Lines for whole streams.
func splitLines(stream []byte) (lines []string, err error) {
	s := strings.TrimPrefix(string(stream), byteOrderMark)
	for {
		i := strings.IndexAny(s, "\r\n")
		if i < 0 {
			i = len(s)
		}
		switch line := s[:i]; {
		case i > maxLine:
			return lines, ErrTooLong
		case i == len(s):
			return lines, io.EOF
		case strings.Trim(line, " \t") != "":
			lines = append(lines, line)
		}
		s = s[i+1:]
	}
}

// FuzzLines checks that Lines returns the lines of splitLines, in whatever pieces the stream arrives.
func FuzzLines(f *testing.F) {
	f.Add([]byte("(1,[3,4]).\r\n% ready\r(2,[3,4,1]).\n"), []byte{1, 2, 3})
	f.Add([]byte("\n\r\n\r \t\nx"), []byte{0})
	f.Add([]byte("\ufeff% ready\n\ufeff\n"), []byte{1, 1})
	f.Add(bytes.Repeat([]byte("x"), 600), []byte{255})
	f.Add(append(bytes.Repeat([]byte(" "), 257), '\n'), []byte{128, 128})
	f.Fuzz(func(t *testing.T, stream, pieces []byte) {
		want, wantErr := splitLines(stream)
		got, err := readLines(&pieceReader{stream, pieces})
		if !slices.Equal(got, want) || !errors.Is(err, wantErr) {
			t.Fatalf("lines of %q in pieces %v = %q, %v, want %q, %v", stream, pieces, got, err, want, wantErr)
		}
	})
}

// pieceReader reads a stream in pieces of the given sizes, then byte by byte.
type pieceReader struct {
	stream, sizes []byte
}

func (p *pieceReader) Read(b []byte) (int, error) {
	if len(p.stream) == 0 {
		return 0, io.EOF
	}
	size := 1
	if len(p.sizes) > 0 {
		size, p.sizes = int(p.sizes[0]), p.sizes[1:]
	}
	n := copy(b[:min(size, len(b))], p.stream)
	p.stream = p.stream[n:]
	return n, nil
}
