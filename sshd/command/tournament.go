package command

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"time"

	"broadside/internal/pairing"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/lobby/tournament"
	"broadside/tui/text"
)

// parseTournamentSettings returns a new tournament's settings.
func (c *Call) parseTournamentSettings() (s tournament.Settings, err error) {
	r, err := c.parseRules()
	if err != nil {
		return s, err
	}
	clock, err := parseOption(c, "clock", tournament.DefaultClock, time.ParseDuration)
	if err != nil {
		return s, err
	}
	if clock == 0 {
		return s, usageErrorf("a tournament needs a clock")
	}
	if err := account.CheckClock(clock); err != nil {
		return s, usageError{err}
	}
	s = tournament.Settings{
		Name: c.joinArguments(), Format: tournament.Format(c.optionText("format", string(tournament.Swiss))),
		Rules: r.WithClock(clock), RatingMode: lobby.Casual,
	}
	if c.hasOption("rated") {
		s.RatingMode = lobby.Rated
	}
	if s.Rounds, err = parseOption(c, "rounds", 0, strconv.Atoi); err != nil {
		return s, err
	}
	if s.Grace, err = parseOption(c, "grace", tournament.DefaultGrace, time.ParseDuration); err != nil {
		return s, err
	}
	if s.Break, err = parseOption(c, "break", 0, time.ParseDuration); err != nil {
		return s, err
	}
	if s.Starts, err = parseStartTime(c.optionText("start", "")); err != nil {
		return s, err
	}
	s, err = s.Normalize(time.Now())
	if err != nil {
		return s, usageError{err}
	}
	return s, nil
}

// createTournament organizes a tournament and writes its code.
func (c *Call) createTournament() error {
	s, err := c.parseTournamentSettings()
	if err != nil {
		return err
	}
	made, err := c.session.CreateTournament(c.ctx, s)
	if err != nil {
		return err
	}
	if c.hasOption("json") {
		return c.writeJSON(newTournamentJSON(made))
	}
	if _, err = fmt.Fprintln(c.out, made.Code); err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.err, c.lang.Text("This is the code of the tournament. Others join with: ssh HOST tournament join %s", made.Code))
	return err
}

// startLayouts are the formats of a start time that is not a duration.
var startLayouts = []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04"}

// parseStartTime returns the time of --start: a duration from now, or a time in UTC unless it has an offset. An
// empty text returns the zero time.
func parseStartTime(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return time.Now().Add(d), nil
	}
	for _, layout := range startLayouts {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, usageErrorf("--start cannot be %q: use a duration such as 30m, or a time such as 2030-01-31T18:00", text)
}

func (c *Call) listTournaments() error {
	all := c.session.Tournaments()
	if len(all) == 0 && !c.hasOption("json") {
		return c.printLine("You aren't in a tournament yet. Create one with tournament new, or join with tournament join CODE.")
	}
	out, rows := []tournamentJSON{}, [][]string{c.headings("Code", "Name", "State", "Entrants")}
	for _, t := range all {
		out = append(out, newTournamentJSON(t))
		rows = append(rows, []string{
			t.Code, text.TournamentName(t), text.TournamentState(c.lang, t), c.formatNumber(len(t.Entrants)),
		})
	}
	return c.writeResult(out, rows)
}

// showTournament writes a tournament's state. Without a code, it lists the user's tournaments.
func (c *Call) showTournament() error {
	// Earlier versions had a command "tournament list".
	if c.argument(0) == "" || c.argument(0) == "list" {
		return c.listTournaments()
	}
	t, err := c.findTournament()
	if err != nil {
		return err
	}
	return c.writeTournament(t)
}

// findTournament returns the tournament that the first argument names.
func (c *Call) findTournament() (*tournament.Tournament, error) {
	return c.session.FindTournament(c.ctx, c.argument(0))
}

// newTournamentChange returns the Run function of a command that changes a tournament, for the user or for the
// entrants with the names after the code.
func newTournamentChange(change session.TournamentChange) func(*Call) error {
	return func(c *Call) error {
		names := c.args[1:]
		if len(names) == 0 {
			names = []string{""}
		}
		var t *tournament.Tournament
		for _, name := range names {
			var err error
			if t, err = c.session.ChangeTournament(c.ctx, c.argument(0), change, name); err != nil {
				return err
			}
		}
		return c.writeTournament(t)
	}
}

// writeSummary writes a tournament as one line, or as JSON.
func (c *Call) writeSummary(t *tournament.Tournament) error {
	if c.hasOption("json") {
		return c.writeJSON(newTournamentJSON(t))
	}
	_, err := fmt.Fprintf(c.out, "%s: %s\n", text.TournamentName(t), text.TournamentSummary(c.lang, t))
	return err
}

// writeTournamentTable writes a tournament's table, and a knockout's bracket.
func (c *Call) writeTournamentTable() error {
	t, err := c.findTournament()
	if err != nil {
		return err
	}
	if c.hasOption("csv") {
		return c.writeTournamentCSV(t)
	}
	if err := c.writeSummary(t); err != nil || c.hasOption("json") {
		return err
	}
	err = c.writeColumns(append([][]string{c.headings(text.TournamentTableHeadings...)}, text.TournamentTableRows(c.lang, t)...))
	for round := range t.Bracket() {
		fmt.Fprintf(c.out, "\n%s\n", c.lang.Text("Round %d", round+1))
		err = c.writeColumns(text.TournamentRoundRows(c.lang, t, round))
	}
	return err
}

