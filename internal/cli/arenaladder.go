package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"broadside/bots/arena"
)

// arenaLadder returns the command that computes the fixed ratings of the bots.
func arenaLadder() *cobra.Command {
	var cfg arena.LadderConfig
	c := &cobra.Command{
		Use:   "ladder",
		Short: "Compute the fixed ratings of the built-in bots",
		Long: "Lets all built-in bots play each other under every preset, and prints the file with\n" +
			"their fixed ratings on the server: internal/store/rating/ladder.csv.",
		Example: "  broadside arena ladder --games 300 > internal/store/rating/ladder.csv",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if cfg.Games < 1 {
				return usageError{fmt.Errorf("--games %d: choose 1 or more", cfg.Games)}
			}
			ctx, stop := cancelOnSignal(c.Context())
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
	f.IntVar(&cfg.Games, "games", 300, "games per pairing and preset")
	f.Uint64Var(&cfg.Seed, "seed", 1, "random seed for layouts and choices")
	f.IntVar(&cfg.Concurrency, "concurrency", 0, "games played at the same time; 0: one per processor")
	return c
}
