package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"broadside/bots/arena"
	"broadside/bots/arena/tournament"
	"broadside/internal/config"
)

func arenaTournament() *cobra.Command {
	var o tournament.Options
	var asJSON, asCSV bool
	c := &cobra.Command{
		Use:   "tournament FILE",
		Short: "Play the tournament that a file describes",
		Long: "Plays a round robin, gauntlet, Swiss or knockout tournament between built-in bots and\n" +
			"programs. The file is in TOML; docs/arena.md describes it.",
		Example: "  broadside arena tournament cup.toml --out cup",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := config.Environment(c.Flags(), os.LookupEnv); err != nil {
				return err
			}
			ctx, stop := cancelOnSignal(c.Context())
			defer stop()
			return playTournament(ctx, c.OutOrStdout(), c.ErrOrStderr(), args[0], o, asJSON, asCSV)
		},
		ValidArgsFunction: cobra.FixedCompletions([]string{"toml"}, cobra.ShellCompDirectiveFilterFileExt),
	}
	f := c.Flags()
	f.StringVar(&o.Dir, "out", "", "folder for the records of all games and the report; by default the name of the file without .toml")
	f.BoolVar(&o.Resume, "resume", false, "continue the tournament in the folder")
	f.BoolVar(&asJSON, "json", false, "print the report as one JSON object")
	f.BoolVar(&asCSV, "csv", false, "print the table as CSV, for spreadsheets")
	c.MarkFlagsMutuallyExclusive("json", "csv")
	return c
}

// playTournament plays a tournament and prints its report.
func playTournament(ctx context.Context, out, errs io.Writer, file string, o tournament.Options, asJSON, asCSV bool) error {
	plan, err := tournament.ReadFile(file)
	if err != nil {
		return err
	}
	if o.Dir == "" {
		if o.Dir = strings.TrimSuffix(file, filepath.Ext(file)); o.Dir == file {
			return usageError{fmt.Errorf("%s does not end in .toml: choose a folder with --out", file)}
		}
	}
	meter := arena.NewMeter(errs, terminalWidth(errs))
	o.Progress = func(_ int, p arena.Progress) { meter.Show(p) }
	report, err := tournament.Run(ctx, plan, o)
	meter.Clear()
	if err != nil {
		return err
	}
	text := []byte(report.Text())
	switch {
	case asJSON:
		text, err = report.JSON()
	case asCSV:
		text, err = report.CSV()
	}
	if err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return fmt.Errorf("printing the report: %w", err)
	}
	if report.Interrupted {
		return interrupted(report.Games)
	}
	return nil
}
