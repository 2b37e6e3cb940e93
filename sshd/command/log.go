package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/store"
	"broadside/lobby/session"
	"broadside/tui/text"
)

func operatorLog(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "log [--limit N] [--json]",
		Short: c.lang.Text("list actions of operators, newest first"),
		Args:  atMost(0),
	}
	limit, asJSON := c.flags(cmd).limit(20), c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error {
		if err := checkLimit(*limit); err != nil {
			return err
		}
		acts, err := ask(c, func(own *session.Session) ([]store.Act, error) { return own.Acts(c.ctx, *limit) })
		if err != nil {
			return err
		}
		out, rows := []actOut{}, [][]string{c.heads("At (UTC)", "Operator", "Action", "Subject", "Details")}
		for _, a := range acts {
			out = append(out, actOut{utc(a.At), a.Actor, a.Act, a.Subject, a.Details})
			rows = append(rows, []string{
				c.stamp(a.At), text.Clean(a.Actor, 100), a.Act, dash(text.Clean(a.Subject, 60)), text.Clean(a.Details, 200),
			})
		}
		return c.list(*asJSON, out, rows)
	})
	return cmd
}

// actOut is the JSON of an operator's action.
type actOut struct {
	At      string `json:"at"`
	Actor   string `json:"operator"`
	Act     string `json:"act"`
	Subject string `json:"subject"`
	Details string `json:"details"`
}
