package command

import (
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/session"
	"broadside/match"
	"broadside/sshd"
	"broadside/tui/format"
)

func init() { register(forEveryone, 60, leaderboard) }

func leaderboard(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "leaderboard [--rules RULES] [--of all|people|bots] [--limit N] [--json]",
		Short: c.lang.Text("the-best-players"),
		Args:  atMost(0),
	}
	rules, of := c.flags(cmd).rules(), cmd.Flags().String("of", "all", c.lang.Text("which-players-are-listed"))
	limit, asJSON := c.flags(cmd).limit(20), c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error {
		r, err := match.Preset(*rules)
		if err != nil {
			return sshd.UsageError{Err: err}
		}
		board, ok := map[string]session.Board{"all": session.Everybody, "people": session.People, "bots": session.Machines}[*of]
		if !ok {
			return sshd.UsageErrorf("of-is-one-of-all")
		}
		if err := checkLimit(*limit); err != nil {
			return err
		}
		all, err := ask(c, session.Leaderboard{Board: board, Rules: r.Name, Limit: *limit})
		if err != nil {
			return err
		}
		if *asJSON {
			return c.json(standings(all))
		}
		if len(all) == 0 {
			return c.print("no-players-are-ranked-in", r.Name)
		}
		rows := [][]string{c.heads("place", "name-capitals", "kind", "rating-capitals", "matches-capitals")}
		for i, s := range all {
			rows = append(rows, []string{c.number(i + 1), format.Clean(s.Name, 40), c.lang.Text(accountKinds[s.Kind]), ratingText(s), c.number(s.Games)})
		}
		return c.table(rows)
	})
	return cmd
}

// standing is the JSON of a rating.
type standing struct {
	Place     int     `json:"place,omitempty"`
	Name      string  `json:"name,omitempty"`
	Kind      string  `json:"kind,omitempty"`
	Rules     string  `json:"rules"`
	Rating    float64 `json:"rating"`
	Deviation float64 `json:"deviation"`
	Settled   bool    `json:"settled"`
	Games     int     `json:"rated_games"`
}

func standings(all []session.Standing) []standing {
	out := make([]standing, 0, len(all))
	for i, s := range all {
		out = append(out, standing{
			Place: i + 1, Name: s.Name, Kind: string(s.Kind), Rules: s.RuleSet,
			Rating: tenth(s.Value), Deviation: tenth(s.At(time.Now()).Deviation), Settled: s.Settled(), Games: s.Games,
		})
	}
	return out
}

// tenth rounds a rating to tenths. Further digits are not significant.
func tenth(x float64) float64 { return math.Round(10*x) / 10 }

// ratingText formats a rating with its deviation. Provisional ratings have a question
// mark.
func ratingText(s session.Standing) string {
	return fmt.Sprintf("%v ±%.0f", s.Rating, s.At(time.Now()).Deviation)
}
