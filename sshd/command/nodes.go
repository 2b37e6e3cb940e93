package command

import (
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/control"
	"broadside/internal/i18n"
	"broadside/tui/format"
)

func init() { register(forOperators, 20, nodes) }

func nodes(c *call) *cobra.Command {
	cmd := &cobra.Command{Use: "nodes [--json]", Short: c.lang.Text("the-nodes-of-this-service"), Args: atMost(0)}
	asJSON := c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error {
		r := c.cfg.Operator.Nodes()
		if *asJSON {
			return c.json(r)
		}
		return WriteNodes(c.out, c.lang, r)
	})
	return cmd
}

// WriteNodes writes a report on the nodes as a table in the given language.
func WriteNodes(out io.Writer, l i18n.Language, r control.Report) error {
	o := output{out, l}
	rows := [][]string{o.heads("node", "id", "role-of-a-node", "sessions", "programs-capitals", "up", "version", "state")}
	var all control.Status
	for _, n := range r.Nodes {
		state := l.Text("healthy")
		switch {
		case n.Trouble != "":
			state = format.Clean(n.Trouble, 80)
		case n.Draining:
			state = l.Text("shutting-down")
		}
		role := l.Text("gateway")
		if n.Active {
			role = l.Text("active-the-role-of-a-node")
		}
		name := format.Clean(n.Name, 40)
		if n.ID == r.Asked {
			name += " *"
		}
		rows = append(rows, []string{
			name, n.ID, role, o.number(n.Sessions), o.number(n.Programs),
			r.Age(n).Truncate(time.Second).String(), dash(format.Clean(n.Version, 40)), state,
		})
		all.Sessions += n.Sessions
		all.Programs += n.Programs
	}
	if err := o.table(rows); err != nil {
		return err
	}
	lines := []string{l.Text("nodes-n-sessions-n-programs", len(r.Nodes), all.Sessions, all.Programs, r.Matches)}
	if !r.SameHostKey() {
		lines = append(lines, l.Text("the-nodes-have-different-host"))
	}
	_, err := io.WriteString(out, strings.Join(lines, "\n")+"\n")
	return err
}
