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

// newTournament organizes a tournament and writes its code.
func (c *Call) newTournament() error {
	r, err := c.rules()
	if err != nil {
		return err
	}
	clock, err := optionValue(c, "clock", session.TournamentClock, time.ParseDuration)
	if err != nil {
		return err
	}
	if clock == 0 {
		return usageErrorf("a tournament needs a clock")
	}
	if err := account.CheckClock(clock); err != nil {
		return usageError{err}
	}
	s := tournament.Settings{
		Name: c.text(), Format: tournament.Format(c.value("format", string(tournament.Swiss))),
		Rules: r.WithClock(clock), Stakes: lobby.Casual,
	}
	if c.has("rated") {
		s.Stakes = lobby.Rated
	}
	if s.Rounds, err = optionValue(c, "rounds", 0, strconv.Atoi); err != nil {
		return err
	}
	if s.Grace, err = optionValue(c, "grace", tournament.DefaultGrace, time.ParseDuration); err != nil {
		return err
	}
	if s.Break, err = optionValue(c, "break", 0, time.ParseDuration); err != nil {
		return err
	}
	if s.Starts, err = parseStart(c.value("start", "")); err != nil {
		return err
	}
	if s, err = s.Normalize(time.Now()); err != nil {
		return usageError{err}
	}
	made, err := c.own.CreateTournament(c.ctx, s)
	if err != nil {
		return err
	}
	if c.has("json") {
		return c.json(tournamentOf(made))
	}
	if _, err = fmt.Fprintln(c.out, made.Code); err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.err, c.lang.Text("This is the code of the tournament. Others join with: ssh HOST tournament join %s", made.Code))
	return err
}

// startLayouts are the formats of a start time, besides a duration.
var startLayouts = []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04"}

