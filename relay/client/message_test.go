package client

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"broadside/match"
)

func TestMessageText(t *testing.T) {
	for _, c := range []struct {
		m    Message
		want string
	}{
		{Message{Op: Attack, Cell: match.NewCell(3, 4)}, "(1,[3,4]).\n"},
		{Message{Op: Attack, Cell: match.NewCell(25, 0)}, "(1,[25,0]).\n"},
		{Message{Op: Result, Cell: match.NewCell(0, 9), Result: match.Miss}, "(2,[0,9,1]).\n"},
		{Message{Op: Result, Cell: match.NewCell(9, 0), Result: match.LastSunk}, "(2,[9,0,4]).\n"},
		{Message{Op: Defend}, "(3,[]).\n"},
		{Message{Op: Assault}, "(4,[]).\n"},
		{Message{Op: Start}, "(5,[]).\n"},
	} {
		if got := string(c.m.Append(nil)); got != c.want {
			t.Errorf("%+v.Append(nil) = %q, want %q", c.m, got, c.want)
		}
		if m, err := Parse([]byte(strings.TrimSuffix(c.want, "\n"))); err != nil || m != c.m {
			t.Errorf("Parse(%q) = %+v, %v", c.want, m, err)
		}
	}
}

func TestParse(t *testing.T) {
	attack := Message{Op: Attack, Cell: match.NewCell(3, 4)}
	for _, c := range []struct {
		line string
		want Message
		err  error
	}{
		{"(1,[3,4]).", attack, nil},
		{" ( 1 , [ 3 , 4 ] ) . ", attack, nil},
		{"\t(1,\t[3,4])\t.", attack, nil},
		{"(2,[3,4,3]).", Message{Op: Result, Cell: match.NewCell(3, 4), Result: match.Sunk}, nil},

		// Cells outside every board and unknown results are left to the referee.
		{"(1,[-1,4]).", Message{Op: Attack, Cell: match.NewCell(-1, 4)}, nil},
		{"(1,[26,4]).", Message{Op: Attack, Cell: match.NewCell(-1, 4)}, nil},
		{"(1,[259,260]).", Message{Op: Attack, Cell: match.NewCell(-1, -1)}, nil},
		{"(2,[3,4,0]).", Message{Op: Result, Cell: match.NewCell(3, 4)}, nil},
		{"(2,[3,4,5]).", Message{Op: Result, Cell: match.NewCell(3, 4)}, nil},
		{"(2,[3,4,257]).", Message{Op: Result, Cell: match.NewCell(3, 4)}, nil},
		{"(2,[3,4,-1]).", Message{Op: Result, Cell: match.NewCell(3, 4)}, nil},

		{"(0,[]).", Message{}, ErrOpcode},
		{"(6,[]).", Message{}, ErrOpcode},
		{"(-1,[]).", Message{}, ErrOpcode},
		{"(257,[3,4]).", Message{}, ErrOpcode},
		{"(1,[]).", Message{}, ErrParameters},
		{"(1,[3]).", Message{}, ErrParameters},
		{"(1,[3,4,1]).", Message{}, ErrParameters},
		{"(2,[3,4]).", Message{}, ErrParameters},
		{"(2,[3,4,1,1]).", Message{}, ErrParameters},
		{"(3,[1]).", Message{}, ErrParameters},
		{"(1,[1,2,3,4,5,6,7,8,9]).", Message{}, ErrParameters},

		{"", Message{}, ErrMalformed},
		{"(1,[3,4])", Message{}, ErrMalformed},
		{"(1,[3,4]", Message{}, ErrMalformed},
		{"1,[3,4].", Message{}, ErrMalformed},
		{"(1,3,4).", Message{}, ErrMalformed},
		{"(1,[3,4]).x", Message{}, ErrMalformed},
		{"(1,[3,4]).(1,[3,4]).", Message{}, ErrMalformed},
		{"(1,[3,,4]).", Message{}, ErrMalformed},
		{"(1,[3,4,]).", Message{}, ErrMalformed},
		{"(1,[,3,4]).", Message{}, ErrMalformed},
		{"(1,[3 4]).", Message{}, ErrMalformed},
		{"(1,[a,b]).", Message{}, ErrMalformed},
		{"(1,[X,Y]).", Message{}, ErrMalformed},
		{"(1,[3.0,4]).", Message{}, ErrMalformed},
		{"(1,[+3,4]).", Message{}, ErrMalformed},
		{"(1,[- 3,4]).", Message{}, ErrMalformed},
		{"(1,[--3,4]).", Message{}, ErrMalformed},
		{"(1,[-,4]).", Message{}, ErrMalformed},
		{"(1,[0x3,4]).", Message{}, ErrMalformed},
		{"(1,[3,99999999999999999999]).", Message{}, ErrMalformed},
		{"(1,[3,4]).\x00", Message{}, ErrMalformed},
		{"\x1b[2J(1,[3,4]).", Message{}, ErrMalformed},
		{"(1,\u00a0[3,4]).", Message{}, ErrMalformed},
		{"(1,[3,\uff14]).", Message{}, ErrMalformed},
		{"GET / HTTP/1.1", Message{}, ErrMalformed},
		{"SSH-2.0-OpenSSH_9.6", Message{}, ErrMalformed},
	} {
		m, err := Parse([]byte(c.line))
		if m != c.want || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
			t.Errorf("Parse(%q) = %+v, %v, want %+v, %v", c.line, m, err, c.want, c.err)
		}
	}
}

// FuzzParse checks that a parsed message stays the same when it is written and parsed
// again, and that white space does not matter.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"(1,[3,4]).", " ( 2 , [3,4,1] ) . ", "(3,[]).", "(4,[]).", "(5,[]).", "(1,[-1,99]).", "(9,[1]).", "(1,[3,4])", "%", "",
	} {
		f.Add([]byte(s))
	}
	known := []error{ErrMalformed, ErrOpcode, ErrParameters}
	f.Fuzz(func(t *testing.T, line []byte) {
		m, err := Parse(line)
		if err != nil {
			for _, k := range known {
				if errors.Is(err, k) {
					return
				}
			}
			t.Fatalf("Parse(%q) returned the unknown error %v", line, err)
		}
		if i := bytes.IndexFunc(line, func(r rune) bool { return !strings.ContainsRune("(),[].-0123456789 \t", r) }); i >= 0 {
			t.Fatalf("Parse(%q) = %v, want an error because of byte %d", line, m, i)
		}
		wire := m.Append(nil)
		if len(wire) > maxLine || wire[len(wire)-1] != '\n' || bytes.ContainsAny(wire[:len(wire)-1], " \r\n") {
			t.Fatalf("the message of %q is written as %q", line, wire)
		}
		again, err := Parse(wire[:len(wire)-1])
		if err != nil || again != m {
			t.Fatalf("Parse(%q) = %+v, but after Append %+v, %v", line, m, again, err)
		}
		spaced := bytes.NewBuffer(nil)
		for _, b := range wire[:len(wire)-1] {
			if strings.IndexByte("(),[].", b) >= 0 {
				spaced.WriteString(" \t")
			}
			spaced.WriteByte(b)
		}
		if s, err := Parse(spaced.Bytes()); err != nil || s != m {
			t.Fatalf("Parse(%q) = %+v, %v, want %+v", spaced, s, err, m)
		}
	})
}
