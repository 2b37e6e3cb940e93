package command

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/relay"
)

// relay lets a program play over the command's input and output.
func (c *Call) relay() error {
	directives, err := c.directives()
	if err != nil {
		return err
	}
	who, err := c.carried()
	if err != nil {
		return err
	}
	who.Directives, who.Ready = directives, c.has("ready")
	played, err := c.commands.cfg.Relay.ServeStream(c.ctx, who)
	if played.Games > 0 && !who.Ready { // else a program counts the results
		fmt.Fprintln(c.err, c.lang.Text("Matches: %d, won: %d.", played.Games, played.Won))
	}
	if err != nil {
		return i18n.Errorf("%v", narrate.Localize(err))
	}
	return nil
}

// directives returns the directives for the options. The arguments are the rest of the layout.
func (c *Call) directives() (all []string, err error) {
	layout := strings.Join(append([]string{c.value("layout", "")}, c.args...), " ")
	if !c.has("layout") && len(c.args) > 0 {
		return nil, usageErrorf("%s: unexpected argument %q", c.command.Name, c.arg(0))
	}
	games, err := optionValue(c, "games", 0, strconv.Atoi)
	if err != nil {
		return nil, err
	}
	opponents := 0
	for _, d := range []struct{ option, directive string }{
		{"rules", "rules " + c.value("rules", "")},
		{"games", fmt.Sprintf("games %d", games)},
		{"layout", "layout " + strings.Trim(layout, `"'`)},
		{"casual", "casual"},
		{"ladder", "ladder"},
		{"room", "vs room " + c.value("room", "")},
		{"tournament", "vs tournament " + c.value("tournament", "")},
		{"vs", "vs " + versus(c.value("vs", ""))},
	} {
		if !c.has(d.option) {
			continue
		}
		all = append(all, d.directive)
		if slices.Contains([]string{"ladder", "room", "tournament", "vs"}, d.option) {
			opponents++
		}
	}
	if opponents > 1 {
		return nil, usageErrorf("use only one of --vs, --room, --tournament and --ladder")
	}
	return all, nil
}

// versus returns an opponent in the format of the directive. No player can have the name
// of a bot.
func versus(name string) string {
	switch {
	case strings.EqualFold(name, "any"):
		return "any"
	case slices.ContainsFunc(bots.All(), func(b bots.Info) bool { return b.Name == name || strings.HasPrefix(name, b.Name+":") }):
		return "bot " + name
	}
	return "player " + name
}

// carried describes the user's program to the relay. If the user names none of their
// account's programs, the program has no account.
func (c *Call) carried() (relay.StreamClient, error) {
	client, program := c.own.Client(), c.value("program", "")
	who := relay.StreamClient{In: c.in, Out: c.out, Location: "ssh " + client.Conn, Conn: client.Conn, Addr: client.Addr}
	defer c.own.Close() // the relay opens another session
	if program != "" && c.own.State().Me.Account == "" {
		return who, i18n.Errorf("a program of an account plays with its owner's key: create the account with ssh HOST register NAME")
	}
	var err error
	who.Player, err = c.own.ResolveProgram(c.ctx, program)
	if errors.Is(err, store.ErrNotFound) {
		err = i18n.Errorf("you have no program called %q: ssh HOST token new registers one", program)
	}
	return who, err
}
