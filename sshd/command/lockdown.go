package command

import (
	"fmt"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/tui/format"
)

var lockdown = command{
	name: "lockdown", args: "[on|off]", about: "Let nobody in but who is here or allowed; end that; or tell whether it is so", most: 1,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			if len(c.args) > 0 {
				if c.args[0] != "on" && c.args[0] != "off" {
					return wrong("lockdown is on or off")
				}
				if err := c.do(session.SetLockdown{On: c.args[0] == "on"}); err != nil {
					return err
				}
			}
			locked, err := ask(c, session.LockedDown{})
			if err != nil {
				return err
			}
			state := i18n.Text("lockdown: off")
			if locked {
				state = "lockdown: on"
			}
			return c.print(state)
		}
	},
}

var allow = command{
	name: "allow", args: "NAME|FINGERPRINT", about: "Let a player in during a lockdown", most: 1,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			name, err := c.one("name a player")
			if err != nil {
				return err
			}
			if name, err = ask(c, session.Allow{Name: name}); err != nil {
				return err
			}
			return c.print("allowed: %s", name)
		}
	},
}

var disallow = command{
	name: "disallow", args: "NAME|FINGERPRINT", about: "Take back allow", most: 1,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			name, err := c.one("name a player")
			if err != nil {
				return err
			}
			if name, err = ask(c, session.Disallow{Name: name}); err != nil {
				return err
			}
			return c.print("no longer allowed: %s", name)
		}
	},
}

var allowed = command{
	name: "allowed", args: "[--json]", about: "Who is let in during a lockdown",
	set: func(f flags) func(*call) error {
		asJSON := jsonFlag(f)
		return func(c *call) error {
			names, err := ask(c, session.Allowed{})
			if err != nil {
				return err
			}
			if *asJSON {
				return c.json(names)
			}
			for _, n := range names {
				fmt.Fprintln(c.out, format.Clean(n, 40))
			}
			return nil
		}
	},
}
