package command

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/tui/text"
)

// Nodes lists the nodes and the worlds of the database.
type Nodes interface {
	List(context.Context) ([]store.Node, error)
	Worlds(context.Context) ([]store.World, error)
}

func nodes(c *call) *cobra.Command {
	cmd := &cobra.Command{Use: "nodes [--json]", Short: c.lang.Text("show the nodes of this service: roles, sessions, state"), Args: atMost(0)}
	asJSON := c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error {
		all, err := c.cfg.Nodes.List(c.ctx)
		if err != nil {
			return err
		}
		if *asJSON {
			return c.json(all)
		}
		return WriteNodes(c.out, c.lang, all, time.Now())
	})
	return cmd
}

// WriteNodes writes a table of nodes in the given language.
func WriteNodes(out io.Writer, l i18n.Language, all []store.Node, now time.Time) error {
	o := output{out, l}
	rows := [][]string{o.heads("Node", "World", "Role", "Sessions", "Programs", "Up", "Version", "State")}
	var sum store.Node
	differ := false
	for _, n := range all {
		role, state := l.Text("standby"), l.Text("healthy")
		if n.Active {
			role = l.Text("active")
		}
		switch {
		case n.Gone:
			state = l.Text("gone")
		case n.Draining:
			state = l.Text("shutting down")
		}
		rows = append(rows, []string{
			text.Clean(n.Name, 40), text.Clean(n.World, 40), role, o.number(n.Sessions), o.number(n.Programs),
			max(0, now.Sub(n.Started)).Truncate(time.Second).String(), dash(text.Clean(n.Version, 40)), state,
		})
		if n.Gone {
			continue
		}
		sum.Sessions += n.Sessions
		sum.Programs += n.Programs
		sum.Matches += n.Matches
		differ = differ || slices.ContainsFunc(all, func(m store.Node) bool {
			return m.World == n.World && !m.Gone && m.HostKey != n.HostKey && m.HostKey != "" && n.HostKey != ""
		})
	}
	if err := o.table(rows); err != nil {
		return err
	}
	lines := []string{l.Text("nodes: %d, sessions: %d, programs: %d, matches: %d", len(all), sum.Sessions, sum.Programs, sum.Matches)}
	if differ {
		lines = append(lines, l.Text("The nodes have different host keys: see --host-keys."))
	}
	_, err := fmt.Fprintln(out, strings.Join(lines, "\n"))
	return err
}

func worlds(c *call) *cobra.Command {
	cmd := &cobra.Command{Use: "worlds [--json]", Short: c.lang.Text("show the worlds of this service: who is online, addresses"), Args: atMost(0)}
	asJSON := c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error {
		all, err := c.cfg.Nodes.Worlds(c.ctx)
		if err != nil {
			return err
		}
		rows := [][]string{c.heads("World", "Online", "State", "Address")}
		for _, w := range all {
			state := c.lang.Text("closed##world")
			if w.Active {
				state = c.lang.Text("open##world")
			}
			rows = append(rows, []string{text.Clean(w.Name, 40), c.number(w.People), state, dash(text.Clean(strings.Join(w.Addresses, ", "), 200))})
		}
		return c.list(*asJSON, all, rows)
	})
	return cmd
}
