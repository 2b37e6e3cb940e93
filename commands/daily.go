package commands

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"broadside/lobby"
	"broadside/lobby/store"
	"broadside/tui"
)

var daily = command{
	name: "daily", args: "[--day DAY] [--limit N] [--json]", opens: true,
	about: "The table of the daily sea, and how oneself has done",
	set: func(f *pflag.FlagSet) func(*call) error {
		day := f.String("day", "", "such as 2026-11-21; without it, today by UTC")
		limit, asJSON := limitFlag(f, 10), jsonFlag(f)
		return func(c *call) error {
			if *day == "" {
				*day = lobby.Today(time.Now())
			} else if when, err := time.Parse(time.DateOnly, *day); err != nil || when.Year() == 0 {
				return usageError("--day is a day such as 2026-11-21")
			}
			if err := checkLimit(*limit); err != nil {
				return err
			}
			account := ""
			if c.who.Fingerprint != "" {
				p, err := c.cfg.Store.PlayerByKey(c.ctx, c.who.Fingerprint)
				if err != nil && !errors.Is(err, store.ErrNotFound) {
					return err
				}
				account = p.ID
			}
			d, err := lobby.ReadDaily(c.ctx, c.cfg.Store, account, *day, *limit)
			if err != nil {
				return err
			}
			if *asJSON {
				return c.json(dailyJSON(d))
			}
			return c.daily(d)
		}
	},
}

// daily writes how it stands with a day.
func (c *call) daily(d lobby.DailyStanding) error {
	switch {
	case len(d.Best) == 0 && len(d.Newcomers) == 0:
		fmt.Fprintf(c.out, "Nobody has sunk the fleet of %s.\n", d.Day)
	case len(d.Best) == 0:
		fmt.Fprintf(c.out, "Nobody with a place has sunk the fleet of %s.\n", d.Day)
	default:
		rows := [][]string{{"PLACE", "NAME", "SHOTS"}}
		for _, r := range d.Best {
			rows = append(rows, dailyCells(r))
		}
		if d.Own.Place > len(d.Best) {
			rows = append(rows, dailyCells(d.Own))
		}
		if err := c.table(rows); err != nil {
			return err
		}
	}
	if len(d.Newcomers) > 0 {
		fmt.Fprintln(c.out, "Without a place, for their accounts are not older than the day:")
		for _, r := range d.Newcomers {
			if _, err := fmt.Fprintf(c.out, "  %s, %d%s\n", tui.Clean(r.Name, 40), r.Shots, map[bool]string{true: "  you"}[r.Own]); err != nil {
				return err
			}
		}
	}
	if d.Yesterday.Place > 0 {
		fmt.Fprintf(c.out, "The day before: %s with %d shots.\n", tui.Clean(d.Yesterday.Name, 40), d.Yesterday.Shots)
	}
	if !d.Own.Own {
		return nil
	}
	fmt.Fprintf(c.out, "Your streak: %d, the longest %d.\n", d.Streak, d.Longest)
	if d.Own.Shots == 0 {
		_, err := fmt.Fprintln(c.out, "You have not fired yet.")
		return err
	}
	if !d.Done {
		_, err := fmt.Fprintf(c.out, "You are not done: %d fired so far.\n", d.Own.Shots)
		return err
	}
	_, err := fmt.Fprintf(c.out, "\n%s\n", strings.Join(lobby.Share(d.Day, d.Blocks), "\n"))
	return err
}

func dailyCells(r lobby.DailyRow) []string {
	shots := strconv.Itoa(r.Shots)
	if r.Own {
		shots += "  you"
	}
	return []string{strconv.Itoa(r.Place), tui.Clean(r.Name, 40), shots}
}

// dailyStanding is how it stands with a day as JSON.
type dailyStanding struct {
	Day       string     `json:"day"`
	Finished  int        `json:"finished"`
	Best      []dailyRow `json:"best"`
	Newcomers []dailyRow `json:"newcomers"` // without a place
	You       *dailyYou  `json:"you"`
	DayBefore *dailyRow  `json:"day_before"`
}

type dailyRow struct {
	Place int    `json:"place,omitempty"`
	Name  string `json:"name"`
	Shots int    `json:"shots"`
}

type dailyYou struct {
	Place   *int   `json:"place"`
	Shots   int    `json:"shots"`
	Done    bool   `json:"done"`
	Blocks  string `json:"blocks"`
	Streak  int    `json:"streak"`
	Longest int    `json:"longest_streak"`
}

func dailyJSON(d lobby.DailyStanding) dailyStanding {
	row := func(r lobby.DailyRow) dailyRow { return dailyRow{r.Place, r.Name, r.Shots} }
	out := dailyStanding{Day: d.Day, Finished: d.Finished, Best: []dailyRow{}, Newcomers: []dailyRow{}}
	for _, r := range d.Newcomers {
		out.Newcomers = append(out.Newcomers, row(r))
	}
	for _, r := range d.Best {
		out.Best = append(out.Best, row(r))
	}
	if d.Yesterday.Place > 0 {
		before := row(d.Yesterday)
		out.DayBefore = &before
	}
	if d.Own.Own {
		out.You = &dailyYou{Shots: d.Own.Shots, Done: d.Done, Blocks: d.Blocks, Streak: d.Streak, Longest: d.Longest}
		if d.Own.Place > 0 {
			out.You.Place = &d.Own.Place
		}
	}
	return out
}
