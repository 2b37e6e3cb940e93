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

// serveRelay lets a program play over the command's input and output.
func (c *Call) serveRelay() error {
	directives, err := c.relayDirectives()
	if err != nil {
		return err
	}
	who, err := c.newRelayClient()
	if err != nil {
		return err
	}
	who.Directives, who.Ready = directives, c.hasOption("ready")
	played, err := c.commands.cfg.Relay.ServeStream(c.ctx, who)
	// A program with --ready counts the results itself.
	if played.Games > 0 && !who.Ready {
		fmt.Fprintln(c.err, c.lang.Text("Matches: %d, won: %d.", played.Games, played.Won))
	}
	if err != nil {
		return i18n.Errorf("%v", narrate.Localize(err))
	}
	return nil
}

// relayDirectives returns the directives for the options. The arguments are the rest of the layout.
func (c *Call) relayDirectives() (all []string, err error) {
	layout := strings.Join(append([]string{c.optionText("layout", "")}, c.args...), " ")
	if !c.hasOption("layout") && len(c.args) > 0 {
		return nil, usageErrorf("%s: unexpected argument %q", c.command.Name, c.argument(0))
	}
	games, err := parseOption(c, "games", 0, strconv.Atoi)
	if err != nil {
		return nil, err
	}
	opponents := 0
	for _, d := range []struct{ option, directive string }{
		{"rules", "rules " + c.optionText("rules", "")},
		{"games", fmt.Sprintf("games %d", games)},
		{"layout", "layout " + strings.Trim(layout, `"'`)},
		{"casual", "casual"},
		{"ladder", "ladder"},
		{"room", "vs room " + c.optionText("room", "")},
		{"tournament", "vs tournament " + c.optionText("tournament", "")},
		{"vs", "vs " + opponentDirective(c.optionText("vs", ""))},
	} {
		if !c.hasOption(d.option) {
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

// opponentDirective returns an opponent as the directive vs names it. No player can have a bot's name.
func opponentDirective(name string) string {
	switch {
	case strings.EqualFold(name, "any"):
		return "any"
	case slices.ContainsFunc(bots.All(), func(b bots.Info) bool { return b.Name == name || strings.HasPrefix(name, b.Name+":") }):
		return "bot " + name
	}
	return "player " + name
}

// newRelayClient describes the user's program to the relay. If the user names none of their account's programs,
// the program has no account.
func (c *Call) newRelayClient() (relay.StreamClient, error) {
	client, program := c.session.Client(), c.optionText("program", "")
	who := relay.StreamClient{In: c.in, Out: c.out, Location: "ssh " + client.Conn, Conn: client.Conn, Addr: client.Addr}
	// The relay opens another session.
	defer c.session.Close()
	if program != "" && c.session.State().Me.Account == "" {
		return who, i18n.Errorf("registered programs play with their owner's key: create an account with ssh HOST register NAME")
	}
	var err error
	who.Player, err = c.session.ResolveProgram(c.ctx, program)
	if errors.Is(err, store.ErrNotFound) {
		err = i18n.Errorf("you have no program called %q: ssh HOST token new registers one", program)
	}
	return who, err
}