// writeTournamentCSV writes a tournament's table as CSV, with the JSON members as columns.
func (c *Call) writeTournamentCSV(t *tournament.Tournament) error {
	w := csv.NewWriter(c.out)
	w.Write([]string{"place", "name", "kind", "points", "wins", "draws", "losses", "byes", "buchholz"})
	for _, r := range newTournamentJSON(t).Table {
		w.Write([]string{
			fmt.Sprint(r.Place), r.Name, r.Kind, fmt.Sprint(r.Points), fmt.Sprint(r.Wins), fmt.Sprint(r.Draws),
			fmt.Sprint(r.Losses), fmt.Sprint(r.Byes), fmt.Sprint(r.Buchholz),
		})
	}
	w.Flush()
	return w.Error()
}

// writeTournamentNext writes the user's next opponent and the current round.
func (c *Call) writeTournamentNext() error {
	t, err := c.findTournament()
	if err != nil {
		return err
	}
	if c.hasOption("json") {
		isOther := func(g tournamentGameJSON) bool { return g.Round != t.Round+1 }
		return c.writeJSON(slices.DeleteFunc(newTournamentJSON(t).Games, isOther))
	}
	return c.writeTournament(t)
}

// writeTournament writes a tournament's summary, the user's next opponent and the current round.
func (c *Call) writeTournament(t *tournament.Tournament) error {
	if err := c.writeSummary(t); err != nil || c.hasOption("json") {
		return err
	}
	next := text.NextOpponentText(c.lang, t, c.session.State().Me.ID)
	if next != "" {
		fmt.Fprintln(c.out, next)
	}
	return c.writeColumns(text.TournamentRoundRows(c.lang, t, t.Round))
}

// exportTournament writes a tournament's matches as CSV, or everything as JSON.
func (c *Call) exportTournament() error {
	t, err := c.findTournament()
	if err != nil {
		return err
	}
	out := newTournamentJSON(t)
	if c.hasOption("json") {
		return c.writeJSON(out)
	}
	w := csv.NewWriter(c.out)
	w.Write([]string{"round", "first", "second", "points_first", "points_second", "ending", "match"})
	for _, g := range out.Games {
		w.Write([]string{
			fmt.Sprint(g.Round), g.First, g.Second, text.FormatPoints(g.Points[0]), text.FormatPoints(g.Points[1]), g.Ending, g.Match,
		})
	}
	w.Flush()
	return w.Error()
}

type tournamentJSON struct {
	Code   string `json:"code"`
	Name   string `json:"name"`
	Owner  string `json:"owner"`
	Format string `json:"format"`
	Rules  string `json:"rules"`
	// Clock is in seconds.
	Clock int    `json:"clock"`
	Rated bool   `json:"rated"`
	Phase string `json:"phase"`
	// Starts is empty if the owner starts the tournament.
	Starts string `json:"starts"`
	// Round counts from 1 and is 0 before the start. Rounds is 0 if it is not known yet.
	Round  int                  `json:"round"`
	Rounds int                  `json:"rounds"`
	Table  []tournamentRowJSON  `json:"table"`
	Games  []tournamentGameJSON `json:"games"`
	// Bracket has a knockout's rounds, with the names of each pair. A bye is "", and an unknown player "?".
	Bracket [][][]string `json:"bracket,omitempty"`
}

// tournamentRowJSON is an entrant. Rows are sorted, best first.
type tournamentRowJSON struct {
	Place    int     `json:"place"`
	Name     string  `json:"name"`
	Kind     string  `json:"kind"`
	Left     bool    `json:"left,omitempty"`
	Points   float64 `json:"points"`
	Wins     int     `json:"wins"`
	Draws    int     `json:"draws"`
	Losses   int     `json:"losses"`
	Byes     int     `json:"byes"`
	Buchholz float64 `json:"buchholz"`
}

type tournamentGameJSON struct {
	// Round counts from 1.
	Round int `json:"round"`
	// First defends first. Second is empty if First has a bye.
	First  string     `json:"first"`
	Second string     `json:"second"`
	Points [2]float64 `json:"points"`
	// Ending is played, bye, default or no-result. It is empty before the end.
	Ending string `json:"ending"`
	Match  string `json:"match,omitempty"`
}

func newTournamentJSON(t *tournament.Tournament) tournamentJSON {
	out := tournamentJSON{
		Code: t.Code, Name: t.Name, Owner: t.OwnerName, Format: string(t.Format), Rules: t.Rules.Name,
		Clock: int(t.Rules.Clock.Seconds()), Rated: t.RatingMode.IsRated(), Phase: string(t.Phase), Starts: formatUTC(t.Starts),
		Rounds: t.RoundCount(), Table: []tournamentRowJSON{}, Games: []tournamentGameJSON{},
	}
	if len(t.Games) > 0 {
		out.Round = t.Round + 1
	}
	name := func(i int) string {
		switch i {
		case pairing.Bye:
			return ""
		case pairing.Open:
			return "?"
		}
		return t.Entrants[i].Name
	}
	for _, r := range t.Table() {
		out.Table = append(out.Table, tournamentRowJSON{
			Place: r.Place, Name: r.Name, Kind: r.Kind.String(), Left: r.Left, Points: r.Points, Wins: r.Wins, Draws: r.Draws,
			Losses: r.Losses, Byes: r.Byes, Buchholz: r.Buchholz,
		})
	}
	for _, g := range t.Games {
		out.Games = append(out.Games, tournamentGameJSON{
			g.Round + 1, name(g.First), name(g.Second), g.Points, string(g.Ending), g.Match,
		})
	}
	for _, round := range t.Bracket() {
		var pairs [][]string
		for _, p := range round {
			pairs = append(pairs, []string{name(p.First), name(p.Second)})
		}
		out.Bracket = append(out.Bracket, pairs)
	}
	return out
}
