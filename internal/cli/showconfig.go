package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"broadside/internal/config"
	"broadside/internal/server"
)

func configCommand() *cobra.Command {
	var options commandOptions
	var example, markdown, asJSON bool
	c := &cobra.Command{
		Use:   "config",
		Short: "Show the active settings and where each comes from",
		Long: "Prints each option of the server with its value and the source of the value. A flag\n" +
			"overrides an environment variable, a variable overrides the file, and the file\n" +
			"overrides the default. The output is a valid configuration file.",
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
			if asJSON {
				return printJSON(c.OutOrStdout(), config.List(settings))
			}
			fmt.Fprint(c.OutOrStdout(), config.Show(settings))
			return nil
		},
	}
	c.Flags().BoolVar(&example, "example", false, "print a file that explains all options")
	c.Flags().BoolVar(&markdown, "markdown", false, "print docs/configuration.md")
	jsonFlag(c, &asJSON)
	c.MarkFlagsMutuallyExclusive("example", "markdown", "json")
	options.add(c)
	return c
}

// aboutOptions is the introduction of docs/configuration.md.
const aboutOptions = `# Configuration

` + "`broadside config --markdown`" + ` generates this page.

Each option is a flag (` + "`--log-level debug`" + `), an environment variable
(` + "`BROADSIDE_LOG_LEVEL=debug`" + `) and a key in a file (` + "`log-level = \"debug\"`" + `). A flag overrides a
variable, a variable overrides the file, and the file overrides the default. The file is TOML
without sections, named by ` + "`--config FILE`" + ` or ` + "`BROADSIDE_CONFIG`" + `. The server does not start with
an unknown key or a value out of range; the error names the line.

    broadside config --example > broadside.toml    # a commented file with all options
    broadside config --config broadside.toml       # the active settings and their sources
    broadside doctor --config broadside.toml       # check whether the server can run

On SIGHUP, the server reloads its configuration. Changes of live options take effect immediately;
other changes are logged and require a restart. An invalid configuration changes nothing. A server
that was started in a terminal ends on SIGHUP instead, since its terminal was closed.
`
