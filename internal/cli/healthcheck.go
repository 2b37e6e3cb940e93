package cli

import (
	"errors"

	"github.com/spf13/cobra"
)

func healthCheckCommand() *cobra.Command {
	var options commandOptions
	c := &cobra.Command{
		Use:   "healthcheck",
		Short: "Check whether clients can use the running server",
		Long: "Asks the server that uses the data folder on this machine. The exit status is 0 if\n" +
			"clients can use it, and 1 if not, or if no server runs. Containers run this command.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := options.askServer(c)
			if err != nil {
				return err
			}
			for _, n := range r.Nodes {
				if n.ID == r.Asked && n.Trouble != "" {
					return errors.New(n.Trouble)
				}
			}
			return nil
		},
	}
	options.add(c, "data")
	return c
}
