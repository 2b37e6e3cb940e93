package sshd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/internal/sanitize"
)

// Annotations of commands. A command without annotations writes to its output and ends
// soon.
const (
	Lasts           = "lasts"              // counts as a session and may last as long as one
	OpensScreen     = "screen"             // opens a screen, or line mode if no screen can be shown
	OpensAtTerminal = "screen-at-terminal" // the same, but only at a terminal
	OpensLineMode   = "line-mode"          // always opens line mode
)

// plainFlag selects line mode for a command that opens a screen.
const plainFlag = "--plain"

// CommandLine is the command line of a session, as in "ssh HOST NAME ARGS". Its
// commands are created for it, in the user's language, and run once.
type CommandLine struct {
	Commands []*cobra.Command // see [Config]; the help itself is added
	Words    []string         // the name and the arguments, as split by words
	Terminal bool             // the session has a terminal
	Language i18n.Language
	MaxTime  time.Duration // for a command that lasts
	In       io.ReadCloser // closed if the command takes too long, which ends a pending Read
	Out, Err io.Writer
	Log      *slog.Logger

	opened  bool
	opening any
}

// Opening returns the opening that the command has passed to [Open], and reports
// whether it has called it.
func (l *CommandLine) Opening() (opening any, ok bool) { return l.opening, l.opened }

type commandLineKey struct{}

func commandLineOf(c *cobra.Command) *CommandLine {
	return c.Context().Value(commandLineKey{}).(*CommandLine)
}

// Opens reports whether a running command should call [Open] instead of writing
// to its output.
func Opens(c *cobra.Command) bool {
	return commandLineOf(c).opens(c)
}

// Open requests a screen or line mode, which is shown when the running command returns
// nil. The [App] finds the opening in [User].Opening.
func Open(c *cobra.Command, opening any) {
	l := commandLineOf(c)
	l.opening, l.opened = opening, true
}

// commandTime limits a command without the annotation Lasts.
const commandTime = 15 * time.Second

const tooLong i18n.Key = "This session has reached its time limit."

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
		if runes := []rune(word); len(runes) > maxWord {
			word = string(runes[:maxWord])
		}
		if word == "" {
			word = "?" // keeps the position of the word
		}
		clean = append(clean, word)
	}
	return clean
}

// trimDashes returns the name that a word such as "--version" stands for.
func trimDashes(word string) string { return strings.TrimLeft(word, "-") }

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

// find returns the command with a name, which may begin with dashes; nil if there
// is none.
func (l *CommandLine) find(name string) *cobra.Command {
	name = trimDashes(name)
	i := slices.IndexFunc(l.Commands, func(c *cobra.Command) bool { return c.Name() == name || c.HasAlias(name) })
	if i < 0 {
		return nil
	}
	return l.Commands[i]
}

// lasts reports whether the command counts as a session.
func (l *CommandLine) lasts() bool {
	c := l.find(l.Words[0])
	return c != nil && (has(c, Lasts) || l.opens(c))
}

// opens reports whether a command should open a screen or line mode.
func (l *CommandLine) opens(c *cobra.Command) bool {
	return has(c, OpensScreen) || has(c, OpensLineMode) || has(c, OpensAtTerminal) && (l.Terminal || l.wantsLines())
}

// wantsLines reports whether the command line asks for line mode.
func (l *CommandLine) wantsLines() bool {
	c := l.find(l.Words[0])
	return c != nil && (has(c, OpensLineMode) || (has(c, OpensScreen) || has(c, OpensAtTerminal)) && slices.Contains(l.Words, plainFlag))
}

func has(c *cobra.Command, annotation string) bool {
	_, ok := c.Annotations[annotation]
	return ok
}

// Run runs the command and returns its exit status: 0, 1 if it failed, or 2 if
// the command line is wrong.
func (l *CommandLine) Run(ctx context.Context) (status int) {
	lasts, most := l.lasts(), commandTime
	if lasts {
		most = l.MaxTime
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = l.In.Close() })()
	c, err := l.execute(ctx)
	if lasts && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		fmt.Fprintln(l.Err, l.Language.Text(tooLong))
		return 1
	}
	return l.report(ctx, c, err)
}

// errLeft is the error of a command whose client has left.
var errLeft = errors.New("the client has left")

// execute runs the command and returns it with its error.
func (l *CommandLine) execute(ctx context.Context) (*cobra.Command, error) {
	name := trimDashes(l.Words[0])
	if l.find(name) == nil && name != helpName {
		return nil, l.unknown(l.Words[0])
	}
	out := &clientWriter{Writer: l.Out}
	root := l.root()
	root.SetArgs(append([]string{name}, l.arguments()...))
	root.SetIn(l.In)
	root.SetOut(out)
	root.SetErr(l.Err)
	c, err := root.ExecuteContextC(context.WithValue(ctx, commandLineKey{}, l))
	if out.err != nil {
		return c, errLeft
	}
	return c, err
}

// arguments returns the words after the name that are passed to the command.
func (l *CommandLine) arguments() []string {
	if !l.wantsLines() {
		return l.Words[1:]
	}
	return slices.DeleteFunc(slices.Clone(l.Words[1:]), func(w string) bool { return w == plainFlag })
}

// root returns the parent of all commands. Cobra's own texts are English only, so it
// prints none of them.
func (l *CommandLine) root() *cobra.Command {
	root := &cobra.Command{Use: "ssh", SilenceErrors: true, SilenceUsage: true}
	root.CompletionOptions.DisableDefaultCmd = true
	help := l.helpCommand()
	root.SetHelpCommand(help)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { _ = l.describe(c) }) // Run reports write errors
	root.AddCommand(append(slices.Clone(l.Commands), help)...)
	return root
}

// clientWriter keeps the error of a write to a client that has left.
type clientWriter struct {
	io.Writer
	err error
}

// Write implements [io.Writer].
func (w *clientWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		w.err = err
	}
	return n, err
}
