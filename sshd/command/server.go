package command

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"broadside/internal/build"
	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/view"
	"broadside/tui/text"
)

// Nodes lists the nodes and the database's worlds.
type Nodes interface {
	ListNodes(context.Context) ([]store.Node, error)
	ListWorlds(context.Context) ([]store.World, error)
}

func (c *Call) listNodes() error {
	all, err := c.commands.cfg.Nodes.ListNodes(c.ctx)
	if err != nil {
		return err
	}
	if c.hasOption("json") {
		return c.writeJSON(all)
	}
	return WriteNodeTable(c.out, c.lang, all, time.Now())
}

// WriteNodeTable writes a table of nodes and their totals.
func WriteNodeTable(out io.Writer, l i18n.Language, all []store.Node, now time.Time) error {
	o := output{out: out, lang: l}
	rows := [][]string{o.headings("Node", "World", "Role", "Sessions", "Programs", "Up", "Version", "State")}
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
			cleanName(n.Name), cleanName(n.World), role, o.formatNumber(n.Sessions), o.formatNumber(n.Programs),
			max(0, now.Sub(n.Started)).Truncate(time.Second).String(), view.DashIfEmpty(cleanName(n.Version)), state,
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
	if err := o.writeColumns(rows); err != nil {
		return err
	}
	lines := []string{l.Text("nodes: %d, sessions: %d, programs: %d, matches: %d", len(all), sum.Sessions, sum.Programs, sum.Matches)}
	if differ {
		lines = append(lines, l.Text("The nodes have different host keys: see --host-keys."))
	}
	_, err := fmt.Fprintln(out, strings.Join(lines, "\n"))
	return err
}

func (c *Call) listWorlds() error {
	all, err := c.commands.cfg.Nodes.ListWorlds(c.ctx)
	if err != nil {
		return err
	}
	rows := [][]string{c.headings("World", "Online", "State", "Address")}
	for _, w := range all {
		state := c.lang.Text("closed##world")
		if w.Active {
			state = c.lang.Text("open##world")
		}
		addresses := text.Clean(strings.Join(w.Addresses, ", "), 200)
		rows = append(rows, []string{cleanName(w.Name), c.formatNumber(w.People), state, view.DashIfEmpty(addresses)})
	}
	return c.writeResult(all, rows)
}

type versionJSON struct {
	// Version is such as v1.2.3, or devel.
	Version string `json:"version"`
	// Commit is empty if it is unknown, and so is Date. Date is that of the commit, in RFC 3339.
	Commit string `json:"commit"`
	Date   string `json:"date"`
}

func (c *Call) showVersion() error {
	b := build.Read()
	return c.writeResult(versionJSON(b), [][]string{{b.String()}})
}
