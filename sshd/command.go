package sshd

import (
	"fmt"
	"io"

	"charm.land/ssh"
)

const needTerminal = `Broadside needs a terminal. Connect with one:

    ssh -t HOST

`

const commandHelp = `Broadside: Battleship over SSH.

    ssh -t HOST     play
    ssh HOST help   this text

`

// runCommand runs what was asked for as "ssh HOST COMMAND" and returns its
// exit status: 0, or 2 for a command that does not exist.
func runCommand(c ssh.Session) int {
	args := c.Command()
	if len(args) > 0 && (args[0] == "help" || args[0] == "--help" || args[0] == "-h") {
		io.WriteString(c, commandHelp)
		return 0
	}
	fmt.Fprintf(c.Stderr(), "There is no command %.40q here. Try: ssh HOST help\n", c.RawCommand())
	return 2
}
