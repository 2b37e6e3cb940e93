package command

import (
	"io"
	"slices"
	"strings"
	"time"

	"broadside/internal/store"
	"broadside/match"
)

// customRules is the name of all rules that are not a rule set.
const customRules = "custom"

// Pauses after each part of an export, in multiples of the time that the part took. While matches are running,
// exports use a hundredth of a processor's time and delay only one shot in a hundred.
const (
	pauseBusy = 99
	pauseIdle = 1
)

// exportMatches writes all public matches in parts. Exports take turns, so that many use no more processor time
// than one. An export that waits for its reader does not delay others.
func (c *Call) exportMatches() error {
	rules := strings.ToLower(c.optionText("rules", ""))
	if rules != "" && rules != customRules && !slices.Contains(match.PresetNames(), rules) {
		_, err := match.Preset(rules)
		return usageError{err}
	}
	var after store.Cursor
	if c.hasOption("since") {
		var err error
		if after.At, err = time.Parse(time.DateOnly, c.optionText("since", "")); err != nil {
			return usageErrorf("--since must be a date, such as 2026-11-21")
		}
	}
	for {
		select {
		case c.commands.exports <- struct{}{}:
		case <-c.ctx.Done():
			return c.ctx.Err()
		}
		began := time.Now()
		part, err := c.session.ExportMatches(c.ctx, after, rules)
		pause := time.Since(began) * pauseIdle
		if part.Busy {
			pause = time.Since(began) * pauseBusy
		}
		time.AfterFunc(pause, func() { <-c.commands.exports })
		if err != nil {
			return err
		}
		if _, err := io.WriteString(c.out, part.Lines); err != nil || part.Last {
			return err
		}
		after = part.Next
	}
}
