package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
)

// Call is one run of a command by a user.
type Call struct {
	output
	commands *Commands
	usable   []Topic // the commands that the user may use
	command  *Command
	args     []string
	options  *pflag.FlagSet

	ctx context.Context
	in  io.ReadCloser
	err io.Writer // for everything except results
	own *session.Session
	// operator is for the commands of operators.
	operator session.Operations
	// defaults are the settings that options override, and stakes those of matches without --casual.
	defaults account.Settings
	stakes   lobby.Stakes
	// screen reports whether the command should open a screen or line mode instead of writing text.
	screen  bool
	opening *session.StartScreen // set by open
}

// open requests a screen or line mode. In line mode, the session continues there.
func (c *Call) open(o session.StartScreen) error {
	c.opening = &o
	return nil
}

// arg returns an argument, or "" if it was not given.
func (c *Call) arg(i int) string {
	if i < len(c.args) {
		return c.args[i]
	}
	return ""
}

// text returns all arguments as one text, without quotation marks around it.
func (c *Call) text() string { return strings.Trim(strings.Join(c.args, " "), `"' `) }

// key returns the fingerprint of the user's key, or "".
func (c *Call) key() string { return c.own.Client().Fingerprint }

// checkAccount returns an error if the user has no account.
func (c *Call) checkAccount() error {
	switch {
	case c.own.State().Me.Account != "":
		return nil
	case c.key() == "":
		return i18n.Errorf("you are a guest, and this needs an account: connect with an SSH key")
	}
	return i18n.Errorf("you have no account yet: ssh HOST register NAME creates one")
}

// player returns the account with a name. Without a name, it returns the user's account.
func (c *Call) player(name string) (id string, err error) {
	if name == "" {
		return c.ownAccount()
	}
	p, err := c.own.FindAccount(c.ctx, narrate.ParseBotName(c.lang, name))
	if errors.Is(err, store.ErrNotFound) {
		err = i18n.Errorf("there is no player called %q: ssh HOST leaderboard lists some", name)
	}
	return p.ID, err
}

// ownAccount returns the ID of the user's account, for a command that can also name a different player.
func (c *Call) ownAccount() (string, error) {
	switch account := c.own.State().Me.Account; {
	case account != "":
		return account, nil
	case c.key() == "":
		return "", usageErrorf("you are a guest: name a player")
	}
	return "", i18n.Errorf("you have no account yet: create one with ssh HOST register NAME, or name a player")
}

// run checks who uses the command, and runs it.
func (c *Call) run() error {
	if c.command.Who == Accounts {
		if err := c.checkAccount(); err != nil {
			return err
		}
	}
	return c.command.Run(c)
}

// report writes why the command failed, and returns the exit status.
func (c *Call) report(err error) (status int) {
	var usage usageError
	var said i18n.LocalizedError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, pflag.ErrHelp):
		return exitStatus(c.writeHelp(ListByFirstWord(c.usable, firstWord(c.command.Name))...))
	case errors.As(err, &usage):
		fmt.Fprintln(c.err, narrate.ErrorSentence(c.lang, usage.error))
		for _, usage := range c.command.usages(!c.spoken, true) {
			fmt.Fprintln(c.err, c.lang.Text("Usage: %s", usage))
		}
		return 2
	case errors.As(narrate.Localize(err), &said):
		fmt.Fprintln(c.err, narrate.ErrorSentence(c.lang, said))
	case errors.Is(c.ctx.Err(), context.DeadlineExceeded) && c.command.LongRunning:
		fmt.Fprintln(c.err, c.lang.Text("This session has reached its time limit."))
	case !errors.Is(c.ctx.Err(), context.Canceled):
		c.commands.cfg.Log.Error("command failed", "command", c.command.Name, "error", err)
		fmt.Fprintln(c.err, c.lang.Text("The data can't be read right now. Try again in a minute."))
	}
	return 1
}

// Shell is the session in which line mode runs commands.
type Shell struct {
	Session  *session.Session
	Settings account.Settings // replace those of options that are not given
	Language i18n.Language
}

// RunInLineMode runs a command in line mode. It returns what the command says, one sentence or row on a line, and what
// it opens, which may be nil.
func (c *Commands) RunInLineMode(ctx context.Context, s Shell, command *Command, words []string) (said string, o *session.StartScreen) {
	var out strings.Builder
	call := &Call{
		output: output{&out, s.Language, true}, commands: c, usable: c.LineModeTopics(), command: command, ctx: ctx, err: &out,
		own: s.Session, defaults: s.Settings, stakes: s.Settings.Stakes(),
	}
	err := call.parse(words)
	if err == nil {
		err = call.run()
	}
	call.report(err)
	return out.String(), call.opening
}
