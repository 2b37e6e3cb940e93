package command

import (
	"cmp"
	"errors"
	"fmt"
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

func (c *Call) listLeaderboard() error {
	r, err := c.parseRules()
	if err != nil {
		return err
	}
	category, ok := categories[c.optionText("of", "all")]
	if !ok {
		return usageErrorf("--of must be all, people or bots")
	}
	limit, err := c.parseLimit(20)
	if err != nil {
		return err
	}
	all, err := c.session.Leaderboard(c.ctx, category, r.Name, limit)
	if err != nil {
		return err
	}
	return writeList(c, export.NewStandings(all), view.LeaderboardList, view.LeaderboardRows(c.lang, all),
		"No players are ranked in %s yet. Provisional ratings are not ranked.", r.Name)
}

func (c *Call) listHistory() error {
	limit, err := c.parseLimit(20)
	if err != nil {
		return err
	}
	of := ""
	name := c.argument(0)
	if name != "" {
		if of, err = c.findPlayerID(name); err != nil {
			return err
		}
	}
	all, err := c.session.FinishedMatches(c.ctx, of, store.Cursor{}, limit)
	if err != nil {
		return err
	}
	return writeList(c, export.NewSummaries(all), view.HistoryList, view.HistoryRows(c.lang, all), "No match has finished yet.")
}

func (c *Call) listBots() error {
	r, err := c.parseRules()
	if err != nil {
		return err
	}
	scores, err := c.session.BotScores(c.ctx, r)
	if err != nil {
		return err
	}
	out, rows := export.NewBots(r), [][]string{c.headings("Name", "Rating", "Shots", "Beaten", "Fires")}
	for i, b := range session.ListBots(r) {
		rating, shots := "", ""
		value := out[i].Rating
		if value != nil {
			rating = fmt.Sprintf("%.0f", *value)
		}
		if out[i].Shots > 0 {
			shots = c.lang.Text("%.1f", out[i].Shots)
		}
		beaten := ""
		out[i].Played, out[i].Won = scores[b.Name].Played, scores[b.Name].Won
		if out[i].Won > 0 {
			beaten = c.lang.Text("yes")
		}
		rows = append(rows, []string{
			narrate.BotName(c.lang, b.Name), view.DashIfEmpty(rating), view.DashIfEmpty(shots), view.DashIfEmpty(beaten),
			c.lang.Text(b.Method),
		})
	}
	if scores == nil {
		for i := range rows {
			rows[i] = slices.Delete(rows[i], 3, 4)
		}
		return c.writeResult(out, rows)
	}
	if err := c.writeResult(out, rows); err != nil || c.hasOption("json") {
		return err
	}
	p := session.NewBotProgress(r, scores)
	if p.Next == "" {
		return c.printLine("Beaten: %d of %d.", p.Beaten, p.Total)
	}
	return c.printLine("Beaten: %d of %d. Next: %s.", p.Beaten, p.Total, narrate.BotName(c.lang, p.Next))
}

func (c *Call) listRules() error {
	rows := [][]string{c.headings("Name", "Board", "Ships", "Rules")}
	for _, r := range match.Presets() {
		lengths := make([]string, len(r.Fleet))
		for i, ship := range r.Fleet {
			lengths[i] = strconv.Itoa(ship.Length)
		}
		rows = append(rows, []string{
			r.Name, fmt.Sprintf("%d×%d", r.Size, r.Size), strings.Join(lengths, " "),
			strings.Join(narrate.RuleTraits(c.lang, r), ", "),
		})
	}
	return c.writeResult(match.Presets(), rows)
}

func (c *Call) showLadder() error {
	r, err := c.parseRules()
	if err != nil {
		return err
	}
	if c.argument(0) != "" {
		return c.showLadderPlayer(r.Name)
	}
	l, err := c.session.LadderReport(c.ctx, r.Name)
	if err != nil {
		return err
	}
	return writeList(c, l, view.LadderList, l.Players, "No match has been played on the ladder in %s yet.", r.Name)
}

func (c *Call) showLadderPlayer(rules string) error {
	p, err := c.session.LadderPage(c.ctx, rules, narrate.ParseBotName(c.lang, c.argument(0)))
	if err != nil {
		return err
	}
	if c.hasOption("json") {
		return c.writeJSON(p)
	}
	fmt.Fprintln(c.out, strings.Join(view.LadderFacts(c.lang, &p), "\n"))
	fmt.Fprintln(c.out)
	c.writeColumns(view.LadderOpponentsList.TableRows(c.lang, p.Opponents))
	fmt.Fprintln(c.out)
	return c.writeColumns(view.LadderMatchesList.TableRows(c.lang, p.Last))
}

// showDaily opens the Daily sea, or writes the standings of a day.
func (c *Call) showDaily() error {
	if c.opensScreen {
		return c.requestScreen(session.StartScreen{Daily: true})
	}
	day := c.optionText("day", daily.PuzzleDay(time.Now()))
	if when, err := time.Parse(time.DateOnly, day); err != nil || when.Year() == 0 {
		return usageErrorf("--day must be a date, such as 2026-11-21")
	}
	limit, err := c.parseLimit(10)
	if err != nil {
		return err
	}
	d, err := c.session.DailyLeaderboard(c.ctx, day, limit)
	if err != nil {
		return err
	}
	if c.hasOption("json") {
		return c.writeJSON(export.NewDailyLeaderboard(d))
	}
	return c.writeDaily(d)
}

func (c *Call) writeDaily(d daily.Leaderboard) error {
	day := narrate.ShortDay(c.lang, d.Day)
	switch {
	case len(d.Best) == 0 && len(d.Newcomers) == 0:
		c.printLine("No one has sunk the fleet of %s.", day)
	case len(d.Best) == 0:
		c.printLine("No ranked player has sunk the fleet of %s.", day)
	default:
		rows := d.Best
		if d.Own.Place > len(rows) {
			rows = append(rows, d.Own)
		}
		c.writeColumns(view.DailyList.TableRows(c.lang, rows))
	}
	if len(d.Newcomers) > 0 {
		c.printLine("Not ranked (accounts less than a week old, or with fewer than five rated matches):")
		for _, r := range d.Newcomers {
			cells := view.DailyList.Cells(c.lang, r)
			fmt.Fprintf(c.out, "  %s, %s\n", cells[1], cells[2])
		}
	}
	if d.Yesterday.Place > 0 {
		c.printLine("Previous day: %s with %s.", cleanName(d.Yesterday.Name), c.lang.Text("%d shot||%d shots##with", d.Yesterday.Shots))
	}
	return c.writeOwnDaily(d, day)
}

// writeOwnDaily writes the user's own result of a day, if there is one.
func (c *Call) writeOwnDaily(d daily.Leaderboard, date string) error {
	if !d.Own.Own {
		return nil
	}
	c.printLine("Your streak: %s, longest %d.", c.lang.Text("%d day||%d days", d.Streak), d.Longest)
	if d.Own.Shots == 0 {
		return c.printLine("You have not fired yet.")
	}
	if !d.Done {
		return c.printLine("You have not finished: %d fired so far.||You have not finished: %d fired so far.", d.Own.Shots)
	}
	line := narrate.DailyLine(c.lang, date, d.Blocks, c.publicAddress("/daily/"+d.Day))
	return c.printLine("\n%s\n%s", line, strings.Join(daily.BlockLines(d.Blocks), "\n"))
}

var outcomeLetters = [...]i18n.Key{store.Lost: "L##lost", store.Won: "W##won", store.Drawn: "D##drawn"}

func (c *Call) showProfile() error {
	id, err := c.findPlayerID(c.argument(0))
	if err != nil {
		return err
	}
	p, err := c.session.Profile(c.ctx, id, false)
	if err != nil {
		return err
	}
	if c.hasOption("json") {
		return c.writeJSON(export.NewProfile(p))
	}
	return c.writeProfile(p)
}

func (c *Call) writeProfile(p account.Profile) error {
	c.printLine("%s, %s, since %s", cleanName(p.Player.Name), narrate.AccountKindName(p.Player.Kind), c.lang.LongDate(p.Player.Created))
	var form []string
	for _, o := range p.Form {
		form = append(form, c.lang.Text(outcomeLetters[o]))
	}
	if len(form) > 0 {
		c.printLine("results: %s (newest first; W won, L lost, D drawn)", strings.Join(form, " "))
	}
	streak := view.Streak(c.lang, &p.Career)
	if streak != "" {
		c.printLine("current streak: %s", streak)
	}
	if len(p.Rules) == 0 {
		return c.printLine("no matches yet")
	}
	fmt.Fprintln(c.out)
	err := c.writeColumns(view.ProfileList.TableRows(c.lang, p.Rules))
	for _, r := range p.Rules {
		err = c.writeRulesProfile(&r, p.Career.Ratings[r.Name])
	}
	if len(p.Career.Opponents) > 0 {
		fmt.Fprintln(c.out)
		err = c.writeColumns(view.LadderOpponentsList.TableRows(c.lang, p.Career.Opponents))
	}
	return err
}

// graphWidth is the maximum number of ratings in a graph.
const graphWidth = 40

// writeRulesProfile writes a player's rating over time and first shots under a rule set.
func (c *Call) writeRulesProfile(r *account.RulesProfile, ratings []float64) error {
	name, first := cleanName(r.Name), favouriteShots(r.FirstShots)
	best, worst := r.BestFirstShots()
	if len(ratings) > 1 || len(first) > 0 {
		fmt.Fprintln(c.out)
	}
	if len(ratings) > 1 {
		c.printLine("rating over time, %s: %s, %s", name, view.RatingGraph(ratings, graphWidth), view.RatingRange(ratings))
	}
	if len(first) > 0 {
		c.printLine("favourite first shots, %s: %s", name, strings.Join(first, ", "))
	}
	if len(best) == 0 {
		return nil
	}
	c.printLine("best first shots, %s: %s", name, view.CellRates(c.lang, best))
	return c.printLine("worst first shots, %s: %s", name, view.CellRates(c.lang, worst))
}

// favouriteShots returns the five cells that were most often among the first shots.
func favouriteShots(openings map[match.Cell]int) []string {
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

// findRecord returns the match that the first argument names.
func (c *Call) findRecord() (store.Match, error) {
	m, err := c.session.MatchRecord(c.ctx, strings.ToLower(c.argument(0)))
	if errors.Is(err, store.ErrNotFound) {
		return m, i18n.Errorf("there is no match %q: ssh HOST history lists finished matches", c.argument(0))
	}
	return m, err
}

func (c *Call) writeRecord() error {
	m, err := c.findRecord()
	if err != nil {
		return err
	}
	encode := export.EncodeMatch
	if c.hasOption("short") {
		encode = func(m store.Match) ([]byte, error) { return session.AppendShortNotation(nil, &m) }
	}
	b, err := encode(m)
	if err != nil {
		return err
	}
	_, err = c.out.Write(b)
	return err
}

// matchLine returns a match's result as a [narrate.ShareLine] after an empty line. It is empty if no one won.
func (c *Call) matchLine(m store.Summary) string {
	result := view.MatchResult(c.lang, m)
	if result == "" {
		return ""
	}
	path := "/m/" + m.ID
	if m.Private {
		path = ""
	}
	return "\n" + narrate.ShareLine(result, c.publicAddress(path)) + "\n"
}

func (c *Call) writeReplay() error {
	m, err := c.findRecord()
	if err != nil {
		return err
	}
	if c.hasOption("cast") {
		err = export.WriteAsciicast(c.lang, c.out, m)
	} else {
		var text string
		if text, err = export.MatchText(c.lang, m); err == nil {
			_, err = fmt.Fprint(c.out, text, c.matchLine(m.Summary))
		}
	}
	if errors.Is(err, match.ErrHistory) {
		c.commands.cfg.Log.Error("cannot replay a match", "match", m.ID, "error", err)
		return i18n.Errorf("the record of this match is damaged and cannot be shown")
	}
	return err
}