// parseStart returns the time of --start: a duration from now, or a time, in UTC unless it
// has an offset. An empty text returns the zero time.
func parseStart(text string) (time.Time, error) {
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

// listTournaments lists the user's tournaments.
func (c *Call) listTournaments() error {
	all := c.own.Tournaments()
	if len(all) == 0 && !c.has("json") {
		return c.print("You aren't in a tournament yet. Create one with tournament new, or join with tournament join CODE.")
	}
	out, rows := []tournamentOut{}, [][]string{c.heads("Code", "Name", "State", "Entrants")}
	for _, t := range all {
		out = append(out, tournamentOf(t))
		rows = append(rows, []string{
			t.Code, text.TournamentName(t), text.TournamentState(c.lang, t), c.number(len(t.Entrants)),
		})
	}
	return c.write(out, rows)
}

// showTournament describes a tournament, or lists the user's tournaments.
func (c *Call) showTournament() error {
	if c.arg(0) == "" {
		return c.listTournaments()
	}
	t, err := c.tournament()
	if err != nil {
		return err
	}
	return c.writeState(t)
}

// tournament returns the tournament with the code in the arguments.
func (c *Call) tournament() (*tournament.Tournament, error) {
	return c.own.FindTournament(c.ctx, c.arg(0))
}

// changeTournament returns the function of a command that changes a tournament, for the user or for the
// entrants with the names after the code.
func changeTournament(how session.TournamentChange) func(*Call) error {
	return func(c *Call) error {
		names := c.args[1:]
		if len(names) == 0 {
			names = []string{""}
		}
		var t *tournament.Tournament
		for _, name := range names {
			var err error
			if t, err = c.own.ChangeTournament(c.ctx, c.arg(0), how, name); err != nil {
				return err
			}
		}
		return c.writeState(t)
	}
}

// summarize writes a line about a tournament.
func (c *Call) summarize(t *tournament.Tournament) error {
	if c.has("json") {
		return c.json(tournamentOf(t))
	}
	_, err := fmt.Fprintf(c.out, "%s: %s\n", text.TournamentName(t), text.TournamentSummary(c.lang, t))
	return err
}

// writeTable writes the table of a tournament, and the bracket of a knockout.
func (c *Call) writeTable() error {
	t, err := c.tournament()
	if err != nil {
		return err
	}
	if c.has("csv") {
		return c.writeTableCSV(t)
	}
	if err := c.summarize(t); err != nil || c.has("json") {
		return err
	}
	err = c.table(append([][]string{c.heads(text.TournamentTableHeadings...)}, text.TournamentTableRows(c.lang, t)...))
	for round := range t.Bracket() {
		fmt.Fprintf(c.out, "\n%s\n", c.lang.Text("Round %d", round+1))
		err = c.table(text.TournamentRoundRows(c.lang, t, round))
	}
	return err
}

// writeTableCSV writes a tournament's table as CSV, with the JSON members as columns.
func (c *Call) writeTableCSV(t *tournament.Tournament) error {
	w := csv.NewWriter(c.out)
	w.Write([]string{"place", "name", "kind", "points", "wins", "draws", "losses", "byes", "buchholz"})
	for _, r := range tournamentOf(t).Table {
		w.Write([]string{
			fmt.Sprint(r.Place), r.Name, r.Kind, fmt.Sprint(r.Points), fmt.Sprint(r.Wins), fmt.Sprint(r.Draws),
			fmt.Sprint(r.Losses), fmt.Sprint(r.Byes), fmt.Sprint(r.Buchholz),
		})
	}
	w.Flush()
	return w.Error()
}

// writeRound writes the user's next opponent and the pairs of the current round.
func (c *Call) writeRound() error {
	t, err := c.tournament()
	if err != nil {
		return err
	}
	if c.has("json") {
		isOther := func(g tournamentGameOut) bool { return g.Round != t.Round+1 }
		return c.json(slices.DeleteFunc(tournamentOf(t).Games, isOther))
	}
	return c.writeState(t)
}

// writeState describes a tournament, the user's next opponent and the current round.
func (c *Call) writeState(t *tournament.Tournament) error {
	if err := c.summarize(t); err != nil || c.has("json") {
		return err
	}
	next := text.NextOpponentText(c.lang, t, c.own.State().Me.ID)
	if next != "" {
		fmt.Fprintln(c.out, next)
	}
	return c.table(text.TournamentRoundRows(c.lang, t, t.Round))
}

// exportTournament writes the matches of a tournament as CSV, or everything as JSON.
func (c *Call) exportTournament() error {
	t, err := c.tournament()
	if err != nil {
		return err
	}
	out := tournamentOf(t)
	if c.has("json") {
		return c.json(out)
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

// tournamentOut is the JSON of a tournament.
type tournamentOut struct {
	Code    string              `json:"code"`
	Name    string              `json:"name"`
	Owner   string              `json:"owner"`
	Format  string              `json:"format"`
	Rules   string              `json:"rules"`
	Clock   int                 `json:"clock"` // seconds
	Rated   bool                `json:"rated"`
	Phase   string              `json:"phase"`
	Starts  string              `json:"starts"` // empty: when the owner starts it
	Round   int                 `json:"round"`  // from 1; 0 before the start
	Rounds  int                 `json:"rounds"` // 0 if not known yet
	Table   []tournamentRowOut  `json:"table"`
	Games   []tournamentGameOut `json:"games"`
	Bracket [][][]string        `json:"bracket,omitempty"` // of a knockout: rounds of pairs; "" is a bye, "?" not known
}

// tournamentRowOut is the JSON of an entrant, best first.
type tournamentRowOut struct {
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

// tournamentGameOut is the JSON of a game.
type tournamentGameOut struct {
	Round  int        `json:"round"`  // from 1
	First  string     `json:"first"`  // defends first
	Second string     `json:"second"` // empty: First has a bye
	Points [2]float64 `json:"points"`
	Ending string     `json:"ending"` // played, bye, default, no-result, or empty if it is not over
	Match  string     `json:"match,omitempty"`
}

func tournamentOf(c *tournament.Tournament) tournamentOut {
	out := tournamentOut{
		Code: c.Code, Name: c.Name, Owner: c.OwnerName, Format: string(c.Format), Rules: c.Rules.Name,
		Clock: int(c.Rules.Clock.Seconds()), Rated: c.Stakes.Rated(), Phase: string(c.Phase), Starts: utc(c.Starts),
		Rounds: c.LastRound(), Table: []tournamentRowOut{}, Games: []tournamentGameOut{},
	}
	if len(c.Games) > 0 {
		out.Round = c.Round + 1
	}
	name := func(i int) string {
		switch i {
		case pairing.Bye:
			return ""
		case pairing.Open:
			return "?"
		}
		return c.Entrants[i].Name
	}
	for _, r := range c.Table() {
		out.Table = append(out.Table, tournamentRowOut{
			Place: r.Place, Name: r.Name, Kind: r.Kind.String(), Left: r.Left, Points: r.Points, Wins: r.Wins, Draws: r.Draws,
			Losses: r.Losses, Byes: r.Byes, Buchholz: r.Buchholz,
		})
	}
	for _, g := range c.Games {
		out.Games = append(out.Games, tournamentGameOut{
			g.Round + 1, name(g.First), name(g.Second), g.Points, string(g.Ending), g.Match,
		})
	}
	for _, round := range c.Bracket() {
		var pairs [][]string
		for _, p := range round {
			pairs = append(pairs, []string{name(p.First), name(p.Second)})
		}
		out.Bracket = append(out.Bracket, pairs)
	}
	return out
}
