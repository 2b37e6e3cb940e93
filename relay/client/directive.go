package client

import (
	"strconv"
	"strings"
)

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

// Directives are what a client asks for at the start of a connection. The server chooses the values of
// empty fields.
type Directives struct {
	// Name is shown to others. A registered program sends its Token instead.
	Name  string
	Token string
	// Rules is a preset's name.
	Rules string
	// Layout makes the server hold the fleet. It is uniform for a random one, or has the ships.
	Layout string
	// Games is the length of the series.
	Games int
	// Versus is the opponent, such as "bot hard" or "player ann".
	Versus string
	// Pace is the time for each turn of a correspondence match, such as 1d, and empty for other matches.
	Pace string
	// Ladder lets the ladder choose the opponents.
	Ladder bool
}

// Lines returns the directives as lines. The lines in more may depend on the rules. They come before the
// directives that start the series.
func (d Directives) Lines(more ...string) []string {
	hello := "% hello " + Protocol
	if d.Name != "" {
		hello += " name=" + d.Name
	}
	lines := []string{hello}
	add := func(isSet bool, line string) {
		if isSet {
			lines = append(lines, "% "+line)
		}
	}
	add(d.Token != "", "token "+d.Token)
	add(d.Rules != "", "rules "+d.Rules)
	add(d.Layout != "", "layout "+d.Layout)
	add(d.Pace != "", "pace "+d.Pace)
	add(d.Games > 0, "games "+strconv.Itoa(d.Games))
	lines = append(lines, more...)
	add(d.Ladder, "ladder")
	add(d.Versus != "", "vs "+d.Versus)
	add(true, "ready")
	return lines
}
