// Package cli implements the command line, one file per command. The server itself is in
// package server.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"broadside/internal/build"
)

// Main runs the command line of the process and returns its exit status.
func Main() int {
	_ = os.Unsetenv("TEA_TRACE") // for developers of Bubble Tea: every session would write to the file that it names
	oneLine := fang.WithErrorHandler(func(w io.Writer, _ fang.Styles, err error) { printError(w, err) })
	root, failed := Command(), error(nil)
	if asksForHelp(os.Args[1:]) && !isTerminal(os.Stdout) {
		root.SetOut(&trimmer{out: os.Stdout})
	}
	keepErrors(root, &failed)
	err := fang.Execute(context.Background(), root, oneLine, fang.WithVersion(build.Read().String()))
	switch {
	case err != nil: // a required flag is missing, or flags exclude each other; already printed
		err = usageError{err}
	case failed != nil:
		err = failed
		printError(os.Stderr, err)
	}
	return Status(err)
}

// Status returns the exit status for an error of a command.
func Status(err error) int {
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

// Unwrap returns the error itself.
func (u usageError) Unwrap() error { return u.error }

// printError prints an error, except an [exitCode], whose command has already printed the
// cause.
func printError(w io.Writer, err error) {
	if code := exitCode(0); !errors.As(err, &code) {
		fmt.Fprintf(w, "broadside: %v\n", err)
	}
}

// keepErrors stores the first error of a command in failed and hides all errors from
// fang. Before showing an error, fang queries the terminal for its colours, and the reply
// could end up as input of the user's shell.
func keepErrors(c *cobra.Command, failed *error) {
	keep := func(err error) error {
		if *failed == nil {
			*failed = err
		}
		return nil
	}
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return keep(usageError{err}) })
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if *failed != nil {
				return nil
			}
			if err := check(c, args); err != nil {
				return keep(usageError{err})
			}
			return nil
		}
	}
	if run := c.RunE; run != nil {
		c.RunE = func(c *cobra.Command, args []string) error {
			if *failed != nil {
				return nil
			}
			return keep(run(c, args))
		}
	}
	for _, sub := range c.Commands() {
		keepErrors(sub, failed)
	}
}

// exitCode is an error that sets the exit status and is not printed.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// Command returns the root command with all subcommands.
func Command() *cobra.Command {
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
	root.SetHelpFunc(nil) // like other commands without many options
	root.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = f.Name != configFlag })
	root.AddCommand(serveCommand(), botCommand(), connectCommand(), arenaCommand(), sequenceCommand(), replayCommand(), checkClientCommand(), backupCommand(), restoreCommand(), moveCommand(), configCommand(), doctorCommand(), hostKeyCommand(), nodesCommand(), healthCheckCommand(), versionCommand())
	suggestNames(root)
	return root
}
