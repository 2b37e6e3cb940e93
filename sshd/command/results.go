package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"broadside/internal/export"
	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/internal/view"
	"broadside/lobby/account"
	"broadside/lobby/daily"
	"broadside/lobby/session"
	"broadside/match"
)

// categories are the values of --of.
var categories = map[string]store.Category{"all": store.AllPlayers, "people": store.People, "bots": store.ProgramsAndBots}

func (c *Call) leaderboard() error {
	r, err := c.rules()
	if err != nil {
		return err
	}
	category, ok := categories[c.value("of", "all")]
	if !ok {
		return usageErrorf("--of must be all, people or bots")
	}
	limit, err := c.limit(20)
	if err != nil {
		return err
	}
	all, err := c.own.Leaderboard(c.ctx, category, r.Name, limit)
	if err != nil {
		return err
	}
	return writeList(c, export.NewStandings(all), view.LeaderboardList, view.LeaderboardRows(c.lang, all),
		"No players are ranked in %s yet. Provisional ratings are not ranked.", r.Name)
}

func (c *Call) history() error {
	limit, err := c.limit(20)
	if err != nil {
		return err
	}
	of := ""
	name := c.arg(0)
	if name != "" {
		if of, err = c.player(name); err != nil {
			return err
		}
	}
	all, err := c.own.FinishedMatches(c.ctx, of, store.Cursor{}, limit)
	if err != nil {
		return err
	}
	return writeList(c, export.NewSummaries(all), view.HistoryList, view.HistoryRows(c.lang, all), "No match has finished yet.")
}

func (c *Call) listBots() error {
	r, err := c.rules()
	if err != nil {
		return err
	}
	out, rows := export.NewBots(r), [][]string{c.heads("Name", "Rating", "Shots", "Fires")}
	for i, b := range session.ListBots(r) {
		rating, shots := "", ""
		value := out[i].Rating
		if value != nil {
			rating = fmt.Sprintf("%.0f", *value)
		}
		if out[i].Shots > 0 {
			shots = c.lang.Text("%.1f", out[i].Shots)
		}
		rows = append(rows, []string{
			narrate.BotName(c.lang, b.Name), view.DashIfEmpty(rating), view.DashIfEmpty(shots), c.lang.Text(b.About),
		})
	}
	return c.write(out, rows)
}

func (c *Call) listRules() error {
	rows := [][]string{c.heads("Name", "Board", "Ships", "Rules")}
	for _, r := range match.Presets() {
		lengths := make([]string, len(r.Fleet))
		for i, ship := range r.Fleet {
			lengths[i] = strconv.Itoa(ship.Length)
		}
		rows = append(rows, []string{
			r.Name, fmt.Sprintf("%d×%d", r.Size, r.Size), strings.Join(lengths, " "),
			strings.Join(narrate.Traits(c.lang, r), ", "),
		})
	}
	return c.write(match.Presets(), rows)
}

// ladder lists the programs on the ladder, or shows one player.
func (c *Call) ladder() error {
	r, err := c.rules()
	if err != nil {
		return err
	}
	if c.arg(0) != "" {
		return c.ladderPage(r.Name)
	}
	l, err := c.own.LadderReport(c.ctx, r.Name)
	if err != nil {
		return err
	}
	return writeList(c, l, view.LadderList, l.Players, "No match has been played on the ladder in %s yet.", r.Name)
}

// ladderPage shows a player on the ladder.
func (c *Call) ladderPage(rules string) error {
	p, err := c.own.LadderPage(c.ctx, rules, narrate.ParseBotName(c.lang, c.arg(0)))
	if err != nil {
		return err
	}
	if c.has("json") {
		return c.json(p)
	}
	fmt.Fprintln(c.out, strings.Join(view.LadderFacts(c.lang, &p), "\n"))
	fmt.Fprintln(c.out)
	c.table(view.LadderOpponentsList.TableRows(c.lang, p.Opponents))
	fmt.Fprintln(c.out)
	return c.table(view.LadderMatchesList.TableRows(c.lang, p.Last))
}

// daily opens today's Daily sea, or writes the standings of a day.
func (c *Call) daily() error {
	if c.screen {
		return c.open(session.StartScreen{Daily: true})
	}
	day := c.value("day", daily.Today(time.Now()))
	if when, err := time.Parse(time.DateOnly, day); err != nil || when.Year() == 0 {
		return usageErrorf("--day must be a date, such as 2026-11-21")
	}
	limit, err := c.limit(10)
	if err != nil {
		return err
	}
	d, err := c.own.DailyLeaderboard(c.ctx, day, limit)
	if err != nil {
		return err
	}
	if c.has("json") {
		return c.json(export.NewDaily(d))
	}
	return c.writeDaily(d)
}

