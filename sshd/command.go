package sshd

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"unicode"

	"broadside/internal/spelling"
)

// Command is something to ask for by "ssh HOST NAME ARGS". It either opens the
// App's screen at a place of its own, which needs a terminal, or runs without
// one: of Check and Run it has one. Any goroutine may call either.
type Command struct {
	Name  string // one word, lower case
	Args  string // how its arguments are written, for the help; may be empty
	About string // what it does, for the help
	// For tells whether there is such a command for a visitor. To everybody
	// else it does not exist. nil: it is for all.
	For func(who Visitor) bool
	// Check is asked before there is a screen, with the command's words, the
	// name among them. Its error ends the session with status 2: a sentence
	// for the person, without capital or full stop, that says what to do. What
	// the words mean is for the App to know, which finds them in
	// [Visitor].Command.
	Check func(words []string) error
	// Run does the command, whose words are the visitor's, and returns the exit
	// status: 0, 1 if it failed, 2 if it was asked for wrongly. What was asked
	// for goes to out, all else to errs. Ctx ends with the session; Run returns
	// soon after that.
	Run func(ctx context.Context, who Visitor, out, errs io.Writer) int
}

// usage is how the command is written. The name is empty for a plain session.
func (c Command) usage() string {
	terminal := "-t "
	if c.Run != nil {
		terminal = ""
	}
	return strings.TrimRight("ssh "+terminal+"HOST "+c.Name+" "+c.Args, " ")
}

const (
	maxWords = 64  // of a command; more are left out
	maxWord  = 100 // characters of a word; the rest is left out
)

// split makes clean words of a command line.
func split(line string) []string {
	words := strings.Fields(line)
	words = words[:min(len(words), maxWords)]
	clean := words[:0]
	for _, word := range words {
		word = strings.Map(func(r rune) rune {
			if !unicode.IsPrint(r) || unicode.In(r, unicode.M, unicode.Other_Default_Ignorable_Code_Point) {
				return -1
			}
			return r
		}, word)
		if runes := []rune(word); len(runes) > maxWord {
			word = string(runes[:maxWord])
		}
		if word == "" {
			word = "?" // there was something
		}
		clean = append(clean, word)
	}
	return clean
}

// findCommand looks up a command by its words, of which the first is there. If
// there is none to go on with, the exit status says how that ended: help was
// given on out, or errs has what is wrong.
func findCommand(commands []Command, words []string, out, errs io.Writer) (found *Command, status int) {
	name := strings.TrimLeft(words[0], "-") // --help is help
	if name == "help" {
		return nil, help(commands, out)
	}
	for _, c := range commands {
		if c.Name != name {
			continue
		}
		words[0] = name
		if c.Run != nil {
			return &c, 0
		}
		if err := c.Check(words); err != nil {
			fmt.Fprintf(errs, "%s.\n", capital(err.Error()))
			return nil, 2
		}
		return &c, 0
	}
	names := []string{"help"}
	for _, c := range commands {
		names = append(names, c.Name)
	}
	suggestion := ""
	if c := spelling.Nearest(name, names); c != "" {
		suggestion = "Did you mean " + c + "? "
	}
	fmt.Fprintf(errs, "There is no command %s here. %sTry: ssh HOST help\n", clip(words[0], 40), suggestion)
	return nil, 2
}

// runCommand runs a command that needs no screen.
func (s *session) runCommand(c *Command, who Visitor, out, errs io.Writer) (status int) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("command failed", "panic", p, "stack", string(debug.Stack()))
			fmt.Fprintln(errs, internalError)
			status = 1
		}
	}()
	return c.Run(s.ctx, who, out, errs)
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// needTerminal tells how to ask for a terminal.
func needTerminal(c Command, errs io.Writer) {
	command := "and no command"
	if c.Name != "" {
		command = "before the host"
	}
	// Who left need not read it.
	fmt.Fprintf(errs, "Broadside is played in a terminal. Ask ssh for one with -t %s:\n\n    %s\n\n"+
		"What there is without one, tells: ssh HOST help\n", command, c.usage())
}

func help(commands []Command, out io.Writer) int {
	var b strings.Builder
	b.WriteString("Broadside: Battleship over SSH.\n")
	line := func(usage, about string) { fmt.Fprintf(&b, "\n    %s\n        %s\n", usage, about) }
	line(Command{}.usage(), "Play")
	for _, c := range commands {
		line(c.usage(), c.About)
	}
	line("ssh HOST help", "This text")
	if _, err := io.WriteString(out, b.String()); err != nil {
		return 1
	}
	return 0
}
