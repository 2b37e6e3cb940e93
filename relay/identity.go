package relay

import (
	"context"
	"strings"

	"broadside/internal/session"
)

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

// hello notes the client's name. A client that has shown a token has its name from
// there.
func (d *directives) hello(args []string) (string, bool) {
	name, wrong := parseHello(args)
	if wrong != "" {
		return "error hello " + wrong, false
	}
	if registered := d.client().Account != ""; !registered && name != "" {
		_, err := lookUp(d, session.CheckProgramName{Name: name})
		if err = d.lookedUp("hello", err); err != nil {
			return "error name " + err.Error(), false
		}
	}
	return d.set("hello", func(w *request) {
		if w.player.Account == "" {
			w.player.Name = name
		}
	}), false
}

// token makes the client a registered program.
func (d *directives) token(args []string) (string, bool) {
	if len(args) != 1 {
		return "error token say token and the secret that ssh HOST token new NAME has shown", false
	}
	ctx, cancel := context.WithTimeout(d.ctx, lookupTime)
	defer cancel()
	p, err := session.Ask(ctx, d.session, session.FindProgram{Token: args[0]})
	if err == nil && d.admitOwner != nil {
		err = d.admitOwner(ctx, p.Owner)
	}
	if err = d.lookedUp("token", err); err != nil {
		return "error token " + err.Error(), false
	}
	answer := d.set("token", func(w *request) { w.player = p })
	if strings.HasPrefix(answer, "ok") {
		answer += " " + p.Name
	}
	return answer, false
}
