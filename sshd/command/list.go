package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/tui/text"
)

func list(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list [--json]",
		Short: c.lang.Text("list connected players, with session, address, key and time"),
		Args:  atMost(0),
	}
	asJSON := c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error {
		all, err := c.sessions()
		if err != nil {
			return err
		}
		out, rows := []sessionOut{}, [][]string{c.heads("Session", "Name", "Kind", "Address", "Key", "Since (UTC)")}
		for _, s := range all {
			out = append(out, sessionOut{s.Conn, s.Name(), s.Player.Kind.String(), s.Player.Account != "", s.Addr.String(), s.Fingerprint, utc(s.Since)})
			kind := playerKinds[s.Player.Kind]
			if s.Player.Kind == account.Person && s.Player.Account == "" {
				kind = "guest"
			}
			rows = append(rows, []string{s.Conn, dash(text.Clean(s.Name(), 40)), c.lang.Text(kind), s.Addr.String(), dash(s.Fingerprint), c.stamp(s.Since)})
		}
		return c.list(*asJSON, out, rows)
	})
	return cmd
}

// sessionsAtOnce is the maximum number of sessions per query.
const sessionsAtOnce = 1000

// sessions returns all open sessions, oldest first.
func (c *call) sessions() (all []session.Connected, err error) {
	var after store.Cursor
	for {
		page, err := ask(c, func(own *session.Session) ([]session.Connected, error) {
			return own.ListSessions(after, sessionsAtOnce)
		})
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if len(page) < sessionsAtOnce {
			return all, nil
		}
		after = page[len(page)-1].Cursor()
	}
}

// sessionOut is the JSON of a session.
type sessionOut struct {
	Session string `json:"session"`
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Account bool   `json:"account"`
	Address string `json:"address"`
	Key     string `json:"key"`
	Since   string `json:"since"`
}
