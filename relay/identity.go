package relay

import (
	"errors"
	"strings"

	"broadside/lobby/account"
	"broadside/relay/client"
)

// maxName is the maximum length of a player's name, in characters.
const maxName = 16

// parseHello parses the arguments of hello. It returns the client's name, or empty if it
// has none; wrong is the error message, or empty.
func parseHello(args []string) (name, wrong string) {
	if len(args) == 0 || args[0] != client.Protocol {
		return "", "say hello " + client.Protocol + " name=NAME"
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

// hello sets the client's name. A registered program keeps the name of its token.
func (d *directives) hello(args []string) (string, bool) {
	name, wrong := parseHello(args)
	if wrong != "" {
		return "error hello " + wrong, false
	}
	if registered := d.client().Account != ""; !registered && name != "" {
		ctx, cancel := d.lookup()
		defer cancel()
		if err := d.lookedUp("hello", d.session.CheckProgramName(ctx, name)); err != nil {
			return "error name " + err.Error(), false
		}
	}
	return d.set("hello", func(w *request) {
		if w.player.Account == "" {
			w.player.Name = name
		}
	}), false
}

// maxMistaken is how many wrong tokens end a connection.
const maxMistaken = 10

// token makes the client a registered program.
func (d *directives) token(args []string) (string, bool) {
	if len(args) != 1 {
		return "error token say token and the secret that ssh HOST token new NAME has shown", false
	}
	ctx, cancel := d.lookup()
	defer cancel()
	p, err := d.session.FindProgram(ctx, args[0])
	if errors.Is(err, account.ErrToken) {
		d.mistaken++
	}
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
