package command

import (
	"cmp"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"broadside/internal/export"
	"broadside/internal/i18n"
	"broadside/internal/view"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/sshd"
	"broadside/tui/text"
)

func watch(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:         "watch [ID|NAME|featured] [--list] [--json]",
		Short:       c.lang.Text("follow a running match, one line per shot; with -t, in full-screen mode"),
		Args:        atMost(1),
		Annotations: map[string]string{sshd.Lasts: "", sshd.OpensAtTerminal: ""},
	}
	list := cmd.Flags().Bool("list", false, c.lang.Text("list running matches"))
	asJSON := cmd.Flags().Bool("json", false, c.lang.Text("write JSON, one value per line"))
	cmd.RunE = c.run(func(args []string) error {
		which := strings.Join(args, "")
		switch {
		case sshd.Opens(cmd):
			return openWatch(cmd, which)
		case *list:
			return c.listMatches(*asJSON)
		}
		return c.follow(which, *asJSON)
	})
	return cmd
}

// openWatch opens a match's screen. It rejects options, which apply only to text output.
func openWatch(cmd *cobra.Command, which string) error {
	if f := firstChanged(cmd); f != "" {
		return sshd.UsageErrorf("%s needs a plain connection: run it without -t", f)
	}
	sshd.Open(cmd, session.Opening{Watch: cmp.Or(which, lobby.Featured)})
	return nil
}

// follow writes the events of a match until it ends.
func (c *call) follow(which string, asJSON bool) error {
	_ = c.in.Close() // unread input would take memory
	err := c.do(func(own *session.Session) error { return own.WatchBy(which) })
	switch {
	case errors.Is(err, lobby.ErrNoMatch) && which == "":
		return i18n.Errorf("no match is running right now")
	case errors.Is(err, lobby.ErrNoMatch):
		return i18n.Errorf("no match %q is running, and no player of that name is in one: ssh HOST watch --list shows running matches", which)
	case err != nil:
		return err
	}
	f := &follower{call: c, about: *c.own.State().Watching, asJSON: asJSON}
	f.narrator.Side = match.Nobody
	for side, p := range f.about.Players {
		f.narrator.Names[side] = text.Clean(p.Name, 40)
	}
	return f.follow()
}

// listMatches lists the matches open to spectators.
func (c *call) listMatches(asJSON bool) error {
	all, err := ask(c, func(own *session.Session) ([]lobby.Running, error) { return own.Matches(), nil })
	if err != nil {
		return err
	}
	if asJSON {
		for _, r := range all {
			if err := c.jsonLine(export.BegunOf(r, nil)); err != nil {
				return err
			}
		}
		return nil
	}
	if len(all) == 0 {
		return c.print("No match is running. To watch two bots: ssh HOST watch")
	}
	return c.table(view.Table(c.lang, view.MatchesHeads, view.Matches(c.lang, all)))
}
