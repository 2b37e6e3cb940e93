package command

import (
	"strings"
	"time"
	"unicode/utf8"

	"broadside/internal/access"
	"broadside/internal/control"
	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/sshd"
	"broadside/tui/format"
)

// Operator is what the commands of operators need.
type Operator struct {
	Admins access.Admins         // whose commands these are
	Nodes  func() control.Report // what this node knows of all; it does not wait
}

// Kinds of players, for people.
var (
	playerKinds  = map[session.Kind]i18n.Text{session.Person: "person", session.Bot: "bot", session.Program: "program"}
	accountKinds = map[session.AccountKind]i18n.Text{session.PersonAccount: "person", session.BotAccount: "bot", session.ProgramAccount: "program"}
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

// actor returns how the operators' log names the operator with a key, or an empty
// text if nobody's is.
func (o *Operator) actor(fingerprint string) string {
	name, ok := o.Admins.Name(fingerprint)
	if !ok || name == fingerprint {
		return name
	}
	return format.Clean(name, 40) + " " + fingerprint
}

var rename = command{
	name: "rename", args: "OLD NEW", about: "Give a player another name", most: 2,
	set: func(flags) func(*call) error {
		return func(c *call) error {
			if len(c.args) != 2 {
				return wrong("give the old name and the new one")
			}
			name, err := ask(c, session.RenamePlayer{Name: c.args[0], To: c.args[1]})
			if err != nil {
				return err
			}
			return c.print("renamed: %s is now %s", name, c.args[1])
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
			case utf8.RuneCountInString(text) > session.MaxAnnouncement:
				return wrong("at most %d characters fit on every screen", session.MaxAnnouncement)
			}
			if err := c.do(session.Announce{Text: text}); err != nil {
				return err
			}
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
			acts, err := ask(c, session.Acts{Limit: *limit})
			if err != nil {
				return err
			}
			out, rows := []actOut{}, [][]string{c.heads("AT (UTC)", "OPERATOR", "ACT", "SUBJECT", "DETAILS")}
			for _, a := range acts {
				out = append(out, actOut{utc(a.At), a.Actor, a.Act, a.Subject, a.Details})
				rows = append(rows, []string{
					c.stamp(a.At), format.Clean(a.Actor, 100), a.Act, dash(format.Clean(a.Subject, 60)), format.Clean(a.Details, 200),
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

// forOperators are the commands of operators as package sshd knows them.
func forOperators(cfg Config) []sshd.Command {
	if cfg.Operator == nil {
		return nil
	}
	var all []sshd.Command
	for _, c := range operators {
		c.operator = true
		s := c.over(cfg)
		s.For = cfg.Operator.isOperator
		all = append(all, s)
	}
	return all
}
