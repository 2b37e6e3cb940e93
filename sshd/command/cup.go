package command

import (
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/lobby/tournament"
	"broadside/match"
	"broadside/sshd"
	"broadside/tui/text"
)

func cupCommands(c *call) *cobra.Command {
	t := &cupCommand{call: c}
	cmd := &cobra.Command{
		Use:   "cup [list] | new NAME | join CODE [NAME]… | start CODE | table CODE | next CODE | …",
		Short: c.lang.Text("play in tournaments, or organize them"),
		Args:  cobra.ArbitraryArgs,
		RunE: c.run(func(args []string) error {
			if len(args) > 0 {
				return sshd.UsageErrorf("cup: use list, new, join, leave, start, pause, end, table, next or export")
			}
			return t.list(nil)
		}),
	}
	cmd.PersistentFlags().BoolVar(&t.asJSON, "json", false, c.lang.Text("write JSON"))
	cmd.PersistentFlags().BoolVar(&t.asCSV, "csv", false, c.lang.Text("for table: write CSV"))
	cmd.AddCommand(t.newCommand())
	for verb, run := range map[string]func(args []string) error{
		"list": t.list, "join": t.change(session.JoinTournament), "leave": t.change(session.LeaveTournament),
		"start": t.change(session.StartTournament), "pause": t.change(session.PauseTournament),
		"end": t.change(session.EndTournament), "table": t.table, "next": t.next, "export": t.export,
	} {
		cmd.AddCommand(&cobra.Command{
			Use:  verb,
			Args: func(_ *cobra.Command, args []string) error { return checkCupArgs(verb, args) },
			RunE: c.run(run),
		})
	}
	return cmd
}

// checkCupArgs checks the arguments after a verb: the code of a cup, and names of entrants.
func checkCupArgs(verb string, args []string) error {
	most := 1
	switch verb {
	case "list":
		most = 0
	case "join", "leave":
		most = len(args)
	}
	switch {
	case len(args) > most:
		return sshd.UsageErrorf("%s: unexpected argument %q", "cup", args[most])
	case len(args) == 0 && verb != "list":
		return sshd.UsageErrorf("add the code of the tournament")
	}
	return nil
}

// cupCommand implements the cup command's verbs.
type cupCommand struct {
	*call
	asJSON bool
	asCSV  bool
}

// newCommand returns the command cup new.
func (t *cupCommand) newCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "new NAME", Args: func(_ *cobra.Command, args []string) error {
		if len(args) == 0 || len(args) > maxTextWords {
			return sshd.UsageErrorf("give the tournament a name")
		}
		return nil
	}}
	f := t.flags(cmd)
	form := f.String("format", string(tournament.Swiss), t.lang.Text("swiss, round-robin or knockout"))
	rounds := f.Int("rounds", 0, t.lang.Text("rounds of a Swiss tournament (default: enough to find one winner)"))
	rules := f.rules()
	clock := f.Duration("clock", session.TournamentClock, t.lang.Text("time for each turn, such as 30s"))
	rated := f.Bool("rated", false, t.lang.Text("play rated matches"))
	start := f.String("start", "", t.lang.Text("when the tournament starts: in 30m, or at 2030-01-31T18:00 (UTC) (default: when you run cup start)"))
	grace := f.Duration("grace", tournament.DefaultGrace, t.lang.Text("how long a match waits for an absent player"))
	pause := f.Duration("break", 0, t.lang.Text("break between two rounds"))
	cmd.RunE = t.run(func(args []string) error {
		r, err := match.Preset(*rules)
		if err == nil {
			err = account.CheckClock(*clock)
		}
		if err == nil && *clock == 0 {
			err = errors.New(t.lang.Text("a tournament needs a clock"))
		}
		if err != nil {
			return sshd.UsageError{Err: err}
		}
		s := tournament.Settings{
			Name: strings.Trim(strings.Join(args, " "), `"' `), Format: tournament.Format(*form), Rounds: *rounds,
			Rules: r.WithClock(*clock), Stakes: lobby.Casual, Grace: *grace, Break: *pause,
		}
		if *rated {
			s.Stakes = lobby.Rated
		}
		if s.Starts, err = parseStart(*start); err != nil {
			return err
		}
		if s, err = s.Normalize(time.Now()); err != nil {
			return sshd.UsageError{Err: err}
		}
		return t.create(s)
	})
	return cmd
}

// create creates a cup and prints its code.
func (t *cupCommand) create(s tournament.Settings) error {
	made, err := ask(t.call, func(own *session.Session) (*tournament.Tournament, error) { return own.NewTournament(t.ctx, s) })
	if err != nil {
		return err
	}
	if t.asJSON {
		return t.json(cupOf(made))
	}
	if _, err = fmt.Fprintln(t.out, made.Code); err == nil {
		_, err = fmt.Fprintln(t.err, t.lang.Text("This is the code of the tournament. Others join with: ssh HOST cup join %s", made.Code))
	}
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
	return time.Time{}, sshd.UsageErrorf("--start cannot be %q: use a duration such as 30m, or a time such as 2030-01-31T18:00", text)
}

