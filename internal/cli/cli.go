// Package cli is the command line: it reads flags and the environment, and runs
// the command. The parts of the server are in the packages that it imports.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"
)

// Main runs the command line of the process and returns its exit status.
func Main() int {
	oneLine := fang.WithErrorHandler(func(w io.Writer, _ fang.Styles, err error) { complain(w, err) })
	root, failed := Command(), error(nil)
	keepErrors(root, &failed)
	name, commit := buildInfo()
	err := fang.Execute(context.Background(), root, oneLine, fang.WithVersion(name), fang.WithCommit(commit))
	if err == nil && failed != nil {
		err = failed
		complain(os.Stderr, err)
	}
	return Status(err)
}

// Status is the exit code that goes with an error of a command.
func Status(err error) int {
	var code exitCode
	var wrong misuse
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &wrong):
		return 2
	}
	return 1
}

// misuse is what is wrong with a command line. Nothing was done.
type misuse struct{ error }

// complain says what went wrong, unless the error is an exit code: then it has been
// explained.
func complain(w io.Writer, err error) {
	if code := exitCode(0); !errors.As(err, &code) {
		fmt.Fprintf(w, "broadside: %v\n", err)
	}
}

// keepErrors keeps errors of commands from fang, and puts the first into failed:
// fang asks the terminal for its colours before it has an error shown, and the
// answer may end up in the person's shell.
func keepErrors(c *cobra.Command, failed *error) {
	keep := func(err error) error {
		if *failed == nil {
			*failed = err
		}
		return nil
	}
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return keep(misuse{err}) })
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if *failed != nil {
				return nil
			}
			if err := check(c, args); err != nil {
				return keep(misuse{err})
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

// exitCode is an error that asks for an exit code other than 1.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// Command is the whole command line.
func Command() *cobra.Command {
	root := serveCommand()
	root.Use = "broadside"
	root.Short = "Battleship over SSH, for people and programs"
	root.Long = "Broadside hosts Battleship over SSH. Without a command it serves."
	root.AddCommand(serveCommand(), botCommand(), arenaCommand(), sequenceCommand(), checkClientCommand(), backupCommand(), restoreCommand(), configCommand(), doctorCommand(), hostKeyCommand(), nodesCommand())
	return root
}
