package command

import (
	"broadside/internal/session"
	"broadside/tui/format"
)

var mute = command{
	name: "mute", args: "NAME|SESSION [--for TIME] [--reason TEXT]", about: "Keep a player from talking, a guest while they are here", most: maxArgs,
	set: func(f flags) func(*call) error {
		span, reason := forFlag(f), reasonFlag(f)
		return func(c *call) error {
			q := session.MutePlayer{}
			var err error
			if q.Expires, err = until(*span); err != nil {
				return err
			}
			if q.Name, err = c.one("name a player"); err != nil {
				return err
			}
			if q.Reason, err = c.reason(*reason); err != nil {
				return err
			}
			muted, err := ask(c, q)
			if err != nil {
				return err
			}
			name := format.Clean(muted.Name, 40)
			if muted.Guest && q.Expires.IsZero() {
				return c.print("muted: %s, while they are here", name)
			}
			return c.print("muted: %s, %s", name, c.until(q.Expires))
		}
	},
}

var unmute = command{
	name: "unmute", args: "NAME|SESSION", about: "Let a player talk again", most: 1,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			name, err := c.one("name a player")
			if err != nil {
				return err
			}
			if name, err = ask(c, session.UnmutePlayer{Name: name}); err != nil {
				return err
			}
			return c.print("no longer muted: %s", format.Clean(name, 40))
		}
	},
}
