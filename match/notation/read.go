package notation

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"broadside/internal/sanitize"
)

// Read reads games, one per line, and calls each with the number of the line and the game, or the
// error of [Parse]. It skips empty lines and comments, which begin with a per cent sign. It
// returns the errors of r and the first error of each.
func Read(r io.Reader, each func(line int, g *Game, err error) error) error {
	lines := bufio.NewScanner(sanitize.NewReader(r))
	lines.Buffer(nil, maxLine+1)
	lines.Split(splitLine)
	n := 0
	for lines.Scan() {
		n++
		line := lines.Text()
		if text := strings.TrimSpace(line); text == "" || text[0] == '%' {
			continue
		}
		g, err := Parse(line)
		if err := each(n, &g, err); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n+1, err)
	}
	return nil
}

// splitLine is a [bufio.SplitFunc] for lines that end with LF, CR LF or CR.
func splitLine(data []byte, atEOF bool) (advance int, line []byte, err error) {
	end := bytes.IndexAny(data, "\r\n")
	switch {
	case end < 0 && atEOF && len(data) > 0:
		return len(data), data, nil
	case end < 0, data[end] == '\r' && end+1 == len(data) && !atEOF: // LF may follow
		return 0, nil, nil
	case bytes.HasPrefix(data[end:], []byte("\r\n")):
		return end + 2, data[:end], nil
	}
	return end + 1, data[:end], nil
}
