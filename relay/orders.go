package relay

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"broadside/bots"
	"broadside/match"
)

// direct carries out a directive and answers it. It returns whether the client
// is to be let in at once.
func (c *conn) direct(d directive) (ready bool) {
	answer, ready := c.obey(d)
	c.say("%% %s", answer)
	return ready
}

// obey carries out a directive. It returns the answer, and whether the client
// is to be let in at once.
func (c *conn) obey(d directive) (answer string, ready bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.talks = true
	known := []string{"hello", "rules", "vs", "layout", "ready"}
	switch {
	case slices.Contains([]string{"token", "games"}, d.verb):
		return "error unsupported this server has no " + d.verb, false
	case !slices.Contains(known, d.verb):
		return "error unknown directive: there are hello, rules, vs, layout and ready", false
	case d.verb == "ready":
		return "ok ready", true
	case c.in:
		return "error late " + d.verb + " has to come before your role", false
	}
	switch d.verb {
	case "hello":
		g, wrong := parseHello(d.args)
		if wrong != "" {
			return "error hello " + wrong, false
		}
		c.wish.name = g.name
	case "rules":
		if c.wish.room != "" {
			return "error rules the room has rules of its own", false
		}
		if len(d.args) != 1 {
			return "error rules name one, such as rules classic", false
		}
		rules, err := match.Preset(d.args[0])
		if err != nil {
			return "error rules " + err.Error(), false
		}
		c.wish.rules = rules
	case "vs":
		return c.choose(d.args)
	case "layout":
		if len(d.args) != 1 || d.args[0] != "uniform" {
			return "error layout there is only layout uniform", false
		}
		c.wish.uniform = true
	}
	return "ok " + d.verb, false
}

// choose notes the opponent that a client wants.
func (c *conn) choose(args []string) (answer string, ready bool) {
	switch {
	case len(args) == 1 && args[0] == "any":
		return "ok vs any", true
	case len(args) == 2 && args[0] == "bot":
		if _, err := bots.New(args[1], bots.Config{Rules: c.wish.rules, Rand: rand.New(rand.NewPCG(0, 0))}); err != nil {
			return "error vs " + err.Error(), false
		}
		c.wish.bot = args[1]
		return "ok vs bot " + args[1], true
	case len(args) == 2 && args[0] == "room":
		rules, err := c.server.cfg.Lobby.Room(args[1])
		if err != nil {
			return "error vs " + err.Error(), false
		}
		c.wish.room, c.wish.rules = args[1], rules
		return "ok vs room " + strings.ToUpper(args[1]) + " rules=" + rules.Name, true
	case len(args) == 2 && args[0] == "player":
		return "error unsupported this server has only vs any, vs bot NAME and vs room CODE", false
	}
	return "error vs say vs any, vs bot NAME or vs room CODE", false
}

// say writes a line to a client that understands more than the base protocol.
func (c *conn) say(format string, args ...any) {
	c.put([]byte(printable(fmt.Sprintf(format, args...)) + "\n"))
}

// printable drops everything but printable ASCII, of which lines are made.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, s)
}

func (c *conn) isTalking() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.talks
}
