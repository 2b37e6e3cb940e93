package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"broadside/internal/build"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(c.OutOrStdout(), "broadside version %s\n", build.Read())
			return err
		},
	}
}