// writeDaily writes the standings of a day.
func (c *Call) writeDaily(d daily.Standing) error {
	day := d.Day
	if when, err := time.Parse(time.DateOnly, day); err == nil {
		day = c.lang.ShortDate(when)
	}
	switch {
	case len(d.Best) == 0 && len(d.Newcomers) == 0:
		c.print("Nobody has sunk the fleet of %s.", day)
	case len(d.Best) == 0:
		c.print("No ranked player has sunk the fleet of %s.", day)
	default:
		rows := d.Best
		if d.Own.Place > len(rows) {
			rows = append(rows, d.Own)
		}
		c.table(view.DailyList.TableRows(c.lang, rows))
	}
	if len(d.Newcomers) > 0 {
		c.print("Not ranked (accounts less than a week old, or with fewer than five rated matches):")
		for _, r := range d.Newcomers {
			cells := view.DailyList.Cells(c.lang, r)
			fmt.Fprintf(c.out, "  %s, %s\n", cells[1], cells[2])
		}
	}
	if d.Yesterday.Place > 0 {
		c.print("Previous day: %s with %s.", clean(d.Yesterday.Name), c.lang.Text("%d shot||%d shots##with", d.Yesterday.Shots))
	}
	return c.writeOwnDaily(d)
}

// writeOwnDaily writes the user's own result of a day, if there is one.
func (c *Call) writeOwnDaily(d daily.Standing) error {
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

// formLetters are the letters of outcomes.
var formLetters = [...]i18n.Key{store.Lost: "L##lost", store.Won: "W##won", store.Drawn: "D##drawn"}

func (c *Call) profile() error {
	id, err := c.player(c.arg(0))
	if err != nil {
		return err
	}
	p, err := c.own.Profile(c.ctx, id, false)
	if err != nil {
		return err
	}
	if c.has("json") {
		return c.json(export.NewProfile(p))
	}
	return c.writeProfile(p)
}

// writeProfile writes a profile.
func (c *Call) writeProfile(p account.Profile) error {
	c.print("%s, %s, since %s", clean(p.Player.Name), narrate.AccountKindName(p.Player.Kind), c.lang.LongDate(p.Player.Created))
	var form []string
	for _, o := range p.Form {
		form = append(form, c.lang.Text(formLetters[o]))
	}
	if len(form) > 0 {
		c.print("results: %s (newest first; W won, L lost, D drawn)", strings.Join(form, " "))
	}
	if len(p.Rules) == 0 {
		return c.print("no matches yet")
	}
	fmt.Fprintln(c.out)
	err := c.table(view.ProfileList.TableRows(c.lang, p.Rules))
	for _, r := range p.Rules {
		first := favourites(r.Openings)
		if len(first) > 0 {
			fmt.Fprintln(c.out)
			err = c.print("favourite first shots, %s: %s", clean(r.Name), strings.Join(first, ", "))
		}
	}
	return err
}

// favourites returns the five cells that were most often among the first shots.
func favourites(openings map[match.Cell]int) []string {
	type favourite struct {
		cell  match.Cell
		times int
	}
	var all []favourite
	for cell, times := range openings {
		all = append(all, favourite{cell, times})
	}
	slices.SortFunc(all, func(a, b favourite) int {
		return cmp.Or(cmp.Compare(b.times, a.times), cmp.Compare(a.cell.Y, b.cell.Y), cmp.Compare(a.cell.X, b.cell.X))
	})
	var out []string
	for _, f := range all[:min(len(all), 5)] {
		out = append(out, fmt.Sprintf("%v (%d)", f.cell, f.times))
	}
	return out
}

// findRecord returns the match with the ID in the arguments.
func (c *Call) findRecord() (store.Match, error) {
	m, err := c.own.MatchRecord(c.ctx, strings.ToLower(c.arg(0)))
	if errors.Is(err, store.ErrNotFound) {
		return m, i18n.Errorf("there is no match %q: ssh HOST history lists finished matches", c.arg(0))
	}
	return m, err
}

func (c *Call) record() error {
	m, err := c.findRecord()
	if err != nil {
		return err
	}
	encode := export.EncodeMatch
	if c.has("short") {
		encode = func(m store.Match) ([]byte, error) { return session.AppendShortNotation(nil, &m) }
	}
	b, err := encode(m)
	if err != nil {
		return err
	}
	_, err = c.out.Write(b)
	return err
}

func (c *Call) replay() error {
	m, err := c.findRecord()
	if err != nil {
		return err
	}
	if c.has("cast") {
		err = export.WriteAsciicast(c.lang, c.out, m)
	} else {
		var text string
		if text, err = export.MatchText(c.lang, m); err == nil {
			_, err = io.WriteString(c.out, text)
		}
	}
	if errors.Is(err, match.ErrHistory) {
		c.commands.cfg.Log.Error("cannot replay a match", "match", m.ID, "error", err)
		return i18n.Errorf("the record of this match is damaged and cannot be shown")
	}
	return err
}
