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
		Short:       c.lang.Text("the-table-of-the-daily"),
		Args:        atMost(0),
		Annotations: map[string]string{sshd.OpensAtTerminal: ""},
	}
	day := cmd.Flags().String("day", "", c.lang.Text("such-as-2026-11-21"))
	limit, asJSON := c.flags(cmd).limit(10), c.flags(cmd).json()
	cmd.RunE = c.run(func([]string) error {
		if sshd.Opens(cmd) {
			return openDaily(cmd)
		}
		if *day == "" {
			*day = daily.Today(time.Now())
		} else if when, err := time.Parse(time.DateOnly, *day); err != nil || when.Year() == 0 {
			return sshd.UsageErrorf("day-is-a-day-such")
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
		return sshd.UsageErrorf("on-a-screen-daily-shows", f)
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
		c.print("nobody-has-sunk-the-fleet", day)
	case len(d.Best) == 0:
		c.print("no-ranked-player-has-sunk", day)
	default:
		rows := [][]string{c.heads("place", "name-capitals", "shots")}
		for _, r := range d.Best {
			rows = append(rows, c.dailyCells(r))
		}
		if d.Own.Place > len(d.Best) {
			rows = append(rows, c.dailyCells(d.Own))
		}
		c.table(rows)
	}
	if len(d.Newcomers) > 0 {
		c.print("not-ranked-accounts-less-than")
		for _, r := range d.Newcomers {
			cells := c.dailyCells(r)
			fmt.Fprintf(c.out, "  %s, %s\n", cells[1], cells[2])
		}
	}
	if d.Yesterday.Place > 0 {
		c.print("the-day-before-x-with", text.Clean(d.Yesterday.Name, 40), c.lang.Text("n-shots-with-so-many", d.Yesterday.Shots))
	}
	return c.ownDaily(d)
}

// ownDaily writes the user's own result of a day, if there is one.
func (c output) ownDaily(d daily.Standing) error {
	if !d.Own.Own {
		return nil
	}
	c.print("your-streak-x-the-longest", c.lang.Text("n-days", d.Streak), d.Longest)
	if d.Own.Shots == 0 {
		return c.print("you-have-not-fired-yet")
	}
	if !d.Done {
		return c.print("you-are-not-finished-n", d.Own.Shots)
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
