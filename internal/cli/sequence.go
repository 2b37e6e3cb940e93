package cli

import (
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"broadside/bots"
	"broadside/match"
)

// sequenceCommand returns the command that writes sequence and strategy files.
func sequenceCommand() *cobra.Command {
	var steps []int
	var seed uint64
	var line int
	c := &cobra.Command{
		Use:   "sequence random|ordered|pattern|actions",
		Short: "Write a sequence of all cells, for bots that fire or place by a sequence",
		Long: "Writes every cell of a 10×10 board once: in random order, row by row, or in a\n" +
			"pattern of distances. With actions, it writes a strategy file for naval: cells in\n" +
			"random order, each with a random action of a ship. docs/bots.md explains how to\n" +
			"use the files.",
		Example: "  broadside sequence pattern --step 3,7 > search.txt\n" +
			"  broadside arena duel sequence:search.txt hard --rules naval --placement sequence:search.txt:25",
		Args:      cobra.ExactArgs(1),
		ValidArgs: []string{"random", "ordered", "pattern", "actions"},
		RunE: func(c *cobra.Command, args []string) error {
			if line < 1 {
				return usageError{fmt.Errorf("--line %d: choose 1 or more", line)}
			}
			if !c.Flags().Changed("seed") {
				seed = rand.Uint64()
			}
			entries, err := makeSequence(args[0], steps, rand.New(rand.NewPCG(seed, 0)))
			if err != nil {
				return err
			}
			if _, err := io.WriteString(c.OutOrStdout(), bots.FormatSequence(entries, line)); err != nil {
				return fmt.Errorf("write sequence: %w", err)
			}
			return nil
		},
	}
	f := c.Flags()
	f.IntSliceVar(&steps, "step", []int{3}, "distances of a pattern in cells, used in turn")
	f.Uint64Var(&seed, "seed", 0, "random seed (default: a new one)")
	f.IntVar(&line, "line", 10, "entries per line")
	return c
}

// makeSequence returns the entries of a random, ordered, pattern or actions sequence.
func makeSequence(kind string, steps []int, rng *rand.Rand) ([]bots.Step, error) {
	rules := match.Naval()
	var order []match.Cell
	switch kind {
	case "random":
		order = bots.RandomSequence(rules, rng)
	case "actions":
		return bots.RandomSteps(rules, bots.RandomSequence(rules, rng), rng), nil
	case "ordered":
		order = bots.OrderedSequence(rules)
	case "pattern":
		var err error
		order, err = bots.PatternSequence(rules, steps)
		if err != nil {
			return nil, usageError{fmt.Errorf("--step: %w", err)}
		}
	default:
		return nil, usageError{fmt.Errorf("unknown sequence %q: choose random, ordered, pattern or actions", kind)}
	}
	entries := make([]bots.Step, len(order))
	for i, cell := range order {
		entries[i].Cell = cell
	}
	return entries, nil
}
