package command

import (
	"io"
	"strings"
	"time"

	"broadside/internal/control"
	"broadside/internal/i18n"
	"broadside/tui/format"
)

var nodes = command{
	name: "nodes", args: "[--json]", about: "The nodes of this service: roles, sessions, state",
	set: func(f flags) func(*call) error {
		asJSON := jsonFlag(f)
		return func(c *call) error {
			r := c.cfg.Operator.Nodes()
			if *asJSON {
				return c.json(r)
			}
			return WriteNodes(c.out, c.lang, r)
		}
	},
}

// WriteNodes writes a report on the nodes as a table, for people who read a
// language.
func WriteNodes(out io.Writer, l i18n.Language, r control.Report) error {
	number := func(n int) string { return l.Say("%d", n) }
	var heads []string
	for _, t := range []i18n.Text{"NODE", "ID", "ROLE ¦ of a node", "SESSIONS", "PROGRAMS", "UP", "VERSION", "STATE"} {
		heads = append(heads, l.Say(t))
	}
	rows := [][]string{heads}
	var all control.Status
	for _, n := range r.Nodes {
		state := l.Say("healthy")
		switch {
		case n.Trouble != "":
			state = format.Clean(n.Trouble, 80)
		case n.Draining:
			state = l.Say("shutting down")
		}
		role := l.Say("gateway")
		if n.Active {
			role = l.Say("active ¦ the role of a node")
		}
		name := format.Clean(n.Name, 40)
		if n.ID == r.Asked {
			name += " *"
		}
		rows = append(rows, []string{
			name, n.ID, role, number(n.Sessions), number(n.Programs),
			r.Age(n).Truncate(time.Second).String(), dash(format.Clean(n.Version, 40)), state,
		})
		all.Sessions += n.Sessions
		all.Programs += n.Programs
	}
	if err := writeTable(out, rows); err != nil {
		return err
	}
	lines := []string{l.Say("nodes: %d, sessions: %d, programs: %d, matches: %d", len(r.Nodes), all.Sessions, all.Programs, r.Matches)}
	if !r.SameHostKey() {
		lines = append(lines, l.Say("The nodes have different host keys: see --host-keys."))
	}
	_, err := io.WriteString(out, strings.Join(lines, "\n")+"\n")
	return err
}
