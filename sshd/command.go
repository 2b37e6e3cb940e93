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

// Command is a command line that a user runs, as in "ssh HOST NAME ARGS".
type Command interface {
	// IsLongRunning reports whether the command counts as a session, with its time limit.
	IsLongRunning() bool
	// Run runs the command and returns its exit status. It returns soon after ctx ends, when in is closed, too.
	Run(ctx context.Context, in io.ReadCloser, out, errs io.Writer) (status int)
	// StartScreen returns the value for [User].StartScreen after Run has returned 0, and whether the session
	// continues in line mode. It returns false if the session ends.
	StartScreen() (screen any, inLineMode, ok bool)
}

// maxCommandTime is the time limit of commands that are not long-running.
const maxCommandTime = 15 * time.Second

// serveCommand runs the session's command. The session continues if there is no command, or if the command opens a
// screen or line mode.
func serveCommand(next ssh.Handler) ssh.Handler {
	return func(c ssh.Session) {
		s := c.(*session)
		if s.command == nil {
			next(c)
			return
		}
		status := s.runCommand()
		if screen, inLineMode, ok := s.command.StartScreen(); ok && status == 0 {
			s.user.StartScreen, s.lineMode = screen, inLineMode
			s.command = nil
			next(c)
			return
		}
		_ = s.Exit(status)
	}
}

func (s *session) runCommand() (status int) {
	limit := maxCommandTime
	if s.command.IsLongRunning() {
		limit = s.server.limits().SessionTime
	}
	ctx, cancel := context.WithTimeout(s.ctx, limit)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = s.input.Close() })()
	return s.command.Run(ctx, s.input, s, s.Stderr())
}

const (
	// maxWords is the number of words that are kept of a command line.
	maxWords = 64
	// maxWord is the number of characters that are kept of a word.
	maxWord = 100
)

// splitWords splits a command line into words and removes characters that cannot be shown.
func splitWords(line string) []string {
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
			// The words after it keep their positions.
			word = "?"
		}
		clean = append(clean, word)
	}
	return clean
}

// isShellScript reports whether a command line is a script that starts a shell. Wrappers such as kitten ssh
// request such a script where ssh alone would request a shell.
func isShellScript(words []string) bool {
	if len(words) == 0 {
		return false
	}
	// The server has a command called export, too.
	if words[0] == "export" {
		return len(words) > 1 && assignmentPattern.MatchString(words[1])
	}
	return assignmentPattern.MatchString(words[0]) || shellWords[path.Base(strings.Trim(words[0], `"'`))]
}

// assignmentPattern matches the start of a variable's assignment in a script.
var assignmentPattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// shellWords are the first words of scripts that start a shell.
var shellWords = map[string]bool{
	"exec": true, "env": true, "eval": true, "command": true, "$SHELL": true, "login": true,
	"ash": true, "bash": true, "csh": true, "dash": true, "fish": true, "ksh": true, "sh": true, "tcsh": true, "zsh": true,
}