// list lists the user's cups.
func (t *cupCommand) list([]string) error {
	all, err := ask(t.call, func(own *session.Session) ([]*tournament.Tournament, error) { return own.Tournaments(), nil })
	if err != nil {
		return err
	}
	out, rows := []cupOut{}, [][]string{t.heads("Code", "Name", "State", "Entrants")}
	for _, c := range all {
		out = append(out, cupOf(c))
		rows = append(rows, []string{c.Code, text.TournamentName(c), text.TournamentState(t.lang, c), t.number(len(c.Entrants))})
	}
	if len(all) == 0 && !t.asJSON {
		return t.print("You aren't in a tournament yet. Create one with cup new, or join with cup join CODE.")
	}
	return t.output.list(t.asJSON, out, rows)
}

// change returns the function of a verb that changes a cup, for the user or the entrants with
// the names after the code.
func (t *cupCommand) change(how session.TournamentChange) func([]string) error {
	return func(args []string) error {
		names := args[1:]
		if len(names) == 0 {
			names = []string{""}
		}
		var c *tournament.Tournament
		for _, name := range names {
			var err error
			if c, err = ask(t.call, func(own *session.Session) (*tournament.Tournament, error) {
				return own.ChangeTournament(t.ctx, args[0], how, name)
			}); err != nil {
				return err
			}
		}
		return t.show(c)
	}
}

// show writes a line about a cup.
func (t *cupCommand) show(c *tournament.Tournament) error {
	if t.asJSON {
		return t.json(cupOf(c))
	}
	_, err := fmt.Fprintf(t.out, "%s: %s\n", text.TournamentName(c), text.TournamentSummary(t.lang, c))
	return err
}

// table writes the table of a cup, and the bracket of a knockout.
func (t *cupCommand) table(args []string) error {
	c, err := ask(t.call, func(own *session.Session) (*tournament.Tournament, error) { return own.Tournament(t.ctx, args[0]) })
	if err != nil {
		return err
	}
	if t.asJSON {
		return t.json(cupOf(c))
	}
	if t.asCSV {
		return t.writeTableCSV(c)
	}
	t.show(c)
	err = t.output.table(append([][]string{t.heads(text.TournamentHeads...)}, text.TournamentTable(t.lang, c)...))
	for round := range c.Bracket() {
		fmt.Fprintf(t.out, "\n%s\n", t.lang.Text("Round %d", round+1))
		err = t.output.table(text.TournamentRound(t.lang, c, round))
	}
	return err
}

// writeTableCSV writes a cup's table as CSV, with the JSON members as columns.
func (t *cupCommand) writeTableCSV(c *tournament.Tournament) error {
	w := csv.NewWriter(t.out)
	w.Write([]string{"place", "name", "kind", "points", "wins", "draws", "losses", "byes", "buchholz"})
	for _, r := range cupOf(c).Table {
		w.Write([]string{
			fmt.Sprint(r.Place), r.Name, r.Kind, fmt.Sprint(r.Points), fmt.Sprint(r.Wins), fmt.Sprint(r.Draws), fmt.Sprint(r.Losses),
			fmt.Sprint(r.Byes), fmt.Sprint(r.Buchholz),
		})
	}
	w.Flush()
	return w.Error()
}

// next writes the user's next opponent and the pairs of the current round.
func (t *cupCommand) next(args []string) error {
	c, err := ask(t.call, func(own *session.Session) (*tournament.Tournament, error) { return own.Tournament(t.ctx, args[0]) })
	if err != nil {
		return err
	}
	if t.asJSON {
		out := cupOf(c)
		out.Games = slices.DeleteFunc(out.Games, func(g cupGameOut) bool { return g.Round != c.Round+1 })
		return t.json(out.Games)
	}
	t.show(c)
	if own, err := t.session(); err == nil {
		if line := text.NextOpponent(t.lang, c, own.State().Me.ID); line != "" {
			fmt.Fprintln(t.out, line)
		}
	}
	return t.output.table(text.TournamentRound(t.lang, c, c.Round))
}

// export writes the games of a cup as CSV, or everything as JSON.
func (t *cupCommand) export(args []string) error {
	c, err := ask(t.call, func(own *session.Session) (*tournament.Tournament, error) { return own.Tournament(t.ctx, args[0]) })
	if err != nil {
		return err
	}
	out := cupOf(c)
	if t.asJSON {
		return t.json(out)
	}
	w := csv.NewWriter(t.out)
	w.Write([]string{"round", "first", "second", "points_first", "points_second", "ending", "match"})
	for _, g := range out.Games {
		w.Write([]string{fmt.Sprint(g.Round), g.First, g.Second, text.Points(g.Points[0]), text.Points(g.Points[1]), g.Ending, g.Match})
	}
	w.Flush()
	return w.Error()
}
