package cli

import (
	"github.com/spf13/cobra"

	"broadside/bots"
	"broadside/internal/config"
	"broadside/match"
)

// addFlagCompletion makes shells complete the values of a flag.
func addFlagCompletion(c *cobra.Command, flag string, values ...string) {
	// It fails only if the flag does not exist or already has completions. A test checks this.
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// addOptionCompletions makes shells complete the server's options.
func addOptionCompletions(c *cobra.Command, table config.Table) {
	for _, group := range table {
		for _, o := range group.Options {
			choices := o.Value.Choices()
			if len(choices) > 0 {
				addFlagCompletion(c, o.Name, choices...)
			}
		}
	}
	addFlagCompletion(c, "relay-fill-bot", botNames()...)
	_ = c.MarkFlagDirname("data")
	_ = c.MarkFlagFilename(configFlag, "toml")
}

// addGameCompletions makes shells complete the flags of a command that plays games.
func addGameCompletions(c *cobra.Command) {
	var placements, movers []string
	for _, p := range bots.Placements() {
		placements = append(placements, p.Name)
	}
	for _, m := range bots.Movers() {
		movers = append(movers, m.Name)
	}
	for flag, values := range map[string][]string{"rules": match.PresetNames(), "placement": placements, "mover": movers} {
		if c.Flags().Lookup(flag) != nil {
			addFlagCompletion(c, flag, values...)
		}
	}
	c.ValidArgsFunction = cobra.FixedCompletions(botNames(), cobra.ShellCompDirectiveNoFileComp)
}

// addOpponentCompletion makes shells complete the flag --vs.
func addOpponentCompletion(c *cobra.Command) {
	versus := []string{"any"}
	for _, name := range botNames() {
		versus = append(versus, "bot "+name)
	}
	addFlagCompletion(c, "vs", versus...)
}

func addConnectCompletions(c *cobra.Command) {
	addOpponentCompletion(c)
	addFlagCompletion(c, "rules", match.PresetNames()...)
	addFlagCompletion(c, "layout", "uniform")
	addFlagCompletion(c, "games", "1", "10", "100", "forever")
	addFlagCompletion(c, "program")
	addFlagCompletion(c, "name")
}

func botNames() (names []string) {
	for _, b := range bots.All() {
		names = append(names, b.Name)
	}
	return names
}
