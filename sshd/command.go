package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/ssh"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/spelling"
)

// Command is something to ask for by "ssh HOST NAME ARGS". It opens the App's
// screen at a place of its own, which needs a terminal, or runs without one, or
// the first where there is a terminal and else the second: of Check and Run it
// has at least one. Any goroutine may call either.
type Command struct {
	Name  string    // one word, lower case
	Args  string    // how its arguments are written, for the help; may be empty
	About i18n.Text // what it does, for the help
	// For tells whether there is such a command for a visitor. To everybody
	// else it does not exist. nil: it is for all.
	For func(who Visitor) bool
	// Check is asked before there is a screen. Ctx ends with the session. The error
	// ends the session with status 2: a sentence for the person, without capital or
	// full stop, that says what to do, in the session's language if words.Errorf made
	// it. What the words mean is for the App to know, which finds them in
	// [Visitor].Command.
	Check func(ctx context.Context, who Visitor) error
	// Run does the command, whose words are the visitor's, and returns the exit
	// status: 0, 1 if it failed, 2 if it was asked for wrongly. What was asked
	// for goes to out, all else to errs. Closing in ends a Read that waits. Ctx
	// ends with the session, or when that has lasted too long; Run returns soon
	// after that. With the word --help it
	// says more about the command, and does not last.
	Run func(ctx context.Context, who Visitor, in io.ReadCloser, out, errs io.Writer) int
	// Plain says that what the command opens is always held in lines, if there
	// are [Config].Lines; else it is with the word --plain.
	Plain bool
	// Lasts says that Run may go on for long: it counts as a session.
	Lasts bool
}

// opens tells whether the command opens a screen.
func (c *Command) opens(terminal bool) bool { return c.Run == nil || c.Check != nil && terminal }

// usage is how the command is written. The name is empty for a plain session.
func (c Command) usage() string {
	terminal := "-t "
	switch {
	case c.Run != nil && c.Check != nil:
		terminal = "[-t] "
	case c.Run != nil:
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

// findCommand looks up the command that a visitor came with. If
// there is none to go on with, the exit status says how that ended: help was
// given on out, or errs has what is wrong.
func findCommand(ctx context.Context, commands []Command, who Visitor, terminal bool, out, errs io.Writer) (found *Command, status int) {
	line, l := who.Command, who.Language
	name := strings.TrimLeft(line[0], "-") // --help is help
	if name == "help" && len(line) > 1 {
		return helpOn(commands, line, l, out, errs)
	}
	if name == "help" {
		return nil, help(commands, l, out)
	}
	for _, c := range commands {
		if c.Name != name {
			continue
		}
		line[0] = name
		if !c.opens(terminal) {
			return &c, 0
		}
		if err := c.Check(ctx, who); err != nil {
			fmt.Fprintf(errs, "%s.\n", capital(phrase.Error(l, err)))
			return nil, 2
		}
		return &c, 0
	}
	return nil, unknown(commands, line[0], l, errs)
}

// helpOn is help on the command that the second word names: it runs with --help
// if it runs at all, for it knows more of its arguments.
func helpOn(commands []Command, line []string, l i18n.Language, out, errs io.Writer) (found *Command, status int) {
	name := strings.TrimLeft(line[1], "-")
	for _, c := range commands {
		switch {
		case c.Name != name:
			continue
		case c.Run == nil:
			if _, err := fmt.Fprintf(out, "%s\n\n%s.\n", c.usage(), l.Say(c.About)); err != nil {
				return nil, 1
			}
			return nil, 0
		}
		line[0], line[1] = name, "--help"
		c.Check, c.Lasts = nil, false // what it writes needs no screen
		return &c, 0
	}
	if name == "help" {
		return nil, help(commands, l, out)
	}
	return nil, unknown(commands, line[1], l, errs)
}

// unknown tells who asked that there is no such command, and returns the exit
// status.
func unknown(commands []Command, name string, l i18n.Language, errs io.Writer) (status int) {
	names := []string{"help"}
	for _, c := range commands {
		names = append(names, c.Name)
	}
	suggestion := ""
	if c := spelling.Nearest(strings.TrimLeft(name, "-"), names); c != "" {
		suggestion = l.Say("Did you mean %s?", c) + " "
	}
	fmt.Fprintf(errs, "%s %s%s\n", l.Say("There is no command %s here.", clip(name, 40)), suggestion, l.Say("Try: ssh HOST help"))
	return 2
}

const tooLong i18n.Text = "This session has lasted as long as one may."

// runCommand runs a command that needs no screen, and returns its exit status
// when the client has been told.
func (s *session) runCommand(c *Command, who Visitor, client ssh.Session, out, errs io.Writer) int {
	ctx, cancel := context.WithTimeout(s.ctx, s.server.limits().SessionTime)
	defer cancel()
	status := s.tryCommand(ctx, c, who, s.input, out, errs)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		fmt.Fprintln(errs, who.Language.Say(tooLong)) // who left need not read it
		status = 1
	}
	_ = s.input.Close() // it has no errors
	s.leave(client, status)
	return status
}

// tryCommand runs a command, which may panic.
func (s *session) tryCommand(ctx context.Context, c *Command, who Visitor, in io.ReadCloser, out, errs io.Writer) (status int) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("command failed", "panic", p, "stack", string(debug.Stack()))
			fmt.Fprintln(errs, who.Language.Say(internalError))
			status = 1
		}
	}()
	return c.Run(ctx, who, in, out, errs)
}

func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// needTerminal tells how to ask for a terminal.
func needTerminal(c Command, l i18n.Language, errs io.Writer) {
	ask := i18n.Text("Broadside is played in a terminal. Ask ssh for one with -t and no command:")
	if c.Name != "" {
		ask = "Broadside is played in a terminal. Ask ssh for one with -t before the host:"
	}
	// Who left need not read it.
	fmt.Fprintf(errs, "%s\n\n    %s\n\n%s\n", l.Say(ask), c.usage(), l.Say("What there is without one, tells: ssh HOST help"))
}

func help(commands []Command, l i18n.Language, out io.Writer) int {
	var b strings.Builder
	b.WriteString(l.Say("Broadside: Battleship over SSH.") + "\n")
	line := func(usage string, about i18n.Text) { fmt.Fprintf(&b, "\n    %s\n        %s\n", usage, l.Say(about)) }
	line(Command{}.usage(), "Play")
	for _, c := range commands {
		line(c.usage(), c.About)
	}
	line("ssh HOST help [COMMAND]", "This text, or more about one command")
	if _, err := io.WriteString(out, b.String()); err != nil {
		return 1
	}
	return 0
}
