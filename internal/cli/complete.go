package cli

import (
	"github.com/spf13/cobra"

	"broadside/bots"
	"broadside/internal/config"
	"broadside/match"
)

// completeFlag makes shells complete the values of a flag.
func completeFlag(c *cobra.Command, flag string, values ...string) {
	// It fails only if the flag does not exist or already has completions. A test checks this.
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// completeOptions makes shells complete the server's options.
func completeOptions(c *cobra.Command, table config.Table) {
	for _, group := range table {
		for _, o := range group.Options {
			choices := o.Value.Choices()
			if len(choices) > 0 {
				completeFlag(c, o.Name, choices...)
			}
		}
	}
	completeFlag(c, "relay-fill-bot", botNames()...)
	_ = c.MarkFlagDirname("data")
	_ = c.MarkFlagFilename(configFlag, "toml")
}

// completeGameFlags makes shells complete the flags of a command that plays games.
func completeGameFlags(c *cobra.Command) {
	var placements, movers []string
	for _, p := range bots.Placements() {
		placements = append(placements, p.Name)
	}
	for _, m := range bots.Movers() {
		movers = append(movers, m.Name)
	}
	for flag, values := range map[string][]string{"rules": match.PresetNames(), "placement": placements, "mover": movers} {
		if c.Flags().Lookup(flag) != nil {
			completeFlag(c, flag, values...)
		}
	}
	c.ValidArgsFunction = cobra.FixedCompletions(botNames(), cobra.ShellCompDirectiveNoFileComp)
}

// completeOpponent makes shells complete the flag --vs.
func completeOpponent(c *cobra.Command) {
	versus := []string{"any"}
	for _, name := range botNames() {
		versus = append(versus, "bot "+name)
	}
	completeFlag(c, "vs", versus...)
}

func completeConnectFlags(c *cobra.Command) {
	completeOpponent(c)
	completeFlag(c, "rules", match.PresetNames()...)
	completeFlag(c, "layout", "uniform")
	completeFlag(c, "games", "1", "10", "100", "forever")
	completeFlag(c, "program")
	completeFlag(c, "name")
}

func botNames() (names []string) {
	for _, b := range bots.All() {
		names = append(names, b.Name)
	}
	return names
}
