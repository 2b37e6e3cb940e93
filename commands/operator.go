package commands

import (
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"broadside/control"
	"broadside/gate"
	"broadside/lobby"
	"broadside/lobby/store"
	"broadside/sshd"
	"broadside/tui"
	"broadside/words"
)

// Operator is what the commands of operators need.
type Operator struct {
	Admins gate.Admins // whose commands these are
	Gate   *gate.Gate
	Lobby  *lobby.Lobby
	House  House
	Nodes  func() control.Report // what this node knows of all; it does not wait
}

// Kinds of players, for people.
var (
	lobbyKinds = map[lobby.Kind]words.Text{lobby.Person: "person", lobby.Bot: "bot", lobby.Program: "program"}
	storeKinds = map[store.Kind]words.Text{store.Person: "person", store.Bot: "bot", store.Program: "program"}
)

// operators are the commands of operators, in the order of the help.
var operators = []command{
	list, nodes, kick, ban, unban, bans, mute, unmute, rename, broadcast, lockdown, allow, disallow, allowed, actLog,
}

// isOperator tells whether a visitor is one.
func (o *Operator) isOperator(who sshd.Visitor) bool {
	_, ok := o.Admins.Name(who.Fingerprint)
	return ok
}

// actor is how the log calls the operator who asks.
func (c *call) actor() string {
	name, _ := c.cfg.Operator.Admins.Name(c.who.Fingerprint)
	if name == c.who.Fingerprint {
		return name
	}
	return tui.Clean(name, 40) + " " + c.who.Fingerprint
}

var rename = command{
	name: "rename", args: "OLD NEW", about: "Give a player another name", most: 2,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			if len(c.args) != 2 {
				return wrong("give the old name and the new one")
			}
			p, err := c.account("")
			if err != nil {
				return err
			}
			err = c.cfg.Operator.Lobby.RenameBy(c.ctx, p.ID, c.args[1], c.actor())
			for _, known := range []error{lobby.ErrName, lobby.ErrNameReserved, lobby.ErrNameTaken} {
				if errors.Is(err, known) {
					return failure{known}
				}
			}
			if err != nil {
				return err
			}
			return c.print("renamed: %s is now %s", p.Name, c.args[1])
		}
	},
}

var broadcast = command{
	name: "broadcast", args: "TEXT", about: "Show a line to all who are here", most: maxArgs,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			text := strings.Join(c.args, " ")
			switch {
			case text == "":
				return wrong("there is nothing to say")
			case utf8.RuneCountInString(text) > lobby.MaxAnnouncement:
				return wrong("at most %d characters fit on every screen", lobby.MaxAnnouncement)
			}
			if err := c.cfg.Store.Log(c.ctx, store.Act{Actor: c.actor(), Act: "broadcast", Details: text}); err != nil {
				return err
			}
			c.cfg.Operator.Lobby.Announce(text)
			return c.print("said")
		}
	},
}

var actLog = command{
	name: "log", args: "[--limit N] [--json]", about: "What operators have done, newest first",
	set: func(f flags) func(*call) error {
		limit, asJSON := limitFlag(f, 20), jsonFlag(f)
		return func(c *call) error {
			if err := checkLimit(*limit); err != nil {
				return err
			}
			acts, err := c.cfg.Store.Acts(c.ctx, store.Mark{}, *limit)
			if err != nil {
				return err
			}
			out, rows := []actOut{}, [][]string{c.heads("AT (UTC)", "OPERATOR", "ACT", "SUBJECT", "DETAILS")}
			for _, a := range acts {
				out = append(out, actOut{utc(a.At), a.Actor, a.Act, a.Subject, a.Details})
				rows = append(rows, []string{
					c.stamp(a.At), tui.Clean(a.Actor, 100), a.Act, dash(tui.Clean(a.Subject, 60)), tui.Clean(a.Details, 200),
				})
			}
			if *asJSON {
				return c.json(out)
			}
			return c.table(rows)
		}
	},
}

type actOut struct {
	At      string `json:"at"`
	Actor   string `json:"operator"`
	Act     string `json:"act"`
	Subject string `json:"subject"`
	Details string `json:"details"`
}

// maxArgs is the most words of a text.
const maxArgs = 64

func utc(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func dash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

func (c *call) connections(n int) string { return c.lang.Say("%d connections", n) }

// forOperators are the commands of operators as package sshd knows them.
func forOperators(cfg Config) []sshd.Command {
	if cfg.Operator == nil {
		return nil
	}
	var all []sshd.Command
	for _, c := range operators {
		s := c.over(cfg)
		s.For = cfg.Operator.isOperator
		all = append(all, s)
	}
	return all
}
