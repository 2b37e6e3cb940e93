package command

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/export"
	"broadside/lobby/daily"
	"broadside/lobby/session"
	"broadside/sshd"
	"broadside/tui/text"
)

func dailyCommand(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:         "daily [--day DAY] [--limit N] [--json]",
		Short:       c.lang.Text("show the leaderboard of the daily sea, and your own result"),
		Args:        atMost(0),
		Annotations: map[string]string{sshd.OpensAtTerminal: ""},
	}
	day := cmd.Flags().String("day", "", c.lang.Text("such as 2026-11-21 (default: today in UTC)"))
	limit, asJSON := c.flags(cmd).limit(10), c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error {
		if sshd.Opens(cmd) {
			return openDaily(cmd)
		}
		if *day == "" {
			*day = daily.Today(time.Now())
		} else if when, err := time.Parse(time.DateOnly, *day); err != nil || when.Year() == 0 {
			return sshd.UsageErrorf("--day must be a date, such as 2026-11-21")
		}
		if err := checkLimit(*limit); err != nil {
			return err
		}
		d, err := ask(c, func(own *session.Session) (daily.Standing, error) { return own.DailyStanding(c.ctx, *day, *limit) })
		if err != nil {
			return err
		}
		if *asJSON {
			return c.json(export.DailyOf(d))
		}
		return c.daily(d)
	})
	return cmd
}

// openDaily opens today's screen. It rejects options, which apply only to text output.
func openDaily(cmd *cobra.Command) error {
	if f := firstChanged(cmd); f != "" {
		return sshd.UsageErrorf("%s needs a plain connection: run it without -t", f)
	}
	sshd.Open(cmd, session.Opening{Daily: true})
	return nil
}

// daily writes the standings of a day.
func (c output) daily(d daily.Standing) error {
	day := d.Day
	if when, err := time.Parse(time.DateOnly, day); err == nil {
		day = c.lang.Day(when)
	}
	switch {
	case len(d.Best) == 0 && len(d.Newcomers) == 0:
		c.print("Nobody has sunk the fleet of %s.", day)
	case len(d.Best) == 0:
		c.print("No ranked player has sunk the fleet of %s.", day)
	default:
		rows := [][]string{c.heads("Place", "Name", "Shots")}
		for _, r := range d.Best {
			rows = append(rows, c.dailyCells(r))
		}
		if d.Own.Place > len(d.Best) {
			rows = append(rows, c.dailyCells(d.Own))
		}
		c.table(rows)
	}
	if len(d.Newcomers) > 0 {
		c.print("Not ranked (accounts less than a week old, or with fewer than five rated matches):")
		for _, r := range d.Newcomers {
			cells := c.dailyCells(r)
			fmt.Fprintf(c.out, "  %s, %s\n", cells[1], cells[2])
		}
	}
	if d.Yesterday.Place > 0 {
		c.print("Previous day: %s with %s.", text.Clean(d.Yesterday.Name, 40), c.lang.Text("%d shot||%d shots##with", d.Yesterday.Shots))
	}
	return c.ownDaily(d)
}

// ownDaily writes the user's own result of a day, if there is one.
func (c output) ownDaily(d daily.Standing) error {
	if !d.Own.Own {
		return nil
	}
	c.print("Your streak: %s, longest %d.", c.lang.Text("%d day||%d days", d.Streak), d.Longest)
	if d.Own.Shots == 0 {
		return c.print("You have not fired yet.")
	}
	if !d.Done {
		return c.print("You have not finished: %d fired so far.||You have not finished: %d fired so far.", d.Own.Shots)
	}
	return c.print("\n%s", strings.Join(daily.Share(c.lang, d.Day, d.Blocks), "\n"))
}

func (c output) dailyCells(r daily.Row) []string {
	shots := c.number(r.Shots)
	if r.Own {
		shots += "  " + c.lang.Text("you")
	}
	return []string{c.number(r.Place), text.Clean(r.Name, 40), shots}
}
