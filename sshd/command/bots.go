package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"broadside/internal/export"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/sshd"
)

func listBots(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bots [--rules RULES] [--json]",
		Short: c.lang.Text("list the built-in bots with their ratings, weakest first"),
		Args:  atMost(0),
	}
	rules, asJSON := c.flags(cmd).rules(), c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error {
		r, err := match.Preset(*rules)
		if err != nil {
			return sshd.UsageError{Err: err}
		}
		out, rows := export.Bots(r), [][]string{c.heads("Name", "Rating", "Shots", "Fires")}
		for i, b := range session.ListBots(r) {
			rating, shots := "–", "–"
			if value := out[i].Rating; value != nil {
				rating = fmt.Sprintf("%.0f", *value)
			}
			if out[i].Shots > 0 {
				shots = c.lang.Text("%.1f", out[i].Shots)
			}
			rows = append(rows, []string{b.Name, rating, shots, c.lang.Text(b.About)})
		}
		return c.list(*asJSON, out, rows)
	})
	return cmd
}
