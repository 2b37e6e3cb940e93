package sshd

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// Command opens the App's screen at a place of its own, as "ssh -t HOST NAME
// ARGS". What it means is for the App to know, which finds it in
// [Visitor].Command.
type Command struct {
	Name  string // one word, lower case
	Args  string // how its arguments are written, for the help; may be empty
	About string // what it does, for the help
	// Check is asked before there is a screen, with the command's words, the
	// name among them. Its error ends the session with status 2: a sentence
	// for the person, without capital or full stop, that says what to do. Any
	// goroutine may call it.
	Check func(words []string) error
}

// usage is how the command is written. The name is empty for a plain session.
func (c Command) usage() string {
	return strings.TrimRight("ssh -t HOST "+c.Name+" "+c.Args, " ")
}

const (
	maxWords = 16  // of a command; more are left out
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

// runCommand does what a command asks for, whose first word is there, and
// returns the exit status. What was asked for goes to out, all else to errs. A
// command that opens a screen is returned instead, once it is found to be
// written well.
func runCommand(commands []Command, words []string, out, errs io.Writer) (opens *Command, status int) {
	name := strings.TrimLeft(words[0], "-") // --help is help
	if name == "help" {
		return nil, help(commands, out)
	}
	for _, c := range commands {
		if c.Name != name {
			continue
		}
		words[0] = name
		if err := c.Check(words); err != nil {
			fmt.Fprintf(errs, "%s.\n", capital(err.Error()))
			return nil, 2
		}
		return &c, 0
	}
	suggestion := ""
	if c := nearest(commands, name); c != "" {
		suggestion = "Did you mean " + c + "? "
	}
	fmt.Fprintf(errs, "There is no command %s here. %sTry: ssh HOST help\n", clip(words[0], 40), suggestion)
	return nil, 2
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
	lines := [][2]string{{Command{}.usage(), "play"}}
	for _, c := range commands {
		lines = append(lines, [2]string{c.usage(), c.About})
	}
	lines = append(lines, [2]string{"ssh HOST help", "this text"})
	width := 0
	for _, l := range lines {
		width = max(width, len(l[0]))
	}
	var b strings.Builder
	b.WriteString("Broadside: Battleship over SSH.\n\n")
	for _, l := range lines {
		fmt.Fprintf(&b, "    %-*s  %s\n", width, l[0], l[1])
	}
	if _, err := io.WriteString(out, b.String()); err != nil {
		return 1
	}
	return 0
}

// nearest is the command whose name is most like a word; empty if none is.
func nearest(commands []Command, word string) string {
	best, least := "", min(2, len(word)/2)+1
	for _, name := range append([]Command{{Name: "help"}}, commands...) {
		if d := distance(name.Name, clip(strings.ToLower(word), 40)); d < least {
			best, least = name.Name, d
		}
	}
	return best
}

// distance is the least number of letters to insert, delete or change that
// makes b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
