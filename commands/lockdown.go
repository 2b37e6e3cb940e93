package commands

import (
	"errors"
	"fmt"

	"broadside/lobby/store"
	"broadside/tui"
	"broadside/words"
)

var lockdown = command{
	name: "lockdown", args: "[on|off]", about: "Let nobody in but who is here or allowed; end that; or tell whether it is so", most: 1,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			if len(c.args) > 0 {
				if c.args[0] != "on" && c.args[0] != "off" {
					return wrong("lockdown is on or off")
				}
				var inside []string
				for _, h := range c.cfg.Operator.House.Here() {
					if h.Player.Account != "" {
						inside = append(inside, h.Player.Account)
					}
				}
				if err := c.cfg.Operator.Gate.Lockdown(c.ctx, c.args[0] == "on", inside, c.actor()); err != nil {
					return err
				}
			}
			state := words.Text("lockdown: off")
			if c.cfg.Operator.Gate.Locked() {
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
			p, err := c.account("name a player")
			if err != nil {
				return err
			}
			if err := c.cfg.Store.Allow(c.ctx, p.ID, c.actor()); err != nil {
				return err
			}
			return c.print("allowed: %s", p.Name)
		}
	},
}

var disallow = command{
	name: "disallow", args: "NAME|FINGERPRINT", about: "Take back allow", most: 1,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			p, err := c.account("name a player")
			if err != nil {
				return err
			}
			switch err := c.cfg.Store.Disallow(c.ctx, p.ID, c.actor()); {
			case errors.Is(err, store.ErrNotFound):
				return failed("the list has no %s: ssh HOST allowed shows it", p.Name)
			case err != nil:
				return err
			}
			return c.print("not allowed any more: %s", p.Name)
		}
	},
}

var allowed = command{
	name: "allowed", args: "[--json]", about: "Who is let in during a lockdown",
	set: func(f flags) func(*call) error {
		asJSON := jsonFlag(f)
		return func(c *call) error {
			all, err := c.cfg.Store.Allowed(c.ctx)
			if err != nil {
				return err
			}
			names := []string{}
			for _, p := range all {
				names = append(names, p.Name)
			}
			if *asJSON {
				return c.json(names)
			}
			for _, n := range names {
				fmt.Fprintln(c.out, tui.Clean(n, 40))
			}
			return nil
		}
	},
}
