package sshd

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const helpName = "help"

// helpCommand returns the help, which lists all commands or describes one.
func (l *CommandLine) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: helpName, DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 || trimDashes(args[0]) == helpName {
				return l.overview(c.OutOrStdout())
			}
			described := l.find(args[0])
			if described == nil {
				return l.unknown(args[0])
			}
			described.SetOut(c.OutOrStdout())
			return l.describe(described)
		},
	}
}

// overview lists all commands.
func (l *CommandLine) overview(out io.Writer) error {
	var b strings.Builder
	b.WriteString(l.Language.Text("Broadside: Battleship over SSH.") + "\n")
	line := func(usage, about string) { fmt.Fprintf(&b, "\n    %s\n        %s\n", usage, about) }
	line("ssh -t HOST", l.Language.Text("Play"))
	for _, c := range l.Commands {
		usage := usageOf(c)
		if has(c, OpensAtTerminal) {
			usage = "ssh [-t] HOST " + c.Use
		}
		line(usage, c.Short)
	}
	line("ssh HOST help [COMMAND]", l.Language.Text("show this help, or help on one command"))
	_, err := io.WriteString(out, b.String())
	return err
}

// describe explains one command and its options, and those of its verbs.
func (l *CommandLine) describe(c *cobra.Command) error {
	c = topLevel(c)
	text := fmt.Sprintf("%s\n\n%s\n", usageOf(c), c.Short)
	if options := options(c); options != "" {
		text += "\n" + options
	}
	for _, verb := range c.Commands() {
		if options := options(verb); options != "" {
			text += "\n" + verb.Use + "\n" + options
		}
	}
	_, err := io.WriteString(c.OutOrStdout(), text)
	return err
}

// topLevel returns the command of the help that c belongs to.
func topLevel(c *cobra.Command) *cobra.Command {
	for c.HasParent() && c.Parent().HasParent() {
		c = c.Parent()
	}
	return c
}

// usageOf returns the syntax of a command.
func usageOf(c *cobra.Command) string {
	c = topLevel(c)
	terminal := ""
	if has(c, OpensScreen) || has(c, OpensLineMode) {
		terminal = "-t "
	}
	return "ssh " + terminal + "HOST " + c.Use
}

// options explains the options of a command, one per line.
func options(c *cobra.Command) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name == helpName {
			return
		}
		name := "--" + f.Name
		if f.NoOptDefVal == "" {
			name += " " + strings.ToUpper(f.Name)
		}
		fmt.Fprintf(w, "  %s\t%s\n", name, f.Usage)
	})
	_ = w.Flush() // cannot fail: writes to memory
	return b.String()
}
