package command

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/sshd"
)

// flags adds options that several commands share.
type flags struct {
	*pflag.FlagSet
	lang i18n.Language
}

func (c *call) flags(cmd *cobra.Command) flags { return flags{cmd.Flags(), c.lang} }

// json adds --json.
func (f flags) json() *bool {
	return f.Bool("json", false, f.lang.Text("write JSON"))
}

// maxListed is the maximum number of lines in a list.
const maxListed = 100

// limit adds --limit, the number of lines.
func (f flags) limit(usual int) *int {
	return f.Int("limit", usual, f.lang.Text("how many to list, at most %d (default: %d)", maxListed, usual))
}

func checkLimit(n int) error {
	if n < 1 || n > maxListed {
		return sshd.UsageErrorf("--limit must be a number from 1 to %d", maxListed)
	}
	return nil
}

// presets lists the names of the rule sets.
func (f flags) presets() string {
	all := match.Presets()
	last := len(all) - 1
	return f.lang.Text("%s or %s", strings.Join(all[:last], ", "), all[last])
}

// rules adds --rules. The default is the first rule set.
func (f flags) rules() *string {
	first := match.Presets()[0]
	return f.String("rules", first, f.lang.Text("rule set: %s (default: %s)", f.presets(), first))
}

// expiry adds --for; see parseExpiry.
func (f flags) expiry() *string {
	return f.String("for", "", f.lang.Text("how long, such as 30m, 24h or 7d (default: permanent)"))
}

// reason adds --reason; see parseReason.
func (f flags) reason() *string {
	return f.String("reason", "", f.lang.Text("reason, shown to the player"))
}

// firstChanged returns the first option given, with its dashes; empty if there is none.
func firstChanged(cmd *cobra.Command) (name string) {
	cmd.Flags().Visit(func(f *pflag.Flag) { name = cmp.Or(name, "--"+f.Name) })
	return name
}
