package relay

import (
	"errors"
	"strings"

	"broadside/lobby/account"
	"broadside/relay/client"
)

// maxNameLength is the maximum length of a player's name, in characters.
const maxNameLength = 16

// parseHello parses the arguments of hello. It returns the client's name, or empty if it
// has none, and the error message, or empty.
func parseHello(args []string) (name, problem string) {
	if len(args) == 0 || args[0] != client.Protocol {
		return "", "say hello " + client.Protocol + " name=NAME"
	}
	for _, arg := range args[1:] {
		key, value, _ := strings.Cut(arg, "=")
		if key == "name" {
			if !isValidName(value) {
				return "", "a name has 1 to 16 letters, digits, - or _"
			}
			name = value
		}
	}
	return name, ""
}

func isValidName(s string) bool {
	for _, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (r < '0' || r > '9') && r != '-' && r != '_' {
			return false
		}
	}
	return len(s) >= 1 && len(s) <= maxNameLength
}

// setName sets the client's name. A registered program keeps its token's name.
func (c *conn) setName(args []string) string {
	name, problem := parseHello(args)
	if problem != "" {
		return "error hello " + problem
	}
	player := c.identity()
	if player.Account != "" {
		return "ok hello"
	}
	if name != "" {
		ctx, cancel := c.lookupContext()
		defer cancel()
		if err := c.recordLookup("hello", c.session.CheckProgramName(ctx, name)); err != nil {
			return "error name " + err.Error()
		}
	}
	player.Name = name
	c.setIdentity(player)
	return "ok hello"
}

// maxWrongTokens wrong tokens end a connection.
const maxWrongTokens = 10

// authenticate makes the client the registered program whose token it has sent.
func (c *conn) authenticate(args []string) string {
	if len(args) != 1 {
		return "error token say token and the secret that ssh HOST token new NAME showed"
	}
	ctx, cancel := c.lookupContext()
	defer cancel()
	p, err := c.session.FindProgramByToken(ctx, args[0])
	if errors.Is(err, account.ErrToken) {
		c.wrongTokens++
	}
	admit := c.server.cfg.AdmitOwner
	if err == nil && admit != nil {
		err = admit(ctx, p.Owner)
	}
	if err = c.recordLookup("token", err); err != nil {
		return "error token " + err.Error()
	}
	c.setIdentity(p)
	return "ok token " + p.Name
}
