package commands

import (
	"errors"
	"time"

	"broadside/lobby"
	"broadside/lobby/store"
	"broadside/tui"
)

var mute = command{
	name: "mute", args: "NAME|SESSION [--for TIME] [--reason TEXT]", about: "Keep a player from talking, a guest while they are here", most: maxArgs,
	set: func(f flags) func(*call) error {
		span, reason := forFlag(f), reasonFlag(f)
		return func(c *call) error {
			expires, err := until(*span)
			if err != nil {
				return err
			}
			p, err := c.account("name a player")
			if guest, here := c.guest(); here && err != nil {
				return c.hush(guest, expires, *reason)
			}
			if err != nil {
				return err
			}
			why, err := c.reason(*reason)
			if err != nil {
				return err
			}
			if err := c.cfg.Store.Mute(c.ctx, store.Mute{Player: p.ID, Reason: why, By: c.actor(), Expires: expires}); err != nil {
				return err
			}
			return c.print("muted: %s, %s", p.Name, c.until(expires))
		}
	},
}

var unmute = command{
	name: "unmute", args: "NAME|SESSION", about: "Let a player talk again", most: 1,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			if done, err := c.unhush(); done || err != nil {
				return err
			}
			p, err := c.account("name a player")
			if err != nil {
				return err
			}
			switch err := c.cfg.Store.Unmute(c.ctx, p.ID, c.actor()); {
			case errors.Is(err, store.ErrNotFound):
				return failed("no operator has muted %s", p.Name)
			case err != nil:
				return err
			}
			return c.print("not muted any more: %s", p.Name)
		}
	},
}

// guest is the guest who is here by the name or session of the first argument.
func (c *call) guest() (Here, bool) {
	for _, h := range c.cfg.Operator.House.Here() {
		if len(c.args) > 0 && h.called(c.args[0]) && h.Player.Guest && h.Player.Kind == lobby.Person {
			return h, true
		}
	}
	return Here{}, false
}

// hush mutes a guest, until a time or as long as they are here.
func (c *call) hush(guest Here, expires time.Time, reason string) error {
	why, err := c.reason(reason)
	if err != nil {
		return err
	}
	name := tui.Clean(guest.name(), 40)
	if !c.cfg.Operator.Lobby.Hush(guest.Player.ID, expires) {
		return failed("nobody here is called %q: ssh HOST list tells who is", c.args[0])
	}
	if err := c.cfg.Store.Log(c.ctx, store.Act{Actor: c.actor(), Act: "mute", Subject: name, Details: why}); err != nil {
		return err
	}
	if expires.IsZero() {
		return c.print("muted: %s, while they are here", name)
	}
	return c.print("muted: %s, %s", name, c.until(expires))
}

// unhush lets somebody talk again who was muted as a guest, if there is one.
func (c *call) unhush() (done bool, err error) {
	for _, h := range c.cfg.Operator.House.Here() {
		if len(c.args) == 0 || !h.called(c.args[0]) || !c.cfg.Operator.Lobby.Unhush(h.Player.ID) {
			continue
		}
		if err := c.cfg.Store.Log(c.ctx, store.Act{Actor: c.actor(), Act: "unmute", Subject: h.name()}); err != nil {
			return true, err
		}
		return true, c.print("not muted any more: %s", h.name())
	}
	return false, nil
}
