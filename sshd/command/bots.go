package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"broadside/bots"
	"broadside/internal/session"
	"broadside/match"
	"broadside/sshd"
)

func init() { register(forEveryone, 62, listBots) }

// botOut is the JSON of a built-in bot.
type botOut struct {
	Name   string   `json:"name"`
	Rating *float64 `json:"rating"` // fixed; null if its matches under these rules are casual
	// Shots is the mean number of shots that it needs under classic rules; 0: unknown.
	Shots float64 `json:"shots"`
}

func listBots(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bots [--rules RULES] [--json]",
		Short: c.lang.Text("the-built-in-bots-weakest"),
		Args:  atMost(0),
	}
	rules, asJSON := c.flags(cmd).rules(), c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error {
		r, err := match.Preset(*rules)
		if err != nil {
			return sshd.UsageError{Err: err}
		}
		out, rows := []botOut{}, [][]string{c.heads("name-capitals", "rating-capitals", "shots", "strategy-capitals")}
		for _, b := range bots.Offered(r) {
			bot, rating, shots := botOut{Name: b.Name, Shots: b.Character().Shots}, "–", "–"
			if value, ok := session.BotRating(r.Name, b.Name); ok {
				bot.Rating, rating = &value, fmt.Sprintf("%.0f", value)
			}
			if bot.Shots > 0 {
				shots = c.lang.Text("%.1f", bot.Shots)
			}
			out = append(out, bot)
			rows = append(rows, []string{b.Name, rating, shots, c.lang.Text(b.About)})
		}
		return c.list(*asJSON, out, rows)
	})
	return cmd
}
