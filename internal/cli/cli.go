// Package cli implements the command line, one file per command. The server itself is in
// package server.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"broadside/internal/build"
)

// Main runs the command line of the process and returns its exit status.
func Main() int {
	// With this variable of Bubble Tea, every session would write to the file that it names.
	_ = os.Unsetenv("TEA_TRACE")
	err := Execute(context.Background(), NewCommand())
	if err != nil {
		printError(os.Stderr, err)
	}
	return ExitStatus(err)
}

// Execute runs the command that the arguments name. Errors in the arguments get exit status 2.
func Execute(ctx context.Context, root *cobra.Command) error {
	started := false
	markStarted(root, &started)
	err := root.ExecuteContext(ctx)
	if err != nil && !started {
		return usageError{err}
	}
	return err
}

// markStarted makes a command and its subcommands set started before they run. Their arguments are then valid.
func markStarted(c *cobra.Command, started *bool) {
	run := c.RunE
	if run != nil {
		c.RunE = func(c *cobra.Command, args []string) error {
			*started = true
			return run(c, args)
		}
	}
	for _, sub := range c.Commands() {
		markStarted(sub, started)
	}
}

// ExitStatus returns the exit status for a command's error.
func ExitStatus(err error) int {
	var code exitCode
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &usage):
		return 2
	}
	return 1
}

// usageError is an error in the command line. The command has done nothing.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// printError prints an error, except an [exitCode], whose command has already printed the
// cause.
func printError(w io.Writer, err error) {
	code := exitCode(0)
	if !errors.As(err, &code) {
		fmt.Fprintf(w, "broadside: %v\n", err)
	}
}

// exitCode is an error that sets the exit status and is not printed.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// NewCommand returns the root command with all subcommands.
func NewCommand() *cobra.Command {
	root := serveCommand()
	root.Use = "broadside"
	root.Short = "Battleship over SSH, for people and programs"
	root.Long = "Broadside hosts Battleship over SSH. Without a command, it starts the server, whose\n" +
		"options \"broadside serve --help\" lists.\n\n" +
		"The exit status is 0 after success, 1 if the command failed, 2 if its arguments are wrong,\n" +
		"and 130 if a signal interrupted it."
	root.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return unknownCommand(c, args[0], "broadside --help lists the commands")
	}
	root.Version = build.Read().String()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetHelpFunc(printHelp)
	root.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = f.Name != configFlag })
	root.AddCommand(
		serveCommand(), botCommand(), connectCommand(), arenaCommand(), sequenceCommand(), replayCommand(),
		checkClientCommand(), backupCommand(), restoreCommand(), moveCommand(), configCommand(), doctorCommand(),
		hostKeyCommand(), nodesCommand(), healthCheckCommand(), versionCommand(), manualCommand(),
	)
	return root
}

// unknownCommand returns the error for a name that is no subcommand of c. choices says what to write
// instead if no subcommand has a similar name.
func unknownCommand(c *cobra.Command, name, choices string) error {
	// Cobra sets this default only for its own error message, which has several lines.
	c.SuggestionsMinimumDistance = 2
	near := c.SuggestionsFor(name)
	if len(near) > 0 {
		choices = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return fmt.Errorf("unknown command %q for %q: %s", name, c.CommandPath(), choices)
}
