package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"broadside/internal/config"
	"broadside/internal/server"
)

func configCommand() *cobra.Command {
	var options commandOptions
	var example, asJSON bool
	c := &cobra.Command{
		Use:   "config",
		Short: "Show the active settings and where each comes from",
		Long: "Prints each option of the server with its value and the source of the value. A flag\n" +
			"overrides an environment variable, a variable overrides the file, and the file\n" +
			"overrides the default. The output is a valid configuration file.",
		Example: "  broadside config --example > broadside.toml\n  broadside config --config broadside.toml",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if example {
				fmt.Fprint(c.OutOrStdout(), new(server.Config).OptionTable().ExampleFile())
				return nil
			}
			_, settings, err := options.load(c.Flags())
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), settings)
			}
			fmt.Fprint(c.OutOrStdout(), config.FormatSettings(settings))
			return nil
		},
	}
	c.Flags().BoolVar(&example, "example", false, "print a file that explains all options")
	addJSONFlag(c, &asJSON)
	c.MarkFlagsMutuallyExclusive("example", "json")
	options.addFlags(c)
	return c
}
