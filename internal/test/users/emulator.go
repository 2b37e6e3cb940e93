package users

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// emulator is a minimal terminal emulator for Broadside's screens. It keeps only text, not
// colours, and takes a hundredth of the time of a full emulator, so thousands can run
// beside the server that they measure. The zero value is a blank screen.
type emulator struct {
	cells [Height][Width]rune // 0: blank
	x, y  int                 // position of the cursor
	part  []byte              // an incomplete sequence or character
}

// Write processes output of the server. It never fails.
func (g *emulator) Write(p []byte) (int, error) {
	all := p
	if len(g.part) > 0 {
		all = append(g.part, p...)
	}
	for len(all) > 0 {
		n := g.step(all)
		if n == 0 {
			break
		}
		all = all[n:]
	}
	g.part = append([]byte(nil), all...)
	return len(p), nil
}

// step processes one sequence or character and returns its length, or 0 if it is
// incomplete.
func (g *emulator) step(p []byte) int {
	switch {
	case p[0] == '\x1b':
		return g.sequence(p)
	case p[0] == '\r':
		g.x = 0
		return 1
	case p[0] == '\n':
		g.y = min(g.y+1, Height-1)
		return 1
	case p[0] < ' ':
		return 1
	}
	if !utf8.FullRune(p) {
		return 0
	}
	r, n := utf8.DecodeRune(p)
	if g.x < Width {
		g.cells[g.y][g.x] = r
		g.x++
	}
	return n
}

// sequence is like step for input that begins with an escape.
func (g *emulator) sequence(p []byte) int {
	if len(p) < 2 {
		return 0
	}
	switch p[1] {
	case '[':
		for n := 2; n < len(p); n++ {
			if p[n] >= '@' && p[n] <= '~' {
				g.control(p[2:n], p[n])
				return n + 1
			}
		}
		return 0
	case ']': // a title
		bell, end := bytes.IndexByte(p, '\a'), bytes.Index(p, []byte("\x1b\\"))
		switch {
		case bell >= 0 && (end < 0 || bell < end):
			return bell + 1
		case end >= 0:
			return end + 2
		}
		return 0
	}
	return 2
}

// control carries out a control sequence. It ignores those that don't change text.
func (g *emulator) control(params []byte, letter byte) {
	a, b, _ := bytes.Cut(params, []byte(";"))
	switch letter {
	case 'H':
		g.y, g.x = min(number(a), Height)-1, min(number(b), Width)-1
	case 'C':
		g.x = min(g.x+number(a), Width-1)
	case 'K':
		clear(g.cells[g.y][g.x:])
	case 'J':
		clear(g.cells[:])
	case 'h', 'l':
		if string(params) == "?1049" { // the alternate screen starts blank
			*g = emulator{}
		}
	}
}

// number parses a parameter that counts from 1.
func number(p []byte) int {
	n := 0
	for _, c := range p {
		if c < '0' || c > '9' {
			return 1
		}
		n = min(10*n+int(c-'0'), 1000)
	}
	return max(1, n)
}

// shows reports whether a line contains a text.
func (g *emulator) shows(text string) bool {
	want := []rune(text)
	for y := range g.cells {
		row := &g.cells[y]
		for x := 0; x+len(want) <= Width; x++ {
			if begins(row[x:], want) {
				return true
			}
		}
	}
	return false
}

func begins(row, want []rune) bool {
	for i, r := range want {
		if c := row[i]; c != r && (c != 0 || r != ' ') {
			return false
		}
	}
	return true
}

// String returns all lines without trailing blanks.
func (g *emulator) String() string {
	var b strings.Builder
	for y := range g.cells {
		blanks := 0
		for _, r := range g.cells[y] {
			if r == 0 || r == ' ' {
				blanks++
				continue
			}
			for range blanks {
				b.WriteByte(' ')
			}
			blanks = 0
			b.WriteRune(r)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
