package notation

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// term is a Prolog term: an atom, a number, a list or a compound term.
type term struct {
	name string // of an atom or a compound term; the digits of a number; "[]" for a list
	kind termKind
	args []term // of a list or a compound term
}

type termKind uint8

const (
	atom termKind = iota
	numeral
	list
	compound
)

// maxDepth is how deeply terms can be nested.
const maxDepth = 8

// reader reads a term from text.
type reader struct {
	text string
	at   int
}

// readTerm reads text that consists of one term and a full stop.
func readTerm(text string) (term, error) {
	r := reader{text: text}
	t, err := r.term(maxDepth)
	if err == nil {
		err = r.expect('.')
	}
	if r.space(); err == nil && r.at < len(text) {
		err = errors.New("there is text after the full stop")
	}
	if err != nil {
		return term{}, fmt.Errorf("column %d: %w", utf8.RuneCountInString(text[:r.at])+1, err)
	}
	return t, nil
}

func (r *reader) space() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

// peek returns the next byte, or 0 at the end.
func (r *reader) peek() byte {
	if r.at == len(r.text) {
		return 0
	}
	return r.text[r.at]
}

func (r *reader) expect(c byte) error {
	if r.space(); r.peek() != c {
		return fmt.Errorf("%q is missing", c)
	}
	r.at++
	return nil
}

// term reads a term that is nested at most depth levels.
func (r *reader) term(depth int) (t term, err error) {
	if depth == 0 {
		return t, errors.New("too many nested terms")
	}
	r.space()
	switch c := r.peek(); {
	case c == '[':
		r.at++
		t = term{name: "[]", kind: list}
		t.args, err = r.terms(']', depth)
		return t, err
	case c == '\'':
		t.name, err = r.quoted()
	case c >= '0' && c <= '9':
		return term{name: r.take("0123456789."), kind: numeral}, nil
	case c >= 'a' && c <= 'z':
		t.name = r.take("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
	default:
		return t, errors.New("a term is missing")
	}
	if err == nil && r.peek() == '(' {
		r.at++
		t.kind = compound
		t.args, err = r.terms(')', depth)
	}
	return t, err
}

// take reads as many of the given characters as there are. A full stop belongs to a number only
// before another digit.
func (r *reader) take(chars string) string {
	from := r.at
	for r.at < len(r.text) && strings.IndexByte(chars, r.text[r.at]) >= 0 {
		if r.text[r.at] == '.' && (r.at+1 == len(r.text) || r.text[r.at+1] < '0' || r.text[r.at+1] > '9') {
			break
		}
		r.at++
	}
	return r.text[from:r.at]
}

// terms reads terms with commas between them, up to a closing bracket.
func (r *reader) terms(closing byte, depth int) (all []term, err error) {
	if r.space(); closing == ']' && r.peek() == closing {
		r.at++
		return nil, nil
	}
	for {
		t, err := r.term(depth - 1)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
		if r.space(); r.peek() == ',' {
			r.at++
			continue
		}
		return all, r.expect(closing)
	}
}

// quoted reads a quoted atom.
func (r *reader) quoted() (string, error) {
	var b strings.Builder
	for r.at++; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; c {
		case '\'':
			if r.at++; r.peek() != '\'' {
				return b.String(), nil
			}
			b.WriteByte(c)
		case '\\':
			r.at++
			if err := r.escaped(&b); err != nil {
				return "", err
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", errors.New("a quote is missing")
}

// escaped reads the rest of an escape sequence except its last character.
func (r *reader) escaped(b *strings.Builder) error {
	switch c := r.peek(); c {
	case '\'', '\\':
		b.WriteByte(c)
		return nil
	case 'x':
		if digits, _, ok := strings.Cut(r.text[r.at+1:], `\`); ok {
			code, err := strconv.ParseUint(digits, 16, 21)
			if err == nil && utf8.ValidRune(rune(code)) {
				b.WriteRune(rune(code))
				r.at += 1 + len(digits)
				return nil
			}
		}
	}
	return errors.New("unknown escape sequence")
}
