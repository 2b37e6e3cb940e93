package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/lobby/ladder"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/sshd"
	"broadside/tui/text"
)

func ladderCommand(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ladder [NAME] [--rules RULES] [--json]",
		Short: c.lang.Text("show the ladder of programs, or the page of one player"),
		Args:  atMost(1),
	}
	rules, asJSON := c.flags(cmd).rules(), c.flags(cmd).json()
	cmd.RunE = c.run(func(args []string) error {
		r, err := match.Preset(*rules)
		if err != nil {
			return sshd.UsageError{Err: err}
		}
		if len(args) > 0 {
			return c.ladderPage(r.Name, args[0], *asJSON)
		}
		l, err := ask(c, func(own *session.Session) (ladder.Report, error) { return own.Ladder(c.ctx, r.Name) })
		switch {
		case err != nil:
			return err
		case *asJSON:
			return c.json(l)
		case len(l.Players) == 0:
			return c.print("No match has been played on the ladder in %s yet.", r.Name)
		}
		return c.ladderTable(l)
	})
	return cmd
}

// ladderTable writes the players of a ladder.
func (c *call) ladderTable(l ladder.Report) error {
	rows := [][]string{c.heads("Place", "Name", "Rating", "Matches", "Won", "Online")}
	for _, p := range l.Players {
		online := ""
		if p.Online {
			online = "•"
		}
		rows = append(rows, []string{
			c.number(p.Place), text.Clean(p.Name, 40), p.RatingText(), c.number(p.Games), c.number(p.Won), online,
		})
	}
	return c.table(rows)
}

// ladderPage writes the page of a player.
func (c *call) ladderPage(rules, name string, asJSON bool) error {
	p, err := ask(c, func(own *session.Session) (ladder.Page, error) { return own.LadderPage(c.ctx, rules, name) })
	switch {
	case err != nil:
		return err
	case asJSON:
		return c.json(p)
	}
	c.print("%s is number %d on the ladder in %s, rated %s.", text.Clean(p.Name, 40), p.Place, rules, p.RatingText())
	c.print("Matches: %d, won: %d, lost: %d.", p.Games, p.Won, p.Lost)
	for _, reason := range p.LossReasons() {
		why, _ := match.ParseReason(reason)
		c.print("Losses: %d (%s)", p.Losses[reason], c.lang.Text(narrate.Reason(why)))
	}
	fmt.Fprintln(c.out)
	rows := [][]string{c.heads("Opponent", "Matches", "Won", "Lost")}
	for _, o := range p.Opponents {
		rows = append(rows, []string{text.Clean(o.Name, 40), c.number(o.Games), c.number(o.Won), c.number(o.Lost)})
	}
	c.table(rows)
	fmt.Fprintln(c.out)
	rows = [][]string{c.heads("ID", "Ended (UTC)", "Opponent", "Result", "By##ending", "Shots")}
	for _, g := range p.Last {
		result := c.lang.Text(map[bool]i18n.Key{true: "won", false: "lost"}[g.Won])
		why, _ := match.ParseReason(g.Reason)
		rows = append(rows, []string{g.ID, c.stamp(g.Ended), text.Clean(g.Opponent, 40), result, c.lang.Text(narrate.Reason(why)), c.number(g.Shots)})
	}
	return c.table(rows)
}
