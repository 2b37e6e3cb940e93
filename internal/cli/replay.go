package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"broadside/match/notation"
)

// maxWrongGames is the maximum number of wrong games that are listed.
const maxWrongGames = 20

// replayCommand returns the command that checks files of games.
func replayCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "replay [FILE...]",
		Short: "Replay finished games from files and check every result",
		Long: "Reads games in the short notation, one per line, from files or standard input, and\n" +
			"plays each of them again: all shots must be legal, and all results, the winner and\n" +
			"the reason must follow from the fleets. docs/records.md describes the notation.",
		Example: "  ssh HOST export --since 2026-11-01 > games.pl && broadside replay games.pl\n" +
			"  jq -r .match results/games.jsonl | broadside replay",
		RunE: func(c *cobra.Command, files []string) error {
			check := gameCheck{out: c.OutOrStdout(), errs: c.ErrOrStderr()}
			if len(files) == 0 {
				check.name = "standard input"
				if err := check.read(c.InOrStdin()); err != nil {
					return err
				}
			}
			for _, name := range files {
				if err := check.file(name); err != nil {
					return err
				}
			}
			return check.report()
		},
	}
}

// gameCheck counts games and prints the wrong ones.
type gameCheck struct {
	out, errs    io.Writer
	name         string // of the current file
	right, wrong int
}

// file checks the games of a file.
func (g *gameCheck) file(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("reading the games: %w", err)
	}
	defer f.Close()
	g.name = name
	return g.read(f)
}

// read checks the games that it reads from r.
func (g *gameCheck) read(r io.Reader) error {
	err := notation.Read(r, func(line int, _ *notation.Game, err error) error {
		if err == nil {
			g.right++
			return nil
		}
		if g.wrong++; g.wrong <= maxWrongGames {
			_, err = fmt.Fprintf(g.errs, "%s:%d: %v\n", g.name, line, err)
			return err
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("reading %s: %w", g.name, err)
	}
	return nil
}

// report prints the result. It returns an error unless all games are right.
func (g *gameCheck) report() error {
	switch {
	case g.wrong > 0:
		return fmt.Errorf("%d of %d games are wrong", g.wrong, g.right+g.wrong)
	case g.right == 0:
		return errors.New("there are no games to replay")
	}
	_, err := fmt.Fprintf(g.out, "games replayed: %d, all results are right\n", g.right)
	return err
}
