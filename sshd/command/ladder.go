package command

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/lobby/ladder"
	"broadside/match"
	"broadside/sshd"
	"broadside/tui/format"
)

func init() { register(forEveryone, 66, ladderCommand) }

func ladderCommand(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ladder [NAME] [--rules RULES] [--crosstable] [--json]",
		Short: c.lang.Text("the-ladder-of-programs-or"),
		Args:  atMost(1),
	}
	rules, asJSON := c.flags(cmd).rules(), c.flags(cmd).json()
	cross := cmd.Flags().Bool("crosstable", false, c.lang.Text("results-of-all-players-against"))
	cmd.RunE = c.run(func(args []string) error {
		r, err := match.Preset(*rules)
		if err != nil {
			return sshd.UsageError{Err: err}
		}
		if len(args) > 0 {
			return c.ladderPage(r.Name, args[0], *asJSON)
		}
		l, err := ask(c, session.GetLadder{Rules: r.Name})
		switch {
		case err != nil:
			return err
		case *asJSON:
			return c.json(l)
		case len(l.Players) == 0:
			return c.print("no-ladder-match-in-x", r.Name)
		case *cross:
			return c.crosstable(l)
		}
		return c.ladderTable(l)
	})
	return cmd
}

// ladderTable writes the players of a ladder.
func (c *call) ladderTable(l ladder.Report) error {
	rows := [][]string{c.heads("place", "name-capitals", "rating-capitals", "matches-capitals", "won-capitals", "computed-capitals", "drift-capitals", "online-capitals")}
	for _, p := range l.Players {
		computed, drift := "–", "–"
		if e := p.Computed; e != nil {
			computed, drift = e.String(), fmt.Sprintf("%+.0f", p.Drift())
		}
		online := ""
		if p.Online {
			online = "•"
		}
		rows = append(rows, []string{
			c.number(p.Place), format.Clean(p.Name, 40), p.RatingText(), c.number(p.Games), c.number(p.Won), computed, drift, online,
		})
	}
	if err := c.table(rows); err != nil || l.Computed.IsZero() {
		return err
	}
	fmt.Fprintln(c.out)
	return c.print("computed-from-all-matches-x", c.stamp(l.Computed))
}

// crosstable writes how many matches each player of a row has won and lost against the player
// of a column.
func (c *call) crosstable(l ladder.Report) error {
	cells := make([][]string, len(l.Players))
	head := []string{"", c.lang.Text("name-capitals")}
	for i, p := range l.Players {
		head = append(head, strconv.Itoa(i+1))
		cells[i] = append([]string{strconv.Itoa(i + 1), format.Clean(p.Name, 40)}, slices.Repeat([]string{"·"}, len(l.Players))...)
	}
	for _, pair := range l.Pairs {
		a, b := pair.Players[0], pair.Players[1]
		cells[a][b+2] = fmt.Sprintf("%d–%d", pair.Won[0], pair.Won[1])
		cells[b][a+2] = fmt.Sprintf("%d–%d", pair.Won[1], pair.Won[0])
	}
	return c.table(append([][]string{head}, cells...))
}

// ladderPage writes the page of a player.
func (c *call) ladderPage(rules, name string, asJSON bool) error {
	p, err := ask(c, session.GetLadderPage{Rules: rules, Name: name})
	switch {
	case err != nil:
		return err
	case asJSON:
		return c.json(p)
	}
	c.print("x-is-n-on-the", format.Clean(p.Name, 40), p.Place, rules, p.RatingText())
	c.print("n-ladder-matches-n-won", p.Games, p.Won, p.Lost)
	if p.MoveTime.Shots > 0 {
		c.print("time-per-shot-mean", phrase.ShotTime(c.lang, p.MoveTime.Mean), phrase.ShotTime(c.lang, p.MoveTime.Median), phrase.ShotTime(c.lang, p.MoveTime.Max))
	}
	for _, reason := range p.LossReasons() {
		why, _ := match.ParseReason(reason)
		c.print("lost-n-x", p.Losses[reason], c.lang.Text(phrase.Reason(why)))
	}
	fmt.Fprintln(c.out)
	rows := [][]string{c.heads("opponent-capitals", "matches-capitals", "won-capitals", "lost-capitals")}
	for _, o := range p.Opponents {
		rows = append(rows, []string{format.Clean(o.Name, 40), c.number(o.Games), c.number(o.Won), c.number(o.Lost)})
	}
	c.table(rows)
	fmt.Fprintln(c.out)
	rows = [][]string{c.heads("id", "ended-utc", "opponent-capitals", "result-capitals", "by-how-a-match-ended", "shots")}
	for _, g := range p.Last {
		result := "–"
		if g.Won != nil {
			result = c.lang.Text(map[bool]i18n.Key{true: "won-in-a-list", false: "lost-in-a-list"}[*g.Won])
		}
		why, _ := match.ParseReason(g.Reason)
		rows = append(rows, []string{g.ID, c.stamp(g.Ended), format.Clean(g.Opponent, 40), result, c.lang.Text(phrase.Reason(why)), c.number(g.Shots)})
	}
	return c.table(rows)
}
