package command

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"broadside/internal/store"
	"broadside/lobby/session"
	"broadside/tui/text"
)

func whoami(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "whoami [--json]",
		Short: c.lang.Text("show your account, key and programs"),
		Args:  atMost(0),
	}
	asJSON := c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error { return c.whoami(*asJSON) })
	return cmd
}

// identityOut is the JSON of the user.
type identityOut struct {
	Account  string   `json:"account"`  // its name; empty for a guest
	Key      string   `json:"key"`      // fingerprint; empty without a key
	Programs []string `json:"programs"` // names of the registered programs, oldest first
}

// whoami writes the user's account, key and programs.
func (c *call) whoami(asJSON bool) error {
	own, err := c.session()
	if err != nil {
		return err
	}
	out := identityOut{Key: c.user.Fingerprint, Programs: []string{}}
	if me := own.State().Me; me.Account != "" {
		out.Account = me.Name
		programs, err := ask(c, func(own *session.Session) ([]store.Registered, error) { return own.Programs(c.ctx) })
		if err != nil {
			return err
		}
		for _, p := range programs {
			out.Programs = append(out.Programs, p.Name)
		}
	}
	account := cmp.Or(text.Clean(out.Account, 40), c.lang.Text("none: you are a guest"))
	heads := c.heads("Account", "Key", "Programs")
	return c.list(asJSON, out, [][]string{
		{heads[0], account}, {heads[1], dash(out.Key)}, {heads[2], dash(text.Clean(strings.Join(out.Programs, ", "), 400))},
	})
}
