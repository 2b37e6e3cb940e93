package command

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"broadside/bots"
	"broadside/internal/session"
	"broadside/match"
	"broadside/relay"
)

// maxLayoutWords bounds the words of --layout after the first one: ssh does not keep
// them together.
const maxLayoutWords = 60

var relayStream = command{
	name: "relay", args: "[--vs OPPONENT] [--games N] [--program NAME] …",
	about: "The relay's line protocol on standard input and output, for a program", lasts: true, most: maxLayoutWords,
	set: func(f flags) func(*call) error {
		vs := f.String("vs", "", f.lang.Say("a bot, a player, or any"))
		games := f.Int("games", 0, f.lang.Say("games to play on this connection, the sides swapped after each"))
		rules := f.String("rules", "", f.lang.Say("rule set: %s", f.or(match.Presets())))
		layout := f.String("layout", "", f.lang.Say("the fleet that the server holds for you: ships with ; between them, or uniform"))
		room := f.String("room", "", f.lang.Say("code of a private room to join"))
		casual := f.Bool("casual", false, f.lang.Say("play casual matches, which change no ratings"))
		program := f.String("program", "", f.lang.Say("play rated as this program of yours, see token"))
		return func(c *call) error {
			if *layout == "" && len(c.args) > 0 {
				return wrong("%s takes no %q", "relay", c.args[0])
			}
			if *room != "" && *vs != "" {
				return wrong("say --vs or --room, not both")
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
			say(*layout != "", "layout %s", strings.Trim(strings.Join(append([]string{*layout}, c.args...), " "), `"'`))
			say(*casual, "casual")
			say(*room != "", "vs room %s", *room)
			say(*vs != "", "vs %s", versus(*vs))
			played, err := c.cfg.Relay.Carry(c.ctx, who)
			if played.Games > 0 {
				fmt.Fprintln(c.errs, c.lang.Say("Games: %d, won: %d.", played.Games, played.Won))
			}
			if err != nil {
				return failure{err}
			}
			return nil
		}
	},
}

// versus is an opponent as the directive names it. No player is called as a bot.
func versus(name string) string {
	switch {
	case strings.EqualFold(name, "any"):
		return "any"
	case slices.ContainsFunc(bots.All(), func(b bots.Info) bool { return b.Name == name || strings.HasPrefix(name, b.Name+":") }):
		return "bot " + name
	}
	return "player " + name
}

// carried returns the client at the other end of the session: the program of its
// account that is named, or else a program without an account that is called like the
// client's account or login.
func (c *call) carried(program string) (relay.Carried, error) {
	conn := strconv.Itoa(c.who.Conn)
	who := relay.Carried{In: c.in, Out: c.out, From: "ssh " + conn, Conn: conn, Addr: c.who.Addr}
	defer c.close() // the relay opens another session
	if program != "" {
		if _, err := c.account(errNoOwner, errNoOwner); err != nil {
			return who, err
		}
	}
	var err error
	who.Player, err = ask(c, session.GetProgram{Program: program})
	if errors.Is(err, session.ErrNotFound) {
		err = failed("you have no program called %q: ssh HOST token new registers one", program)
	}
	return who, err
}

var errNoOwner = failed("a program of an account plays with its owner's key: come in once with ssh -t HOST")
