package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"broadside/internal/sanitize"
	"broadside/match"
	"broadside/match/audit"
)

// maxWrongMatches is how many wrong matches are printed.
const maxWrongMatches = 20

// replayCommand returns the command that checks records.
func replayCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "replay [FILE...]",
		Short: "Replay recorded matches and check every result",
		Long: "Reads a server's or an arena's JSON records from files, or from standard input if there is no\n" +
			"file or its name is -. It plays each match again: all shots must be legal, and all results, the\n" +
			"winner and the reason must follow from the fleets. docs/records.md describes records.",
		Example: "  ssh HOST record ID | broadside replay\n" +
			"  broadside replay results/games.jsonl",
		RunE: func(c *cobra.Command, files []string) error {
			if len(files) == 0 {
				files = []string{"-"}
			}
			check := recordCheck{errs: c.ErrOrStderr()}
			for _, name := range files {
				if err := check.checkFile(name, c.InOrStdin()); err != nil {
					return err
				}
			}
			return check.report(c.OutOrStdout())
		},
	}
}

// recordCheck counts matches and prints the wrong ones.
type recordCheck struct {
	errs         io.Writer
	right, wrong int
}

// checkFile checks a file's records, or of stdin if its name is -.
func (c *recordCheck) checkFile(name string, stdin io.Reader) error {
	if name == "-" {
		return c.checkRecords("standard input", stdin)
	}
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("read records: %w", err)
	}
	defer f.Close()
	return c.checkRecords(name, f)
}

// checkRecords checks the records that it reads from in.
func (c *recordCheck) checkRecords(name string, in io.Reader) error {
	var unread bytes.Buffer
	records := json.NewDecoder(io.TeeReader(sanitize.NewReader(in), &unread))
	for line, offset := 1, int64(0); ; {
		// More skips white space.
		more := records.More()
		line += bytes.Count(unread.Next(int(records.InputOffset()-offset)), []byte("\n"))
		offset = records.InputOffset()
		where := fmt.Sprintf("%s:%d", name, line)
		var r match.Record
		switch err := records.Decode(&r); {
		case !more && errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w: pass the output of ssh HOST record ID, or an arena's games.jsonl", where, err)
		}
		if _, err := audit.ReplayRecord(&r); err == nil {
			c.right++
		} else if c.wrong++; c.wrong <= maxWrongMatches {
			fmt.Fprintf(c.errs, "%s: %v\n", where, err)
		}
	}
}

// report prints the result. It returns an error unless all matches are right.
func (c *recordCheck) report(out io.Writer) error {
	switch {
	case c.wrong > 0:
		return fmt.Errorf("%d of %d matches are wrong", c.wrong, c.right+c.wrong)
	case c.right == 0:
		return errors.New("no matches to replay")
	}
	_, err := fmt.Fprintf(out, "matches replayed: %d, all results are right\n", c.right)
	return err
}
