package command

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"broadside/bots"
	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/relay"
	"broadside/sshd"
)

// maxLayoutWords is the maximum number of words of --layout after the first one. They are
// separate arguments, because ssh does not keep quotation marks.
const maxLayoutWords = 60

func relayStream(c *call) *cobra.Command {
	if c.cfg.Relay == nil {
		return nil
	}
	cmd := &cobra.Command{
		Use:         "relay [--vs OPPONENT] [--games N] [--program NAME] …",
		Short:       c.lang.Text("speak the relay's line protocol on standard input and output, for a program"),
		Args:        atMost(maxLayoutWords),
		Annotations: map[string]string{sshd.Lasts: ""},
	}
	f, o := cmd.Flags(), &relayOptions{}
	f.StringVar(&o.vs, "vs", "", c.lang.Text("a bot, a player, or any"))
	f.IntVar(&o.games, "games", 0, c.lang.Text("matches to play on this connection, swapping sides after each"))
	f.StringVar(&o.rules, "rules", "", c.lang.Text("rule set: %s", c.flags(cmd).presets()))
	f.StringVar(&o.layout, "layout", "", c.lang.Text("the fleet that the server keeps for you: ships separated by ;, or uniform"))
	f.StringVar(&o.room, "room", "", c.lang.Text("code of a private match to join"))
	f.StringVar(&o.cup, "cup", "", c.lang.Text("code of a tournament to play in"))
	f.BoolVar(&o.casual, "casual", false, c.lang.Text("play casual matches, which change no ratings"))
	f.BoolVar(&o.ladder, "ladder", false, c.lang.Text("play on the ladder of programs"))
	ready := f.Bool("ready", false, c.lang.Text("send the role only after the directive ready"))
	program := f.String("program", "", c.lang.Text("play rated matches as this registered program; see token"))
	cmd.RunE = c.run(func(args []string) error {
		directives, err := o.directives(args)
		if err != nil {
			return err
		}
		who, err := c.carried(*program)
		if err != nil {
			return err
		}
		who.Directives, who.Ready = directives, *ready
		played, err := c.cfg.Relay.Carry(c.ctx, who)
		if played.Games > 0 && !*ready { // else a program counts the results
			fmt.Fprintln(c.err, c.lang.Text("Matches: %d, won: %d.", played.Games, played.Won))
		}
		if err != nil {
			return i18n.Errorf("%v", narrate.Localize(err))
		}
		return nil
	})
	return cmd
}

// relayOptions holds the options that correspond to directives of the relay.
type relayOptions struct {
	vs, rules, layout, room, cup string
	games                        int
	casual, ladder               bool
}

// directives returns the directives. The arguments are the rest of the layout.
func (o *relayOptions) directives(args []string) (all []string, err error) {
	if o.layout == "" && len(args) > 0 {
		return nil, sshd.UsageErrorf("%s: unexpected argument %q", "relay", args[0])
	}
	opponents := 0
	for _, set := range []bool{o.vs != "", o.room != "", o.cup != "", o.ladder} {
		if set {
			opponents++
		}
	}
	if opponents > 1 {
		return nil, sshd.UsageErrorf("use only one of --vs, --room, --cup and --ladder")
	}
	say := func(set bool, directive string, args ...any) {
		if set {
			all = append(all, fmt.Sprintf(directive, args...))
		}
	}
	say(o.rules != "", "rules %s", o.rules)
	say(o.games != 0, "games %d", o.games)
	say(o.layout != "", "layout %s", strings.Trim(strings.Join(append([]string{o.layout}, args...), " "), `"'`))
	say(o.casual, "casual")
	say(o.ladder, "ladder")
	say(o.room != "", "vs room %s", o.room)
	say(o.cup != "", "vs cup %s", o.cup)
	say(o.vs != "", "vs %s", versus(o.vs))
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
func (c *call) carried(program string) (relay.Carried, error) {
	conn := strconv.Itoa(c.user.Conn)
	who := relay.Carried{In: c.in, Out: c.out, From: "ssh " + conn, Conn: conn, Addr: c.user.Addr}
	defer c.close() // the relay opens another session
	if program != "" {
		if _, err := c.account(errNoOwner, errNoOwner); err != nil {
			return who, err
		}
	}
	var err error
	who.Player, err = ask(c, func(own *session.Session) (account.Player, error) { return own.Program(c.ctx, program) })
	if errors.Is(err, store.ErrNotFound) {
		err = i18n.Errorf("you have no program called %q: ssh HOST token new registers one", program)
	}
	return who, err
}

var errNoOwner = i18n.Errorf("a program of an account plays with its owner's key: create the account with ssh HOST register NAME")
