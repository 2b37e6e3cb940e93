// Command broadside hosts Battleship over SSH.
//
// Run without a command it serves: players come by ssh, programs by the line
// protocol. This package is the command line: it reads flags and environment,
// puts the parts together and nothing else. The game is in package match, a
// running match in match/live, who plays whom in lobby, the doors in sshd and
// relay, the screens in tui.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"
)

func main() {
	oneLine := fang.WithErrorHandler(func(w io.Writer, _ fang.Styles, err error) {
		fmt.Fprintf(w, "broadside: %v\n", err)
	})
	if err := fang.Execute(context.Background(), command(), oneLine); err != nil {
		var code exitCode
		if errors.As(err, &code) {
			os.Exit(int(code))
		}
		os.Exit(1)
	}
}

// exitCode is an error that asks for an exit code other than 1.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// command is the whole command line.
func command() *cobra.Command {
	root := serveCommand()
	root.Use = "broadside"
	root.Short = "Battleship over SSH, for people and programs"
	root.Long = "Broadside hosts Battleship over SSH. Without a command it serves."
	root.AddCommand(serveCommand(), botCommand(), arenaCommand(), backupCommand(), configCommand(), doctorCommand(), hostKeyCommand())
	return root
}
