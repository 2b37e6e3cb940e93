package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"broadside/bots/arena"
)

// arenaLadder is the command that makes the file of the bots' fixed ratings.
func arenaLadder() *cobra.Command {
	var cfg arena.LadderConfig
	c := &cobra.Command{
		Use:   "ladder",
		Short: "Let all built-in bots play each other under every preset, and print their fixed ratings",
		Long: "Lets all built-in bots play each other under every preset, and prints the file that\n" +
			"gives them their fixed ratings on the server: internal/store/rating/ladder.csv.",
		Example: "  broadside arena ladder --games 300 > internal/store/rating/ladder.csv",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			ctx, stop := untilSignal(c.Context())
			defer stop()
			meter := arena.NewMeter(c.ErrOrStderr(), terminalWidth(c.ErrOrStderr()))
			cfg.Progress = meter.Show
			rungs, err := arena.Ladder(ctx, cfg)
			meter.Clear()
			if err != nil {
				return err
			}
			command := fmt.Sprintf("broadside arena ladder --games %d --seed %d", cfg.Games, cfg.Seed)
			if err := arena.WriteLadder(c.OutOrStdout(), rungs, command); err != nil {
				return fmt.Errorf("printing the ladder: %w", err)
			}
			return nil
		},
	}
	f := c.Flags()
	f.IntVar(&cfg.Games, "games", 300, "games of each pairing under each preset")
	f.Uint64Var(&cfg.Seed, "seed", 1, "seed for layouts and choices")
	f.IntVar(&cfg.Concurrency, "concurrency", 0, "games at a time, 0 for one a processor")
	return c
}
