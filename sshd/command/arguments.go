package command

import (
	"cmp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/sshd"
)

// maxTextWords is the most words of a text. The words are separate arguments, since
// ssh does not keep quotation marks.
const maxTextWords = 64

// atMost allows at most n arguments besides options.
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return sshd.UsageErrorf("%s takes no %q", c.Name(), args[n])
		}
		return nil
	}
}

// named returns the RunE of a command whose argument is a name.
func (c *call) named(missing i18n.Text, f func(name string) error) func(*cobra.Command, []string) error {
	return c.run(func(args []string) error {
		name, err := one(args, missing)
		if err != nil {
			return err
		}
		return f(name)
	})
}

// one returns the first argument, or an error if it is missing.
func one(args []string, missing i18n.Text) (string, error) {
	if len(args) == 0 {
		return "", sshd.UsageErrorf(missing)
	}
	return args[0], nil
}

// jsonFlag adds --json.
func (c *call) jsonFlag(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("json", false, c.lang.Say("write JSON"))
}

// maxListed is the most lines of a list.
const maxListed = 100

// limitFlag adds --limit, a number of lines.
func (c *call) limitFlag(cmd *cobra.Command, usual int) *int {
	return cmd.Flags().Int("limit", usual, c.lang.Say("how many to list, at most %d; without it, %d", maxListed, usual))
}

func checkLimit(n int) error {
	if n < 1 || n > maxListed {
		return sshd.UsageErrorf("--limit is a number from 1 to %d", maxListed)
	}
	return nil
}

// presets lists the names of the rule sets.
func (c *call) presets() string {
	all := match.Presets()
	last := len(all) - 1
	return c.lang.Say("%s or %s", strings.Join(all[:last], ", "), all[last])
}

// rulesFlag adds --rules. The default is the first rule set.
func (c *call) rulesFlag(cmd *cobra.Command) *string {
	first := match.Presets()[0]
	return cmd.Flags().String("rules", first, c.lang.Say("rule set: %s; without it, %s", c.presets(), first))
}

// forFlag adds --for, see parseExpiry.
func (c *call) forFlag(cmd *cobra.Command) *string {
	return cmd.Flags().String("for", "", c.lang.Say("for how long, such as 30m, 24h or 7d; without it, for good"))
}

// maxPenalty is the longest time for --for.
const maxPenalty = 10 * 365 * 24 * time.Hour

// parseExpiry returns the end of a time from now, as written after --for. It is
// zero for an empty text: never.
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
		return time.Time{}, sshd.UsageErrorf("--for cannot be %q: give a time such as 30m, 24h or 7d, at most ten years", text)
	}
	return time.Now().Add(d), nil
}

// reasonFlag adds --reason, see parseReason.
func (c *call) reasonFlag(cmd *cobra.Command) *string {
	return cmd.Flags().String("reason", "", c.lang.Say("why, for the person to read"))
}

// maxReason is the longest reason, in characters.
const maxReason = 200

// parseReason returns the reason after --reason. Its first word is the value of the
// flag; the others are arguments after the subject.
func parseReason(flag string, args []string) (string, error) {
	if flag == "" && len(args) > 1 {
		return "", sshd.UsageErrorf("there is one %q too many", args[1])
	}
	text := strings.Trim(strings.Join(append([]string{flag}, args[min(1, len(args)):]...), " "), `"' `)
	if utf8.RuneCountInString(text) > maxReason {
		return "", sshd.UsageErrorf("a reason has at most %d characters", maxReason)
	}
	return text, nil
}

// firstChanged returns the first option of the command line, with its dashes; empty
// without one.
func firstChanged(cmd *cobra.Command) (name string) {
	cmd.Flags().Visit(func(f *pflag.Flag) { name = cmp.Or(name, "--"+f.Name) })
	return name
}
