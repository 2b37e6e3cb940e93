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
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/relay"
	"broadside/sshd"
)

// maxLayoutWords is the most words of --layout after the first one. They are
// separate arguments, since ssh does not keep quotation marks.
const maxLayoutWords = 60

func init() { register(forEveryone, 140, relayStream) }

func relayStream(c *call) *cobra.Command {
	if c.cfg.Relay == nil {
		return nil
	}
	cmd := &cobra.Command{
		Use:         "relay [--vs OPPONENT] [--games N] [--program NAME] …",
		Short:       c.lang.Say("The relay's line protocol on standard input and output, for a program"),
		Args:        atMost(maxLayoutWords),
		Annotations: map[string]string{sshd.Lasts: ""},
	}
	f := cmd.Flags()
	vs := f.String("vs", "", c.lang.Say("a bot, a player, or any"))
	games := f.Int("games", 0, c.lang.Say("games to play on this connection, the sides swapped after each"))
	rules := f.String("rules", "", c.lang.Say("rule set: %s", c.flags(cmd).presets()))
	layout := f.String("layout", "", c.lang.Say("the fleet that the server holds for you: ships with ; between them, or uniform"))
	room := f.String("room", "", c.lang.Say("code of a private room to join"))
	casual := f.Bool("casual", false, c.lang.Say("play casual matches, which change no ratings"))
	program := f.String("program", "", c.lang.Say("play rated as this program of yours, see token"))
	cmd.RunE = c.run(func(args []string) error {
		if *layout == "" && len(args) > 0 {
			return sshd.UsageErrorf("%s takes no %q", "relay", args[0])
		}
		if *room != "" && *vs != "" {
			return sshd.UsageErrorf("say --vs or --room, not both")
		}
		who, err := c.carried(*program)
		if err != nil {
			return err
		}
		say := func(set bool, directive string, args ...any) {
			if set {
				who.Directives = append(who.Directives, fmt.Sprintf(directive, args...))
			}
		}
		say(*rules != "", "rules %s", *rules)
		say(*games != 0, "games %d", *games)
		say(*layout != "", "layout %s", strings.Trim(strings.Join(append([]string{*layout}, args...), " "), `"'`))
		say(*casual, "casual")
		say(*room != "", "vs room %s", *room)
		say(*vs != "", "vs %s", versus(*vs))
		played, err := c.cfg.Relay.Carry(c.ctx, who)
		if played.Games > 0 {
			fmt.Fprintln(c.err, c.lang.Say("Games: %d, won: %d.", played.Games, played.Won))
		}
		if err != nil {
			return i18n.Errorf("%v", phrase.Localize(err))
		}
		return nil
	})
	return cmd
}

// versus returns an opponent as the directive names it. No player has the name of a
// bot.
func versus(name string) string {
	switch {
	case strings.EqualFold(name, "any"):
		return "any"
	case slices.ContainsFunc(bots.All(), func(b bots.Info) bool { return b.Name == name || strings.HasPrefix(name, b.Name+":") }):
		return "bot " + name
	}
	return "player " + name
}

// carried describes the user's program to the relay. Without a name of a program of
// their account, it is a program without an account.
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
	who.Player, err = ask(c, session.GetProgram{Program: program})
	if errors.Is(err, session.ErrNotFound) {
		err = i18n.Errorf("you have no program called %q: ssh HOST token new registers one", program)
	}
	return who, err
}

var errNoOwner = i18n.Errorf("a program of an account plays with its owner's key: come in once with ssh -t HOST")
