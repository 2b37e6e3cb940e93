package command

import (
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/store"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/sshd"
)

func exportGames(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:         "export [--since DAY] [--rules RULES]",
		Short:       c.lang.Text("write all public finished matches, one short line each"),
		Args:        atMost(0),
		Annotations: map[string]string{sshd.Lasts: ""},
	}
	since := cmd.Flags().String("since", "", c.lang.Text("the first day, in UTC (default: all days)"))
	rules := cmd.Flags().String("rules", "", c.lang.Text("only matches under these rules: %s (default: all)", c.flags(cmd).presets()))
	cmd.RunE = c.run(func([]string) error {
		name := strings.ToLower(*rules)
		if name != "" && name != customRules && !slices.Contains(match.Presets(), name) {
			_, err := match.Preset(name)
			return sshd.UsageError{Err: err}
		}
		var after store.Cursor
		if *since != "" {
			var err error
			after.At, err = time.Parse(time.DateOnly, *since)
			if err != nil {
				return sshd.UsageErrorf("--since must be a date, such as 2026-11-21")
			}
		}
		return c.export(after, name)
	})
	return cmd
}

// customRules is the name of all rules that are not a preset.
const customRules = "custom"

// Pauses after each part of an export, in multiples of the time that the part took. While matches are
// running, exports use a hundredth of a processor's time, so that they delay only one shot in a hundred.
const (
	pauseBusy = 99
	pauseIdle = 1
)

// export writes all parts of an export of games under rules. Exports take turns, so that many use no more processor time than
// one. An export that waits for its reader does not delay others.
func (c *call) export(after store.Cursor, rules string) error {
	for {
		select {
		case c.exports <- struct{}{}:
		case <-c.ctx.Done():
			return c.ctx.Err()
		}
		began := time.Now()
		part, err := ask(c, func(own *session.Session) (session.ExportedGames, error) {
			return own.ExportGames(c.ctx, after, rules)
		})
		pause := time.Since(began) * pauseIdle
		if part.Busy {
			pause = time.Since(began) * pauseBusy
		}
		time.AfterFunc(pause, func() { <-c.exports })
		if err != nil {
			return err
		}
		if _, err := io.WriteString(c.out, part.Lines); err != nil || part.Last {
			return err
		}
		after = part.Next
	}
}
