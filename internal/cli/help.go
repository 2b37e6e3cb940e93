package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"broadside/internal/server"
)

// helpWidth is the width of help, in cells.
const helpWidth = 100

// printHelp prints a command's help: its own flags first, and then the server's options by group.
func printHelp(c *cobra.Command, _ []string) {
	out := c.OutOrStdout()
	fmt.Fprintf(out, "%s\n\nUsage:\n  %s\n", strings.TrimSpace(cmp.Or(c.Long, c.Short+".")), c.UseLine())
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(out, "  %s COMMAND\n\nCommands:\n", c.CommandPath())
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			fmt.Fprintf(out, "  %-*s  %s\n", sub.NamePadding(), sub.Name(), sub.Short)
		}
	}
	if c.Example != "" {
		fmt.Fprintf(out, "\nExamples:\n%s\n", c.Example)
	}
	groups := map[string]*pflag.FlagSet{}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		group := strings.Join(f.Annotations[optionGroup], "")
		if groups[group] == nil {
			groups[group] = pflag.NewFlagSet("", pflag.ContinueOnError)
		}
		groups[group].AddFlag(f)
	})
	titles := []string{""}
	for _, group := range new(server.Config).OptionTable() {
		titles = append(titles, group.Title)
	}
	for _, title := range titles {
		flags := groups[title]
		if flags != nil && flags.HasAvailableFlags() {
			fmt.Fprintf(out, "\n%s:\n%s", cmp.Or(title, "Flags"), flags.FlagUsagesWrapped(helpWidth))
		}
	}
}

// manualCommand returns the command that prints the manual page, for packages.
func manualCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man",
		Short:  "Print the manual page",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			page, err := mcobra.NewManPage(1, c.Root())
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(c.OutOrStdout(), page.Build(roff.NewDocument()))
			return err
		},
	}
}
