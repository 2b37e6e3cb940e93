package client

import "strings"

// Protocol is the first argument of hello: the protocol and its version.
const Protocol = "broadside/1"

// Directive is a line that starts with %.
type Directive struct {
	Verb string
	Args []string
}

// ParseDirective splits a line that starts with %. The words are untrusted: compare them
// with known words, and show or log them only quoted.
func ParseDirective(line []byte) Directive {
	fields := strings.Fields(string(line[1:]))
	if len(fields) == 0 {
		return Directive{}
	}
	return Directive{Verb: strings.ToLower(fields[0]), Args: fields[1:]}
}
