package command

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/sshd"
)

// Line is a user's command line, as in "ssh HOST NAME ARGS". It implements [sshd.Command].
type Line struct {
	*Commands
	user   sshd.User
	words  []string
	usable []Topic
	// call is nil if there is no such command.
	call *Call
	// problem is what is wrong with the command line.
	problem error
}

// ParseLine returns a user's command line. The words must not be empty.
func (c *Commands) ParseLine(user sshd.User, words []string) *Line {
	l := &Line{Commands: c, user: user, words: words, usable: c.usableTopics(c.cfg.Operator.actorName(user.Fingerprint))}
	command, rest := Find(l.usable, append([]string{trimDashes(words[0])}, words[1:]...))
	if command != nil {
		l.call = &Call{
			output: output{lang: user.Language}, commands: c, usable: l.usable, command: command,
			defaults: account.DefaultSettings(),
		}
		l.problem = l.call.parse(rest)
		l.call.opensScreen = l.mustOpenScreen()
	}
	return l
}

// trimDashes returns the command that a word such as "--version" stands for.
func trimDashes(word string) string { return strings.TrimLeft(word, "-") }

// wantsLineMode reports whether the command line asks for line mode.
func (l *Line) wantsLineMode() bool {
	return l.call != nil && (l.call.command.Opens == LineMode || l.problem == nil && l.call.hasOption("plain"))
}

// mustOpenScreen reports whether the command must open a screen or line mode.
func (l *Line) mustOpenScreen() bool {
	switch l.call.command.Opens {
	case Nothing:
		return false
	case AtTerminal:
		return l.user.Terminal || l.wantsLineMode()
	}
	return true
}

// IsLongRunning implements [sshd.Command].
func (l *Line) IsLongRunning() bool {
	return l.call != nil && (l.call.command.LongRunning || l.call.opensScreen)
}

// StartScreen implements [sshd.Command].
func (l *Line) StartScreen() (screen any, inLineMode, ok bool) {
	if l.call == nil || l.call.startScreen == nil {
		return nil, false, false
	}
	return *l.call.startScreen, l.wantsLineMode(), true
}

// Run implements [sshd.Command]. The exit status is 0, or 1 if the command failed, or 2 if the command line is
// wrong.
func (l *Line) Run(ctx context.Context, in io.ReadCloser, out, errs io.Writer) (status int) {
	if l.call == nil {
		return l.answerHelp(out, errs)
	}
	w := &clientWriter{Writer: out}
	l.call.ctx, l.call.in, l.call.out, l.call.err = ctx, in, w, errs
	err := l.run()
	if w.err != nil {
		// The client has left.
		return 1
	}
	return l.call.reportError(err)
}

// run runs the command in a new session of the user.
func (l *Line) run() error {
	c := l.call
	if l.problem != nil {
		return l.problem
	}
	if c.opensScreen && c.command.Opens == AtTerminal {
		name := c.firstOption()
		if name != "" {
			return usageErrorf("--%s needs a plain connection: run it without -t", name)
		}
	}
	actor := ""
	if c.command.Who == Operators {
		actor = l.cfg.Operator.actorName(l.user.Fingerprint)
	}
	var err error
	c.session, err = l.cfg.Host.Open(c.ctx, session.Client{
		Name: l.user.Name, Fingerprint: l.user.Fingerprint, Addr: l.user.Addr, Conn: strconv.Itoa(l.user.Conn),
		Unlisted: true, Operator: actor, Address: l.user.ServerAddr,
	})
	if err != nil {
		return err
	}
	defer c.session.Close()
	if c.command.Who == Operators {
		c.operator, err = c.session.Operations()
		if err != nil {
			return err
		}
	}
	return c.run()
}

// firstOption returns the name of the first given option except --plain, or "".
func (c *Call) firstOption() (name string) {
	c.options.Visit(func(f *pflag.Flag) {
		if name == "" && f.Name != "plain" {
			name = f.Name
		}
	})
	return name
}

// clientWriter remembers a write error, which means that the client has left.
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
