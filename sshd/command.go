package sshd

import (
	"context"
	"io"
	"path"
	"regexp"
	"strings"
	"time"

	"charm.land/ssh"

	"broadside/internal/sanitize"
)

// Command is what a user wants to run, as in "ssh HOST NAME ARGS".
type Command interface {
	// IsLongRunning reports whether the command counts as a session and may last as long as one.
	IsLongRunning() bool
	// Run runs the command and returns its exit status. It returns soon after ctx ends, which also closes in.
	Run(ctx context.Context, in io.ReadCloser, out, errs io.Writer) (status int)
	// StartScreen returns what to open after Run has returned 0, for [User].Opening, and whether to open it
	// in line mode. It returns false if the session ends.
	StartScreen() (opening any, lines, ok bool)
}

// commandTime is the time limit of commands that do not last.
const commandTime = 15 * time.Second

// runCommand runs the command of the session. The session continues if there is no command,
// or if the command opens a screen or line mode.
func runCommand(next ssh.Handler) ssh.Handler {
	return func(c ssh.Session) {
		s := c.(*session)
		if s.command == nil {
			next(c)
			return
		}
		status := s.runCommand()
		if opening, lines, ok := s.command.StartScreen(); ok && status == 0 {
			s.user.StartScreen, s.plain = opening, lines
			s.command = nil // the session may last
			next(c)
			return
		}
		_ = s.Exit(status)
	}
}

func (s *session) runCommand() (status int) {
	limit := commandTime
	if s.command.IsLongRunning() {
		limit = s.server.limits().SessionTime
	}
	ctx, cancel := context.WithTimeout(s.ctx, limit)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = s.input.Close() })()
	return s.command.Run(ctx, s.input, s, s.Stderr())
}

const (
	maxWords = 64  // of a command line; further words are dropped
	maxWord  = 100 // characters of a word; further characters are dropped
)

// words splits a command line and removes characters that cannot be shown.
func words(line string) []string {
	words := strings.Fields(line)
	words = words[:min(len(words), maxWords)]
	clean := words[:0]
	for _, word := range words {
		word = sanitize.Text(word)
		runes := []rune(word)
		if len(runes) > maxWord {
			word = string(runes[:maxWord])
		}
		if word == "" {
			word = "?" // keeps the position of the word
		}
		clean = append(clean, word)
	}
	return clean
}

// wantsShell reports whether a command line is a script that starts a shell. Wrappers such as kitten ssh
// request such a script at a terminal, where ssh alone would request a shell.
func wantsShell(words []string) bool {
	if len(words) == 0 {
		return false
	}
	// The server has a command export, too.
	if words[0] == "export" {
		return len(words) > 1 && assignment.MatchString(words[1])
	}
	return assignment.MatchString(words[0]) || shells[path.Base(strings.Trim(words[0], `"'`))]
}

// assignment matches the start of a variable's assignment in a script.
var assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// shells holds the first words of scripts that start a shell.
var shells = map[string]bool{
	"exec": true, "env": true, "eval": true, "command": true, "$SHELL": true, "login": true,
	"ash": true, "bash": true, "csh": true, "dash": true, "fish": true, "ksh": true, "sh": true, "tcsh": true, "zsh": true,
}
