package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/store"
	"broadside/lobby/session"
	"broadside/tui/text"
)

func bans(c *call) *cobra.Command {
	cmd := &cobra.Command{Use: "bans [--json]", Short: c.lang.Text("list active bans"), Args: atMost(0)}
	asJSON := c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error {
		all, err := ask(c, func(own *session.Session) ([]store.Ban, error) { return own.Bans() })
		if err != nil {
			return err
		}
		out, rows := []banOut{}, [][]string{c.heads("Subject", "Added (UTC)", "Ends", "By##person", "Reason")}
		for _, b := range all {
			out = append(out, banOut{b.Subject(), utc(b.Added), utc(b.Expires), b.By, b.Reason})
			rows = append(rows, []string{
				b.Subject(), c.stamp(b.Added), c.until(b.Expires), text.Clean(b.By, 100), text.Clean(b.Reason, maxReason),
			})
		}
		return c.list(*asJSON, out, rows)
	})
	return cmd
}

// banOut is the JSON of a ban.
type banOut struct {
	Subject string `json:"subject"`
	Added   string `json:"added"`
	Ends    string `json:"ends"` // empty: never
	By      string `json:"by"`
	Reason  string `json:"reason"`
}
