package sshd

import (
	"fmt"
	"io"
	"strings"
)

const needTerminal = `Broadside is played in a terminal. Ask ssh for one with -t and no command:

    ssh -t HOST

What there is without one, tells: ssh HOST help
`

// command is something to run as "ssh HOST NAME". Run returns the exit status:
// 0, 1 if it failed, 2 if it was asked for wrongly. What was asked for goes to
// out, all else to errs.
type command struct {
	name, about string
	run         func(args []string, out, errs io.Writer) int
}

// commands are all there are, in the order of the help.
func commands() []command {
	return []command{
		{"help", "this text", func(_ []string, out, _ io.Writer) int { return help(out) }},
	}
}

// runCommand runs the command line args, whose first word is there.
func runCommand(args []string, out, errs io.Writer) int {
	name := strings.TrimLeft(args[0], "-") // --help is help
	for _, c := range commands() {
		if c.name == name {
			return c.run(args[1:], out, errs)
		}
	}
	fmt.Fprintf(errs, "There is no command %s here. Try: ssh HOST help\n", clip(args[0], 40))
	return 2
}

func help(out io.Writer) int {
	var b strings.Builder
	b.WriteString("Broadside: Battleship over SSH.\n\n")
	fmt.Fprintf(&b, "    %-16s %s\n", "ssh -t HOST", "play")
	for _, c := range commands() {
		fmt.Fprintf(&b, "    %-16s %s\n", "ssh HOST "+c.name, c.about)
	}
	if _, err := io.WriteString(out, b.String()); err != nil {
		return 1
	}
	return 0
}
