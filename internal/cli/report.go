package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"broadside/internal/server"
)

// makeReportCommand makes a command load the configuration, call run, and print the report as text or as
// JSON. The command's help lists the used options.
func makeReportCommand(c *cobra.Command, used []string,
	run func(ctx context.Context, cfg server.Config, args []string) (report any, text string, err error)) *cobra.Command {
	var options commandOptions
	var asJSON bool
	c.RunE = func(c *cobra.Command, args []string) error {
		cfg, _, err := options.load(c.Flags())
		if err != nil {
			return err
		}
		report, text, err := run(c.Context(), cfg, args)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(c.OutOrStdout(), report)
		}
		_, err = fmt.Fprint(c.OutOrStdout(), text)
		return err
	}
	addJSONFlag(c, &asJSON)
	options.addFlags(c, used...)
	return c
}

func addJSONFlag(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "json", false, "print JSON")
}

func printJSON(out io.Writer, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode JSON: %w", err)
	}
	_, err = fmt.Fprintf(out, "%s\n", text)
	return err
}
