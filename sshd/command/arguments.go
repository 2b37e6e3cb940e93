package command

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/sshd"
)

// maxTextWords is the maximum number of words of a text. The words are separate
// arguments, because ssh does not keep quotation marks.
const maxTextWords = 64

// atMost allows at most n arguments besides options.
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return sshd.UsageErrorf("%s: unexpected argument %q", c.Name(), args[n])
		}
		return nil
	}
}

// named returns the RunE of a command whose argument is a name.
func (c *call) named(missing i18n.Key, f func(name string) error) func(*cobra.Command, []string) error {
	return c.run(func(args []string) error {
		name, err := one(args, missing)
		if err != nil {
			return err
		}
		return f(name)
	})
}

// one returns the first argument, or an error if it is missing.
func one(args []string, missing i18n.Key) (string, error) {
	if len(args) == 0 {
		return "", sshd.UsageErrorf(missing)
	}
	return args[0], nil
}

// maxPenalty is the maximum duration for --for.
const maxPenalty = 10 * 365 * 24 * time.Hour

// parseExpiry returns the time at which the duration of --for ends. An empty text means
// never, and returns the zero time.
func parseExpiry(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	d, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		if n, err = strconv.Atoi(days); err == nil {
			d = time.Duration(min(max(n, 0), 10000)) * 24 * time.Hour
		}
	}
	if err != nil || d < time.Second || d > maxPenalty {
		return time.Time{}, sshd.UsageErrorf("--for cannot be %q: use a duration such as 30m, 24h or 7d, at most ten years", text)
	}
	return time.Now().Add(d), nil
}

// maxReason is the maximum length of a reason, in characters.
const maxReason = 200

// parseReason returns the reason after --reason. Its first word is the value of the
// flag; the others are arguments after the subject.
func parseReason(flag string, args []string) (string, error) {
	if flag == "" && len(args) > 1 {
		return "", sshd.UsageErrorf("unexpected argument %q", args[1])
	}
	text := strings.Trim(strings.Join(append([]string{flag}, args[min(1, len(args)):]...), " "), `"' `)
	if utf8.RuneCountInString(text) > maxReason {
		return "", sshd.UsageErrorf("the reason is too long: at most %d characters", maxReason)
	}
	return text, nil
}
