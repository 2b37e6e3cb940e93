package relay

import (
	"strings"

	"broadside/internal/session"
	"broadside/match"
)

// directive is a line that began with %.
type directive struct {
	verb string
	args []string
}

// parseDirective splits a line that begins with %. Its text is foreign: it is
// compared with known words, and never shown or logged but as a quoted string.
func parseDirective(line []byte) directive {
	fields := strings.Fields(string(line[1:]))
	if len(fields) == 0 {
		return directive{}
	}
	return directive{verb: strings.ToLower(fields[0]), args: fields[1:]}
}

// protocolName is what a hello names, before the slash and the version.
const protocolName = "broadside/1"

// maxName is the longest name of a player, in characters.
const maxName = 16

// parseHello reads the arguments of a hello: the name that the client goes by,
// or empty. The second result is what is wrong with them, or empty.
func parseHello(args []string) (name, wrong string) {
	if len(args) == 0 || args[0] != protocolName {
		return "", "say hello " + protocolName + " name=NAME"
	}
	for _, arg := range args[1:] {
		key, value, _ := strings.Cut(arg, "=")
		if key == "name" {
			if !validName(value) {
				return "", "a name has 1 to 16 letters, digits, - or _"
			}
			name = value
		}
	}
	return name, ""
}

func validName(s string) bool {
	for _, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (r < '0' || r > '9') && r != '-' && r != '_' {
			return false
		}
	}
	return len(s) >= 1 && len(s) <= maxName
}

// wish is what a client wants to play.
type wish struct {
	player   session.Player // who it is; without an account unless it has shown a token
	rules    match.Rules
	choice   session.Stakes // rated or casual
	games    int            // to be played
	bot      string         // empty: no bot
	room     string         // the code of a room; empty: none
	opponent string         // the name of a person or a program; empty: any
	uniform  bool           // the server draws the fleet and holds it
	layout   match.Layout   // the fleet that the server is to hold; nil if there is none
	commits  bool           // the client commits to its fleet before each game
}

// fixed reports whether the client's fleet is fixed before the first shot.
func (w *wish) fixed() bool {
	return w.uniform || w.layout != nil || w.commits && !w.rules.Moving
}
