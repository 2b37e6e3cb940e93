package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"broadside/internal/config"
)

// helpWidth is the width of grouped help, in cells.
const helpWidth = 100

// groupedHelp prints the help of a command with its own flags first, and then those of the
// table in the groups of the table.
func groupedHelp(c *cobra.Command, table config.Table) {
	out := c.OutOrStdout()
	about := strings.TrimSpace(cmp.Or(c.Long, c.Short+"."))
	fmt.Fprintf(out, "%s\n\nUsage:\n  %s\n", about, c.UseLine())
	if c.Example != "" {
		fmt.Fprintf(out, "\nExamples:\n%s\n", c.Example)
	}
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !table.Has(f.Name) {
			own.AddFlag(f)
		}
	})
	fmt.Fprintf(out, "\nFlags:\n%s", own.FlagUsagesWrapped(helpWidth))
	for _, group := range table {
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		for _, o := range group.Options {
			flags.AddFlag(c.Flags().Lookup(o.Name))
		}
		if flags.HasAvailableFlags() {
			fmt.Fprintf(out, "\n%s:\n%s", group.Title, flags.FlagUsagesWrapped(helpWidth))
		}
	}
}

// asksForHelp reports whether a command line asks for help.
func asksForHelp(args []string) bool {
	if at := slices.Index(args, "--"); at >= 0 {
		args = args[:at]
	}
	return slices.Contains(args, "--help") || slices.Contains(args, "-h") || len(args) > 0 && args[0] == "help"
}

// trimmer removes trailing spaces from lines. The library pads help to the terminal's width.
type trimmer struct {
	out    io.Writer
	spaces int // not written yet
}

// Write implements [io.Writer].
func (t *trimmer) Write(p []byte) (int, error) {
	var text []byte
	for _, c := range p {
		if c == ' ' {
			t.spaces++
			continue
		}
		if c != '\n' {
			text = append(text, bytes.Repeat([]byte(" "), t.spaces)...)
		}
		text, t.spaces = append(text, c), 0
	}
	if _, err := t.out.Write(text); err != nil {
		return 0, err
	}
	return len(p), nil
}
