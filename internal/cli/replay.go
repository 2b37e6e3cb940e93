package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"broadside/internal/export"
	"broadside/internal/sanitize"
	"broadside/match/notation"
)

// maxWrongGames is the maximum number of wrong games that are listed.
const maxWrongGames = 20

// replayCommand returns the command that checks files of games.
func replayCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "replay [FILE...]",
		Short: "Replay finished games from files and check every result",
		Long: "Reads games from files or standard input, as records in JSON or in the short notation,\n" +
			"one per line, and plays each of them again: all shots must be legal, and all results,\n" +
			"the winner and the reason must follow from the fleets. docs/records.md describes both.",
		Example: "  ssh HOST record ID | broadside replay\n" +
			"  ssh HOST export --since 2026-11-01 > games.pl && broadside replay games.pl\n" +
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
	in := bufio.NewReader(sanitize.NewReader(r))
	var err error
	if isJSON(in) {
		err = g.readRecords(in)
	} else {
		err = notation.Read(in, func(line int, _ *notation.Game, err error) error {
			return g.count(fmt.Sprint(line), err)
		})
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", g.name, err)
	}
	return nil
}

// isJSON reports whether the input starts with a JSON object, after at most 511 bytes of white space.
func isJSON(in *bufio.Reader) bool {
	// The next read returns the same error.
	start, _ := in.Peek(512)
	return bytes.HasPrefix(bytes.TrimSpace(start), []byte("{"))
}

// readRecords checks the records that it reads from in.
func (g *gameCheck) readRecords(in io.Reader) error {
	records := json.NewDecoder(in)
	for n := 1; ; n++ {
		var r export.Record
		switch err := records.Decode(&r); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("record %d: %w", n, err)
		}
		if err := g.count(fmt.Sprintf("record %d", n), r.Check()); err != nil {
			return err
		}
	}
}

// count counts a game. err says what is wrong with it, or is nil.
func (g *gameCheck) count(where string, err error) error {
	if err == nil {
		g.right++
		return nil
	}
	if g.wrong++; g.wrong <= maxWrongGames {
		_, err = fmt.Fprintf(g.errs, "%s:%s: %v\n", g.name, where, err)
		return err
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
