package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"broadside/internal/config"
	"broadside/internal/server"
)

func configCommand() *cobra.Command {
	var options commandOptions
	var example, markdown bool
	c := &cobra.Command{
		Use:   "config",
		Short: "Show how the server would be configured, and from where",
		Long: "Prints each option of the server with its value and where that is from: a flag\n" +
			"wins over a variable in the environment, that over the file, that over the\n" +
			"default. What is printed is a configuration file itself.",
		Example: "  broadside config --example > broadside.toml\n  broadside config --config broadside.toml",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var defaults server.Config
			switch {
			case example:
				fmt.Fprint(c.OutOrStdout(), defaults.Table().Example())
				return nil
			case markdown:
				fmt.Fprint(c.OutOrStdout(), aboutOptions+defaults.Table().Markdown())
				return nil
			}
			_, settings, err := options.load(c.Flags())
			if err != nil {
				return err
			}
			fmt.Fprint(c.OutOrStdout(), config.Show(settings))
			return nil
		},
	}
	c.Flags().BoolVar(&example, "example", false, "print a file with all options and what they mean")
	c.Flags().BoolVar(&markdown, "markdown", false, "print docs/configuration.md")
	c.MarkFlagsMutuallyExclusive("example", "markdown")
	options.flags(c.Flags())
	return c
}

// aboutOptions begins docs/configuration.md.
const aboutOptions = `# Configuration

This page is what ` + "`broadside config --markdown`" + ` prints.

Each option is a flag (` + "`--log-level debug`" + `), a variable in the environment
(` + "`BROADSIDE_LOG_LEVEL=debug`" + `) and a key in a file (` + "`log-level = \"debug\"`" + `). A flag
wins over a variable, that over the file, that over the default. The file is TOML
without sections; ` + "`--config FILE`" + ` or ` + "`BROADSIDE_CONFIG`" + ` names it. An unknown key or a
value out of range is an error that names its line, and the server does not start.

    broadside config --example > broadside.toml    # a file that explains itself
    broadside config --config broadside.toml       # what holds, and from where
    broadside doctor --config broadside.toml       # whether the server can run so

On SIGHUP the server reads its configuration anew. Options that are live hold at
once; for the others the log says that they need a restart. A configuration with
an error changes nothing.
`
