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
	usable   []Topic
	command  *Command
	args     []string
	options  *pflag.FlagSet

	ctx context.Context
	in  io.ReadCloser
	// err is for everything except results.
	err     io.Writer
	session *session.Session
	// operator is set for the commands of operators.
	operator session.Operations
	// defaults are the settings that options override.
	defaults   account.Settings
	ratingMode lobby.RatingMode
	// opensScreen is set if the command should open a screen or line mode instead of writing text.
	opensScreen bool
	// startScreen is set by requestScreen.
	startScreen *session.StartScreen
}

// requestScreen ends the command and continues the session with a screen, or in line mode.
func (c *Call) requestScreen(o session.StartScreen) error {
	c.startScreen = &o
	return nil
}

// argument returns an argument, or "" if the user did not give it.
func (c *Call) argument(i int) string {
	if i < len(c.args) {
		return c.args[i]
	}
	return ""
}

// joinArguments returns all arguments as one text, without surrounding quotation marks.
func (c *Call) joinArguments() string { return strings.Trim(strings.Join(c.args, " "), `"' `) }

// publicAddress returns where others find a page of the website, see [narrate.PublicAddress].
func (c *Call) publicAddress(path string) string {
	client := c.session.Client()
	return narrate.PublicAddress(client.Website, client.Address, path)
}

// keyFingerprint returns the user's fingerprint, or "" without a key.
func (c *Call) keyFingerprint() string { return c.session.Client().Fingerprint }

// requireAccount returns an error if the user has no account.
func (c *Call) requireAccount() error {
	switch {
	case c.session.State().Me.Account != "":
		return nil
	case c.keyFingerprint() == "":
		return i18n.Errorf("you are a guest, and this needs an account: connect with an SSH key")
	}
	return i18n.Errorf("you have no account yet: ssh HOST register NAME creates one")
}

// findPlayerID returns the ID of the account with a name. Without a name, it returns that of the user's
// account.
func (c *Call) findPlayerID(name string) (id string, err error) {
	if name == "" {
		return c.ownAccountID()
	}
	p, err := c.session.FindAccount(c.ctx, narrate.ParseBotName(c.lang, name))
	if errors.Is(err, store.ErrNotFound) {
		err = i18n.Errorf("there is no player called %q: ssh HOST leaderboard lists some", name)
	}
	return p.ID, err
}

// ownAccountID returns the ID of the user's account. Its errors suit commands that can also name a different
// player.
func (c *Call) ownAccountID() (string, error) {
	account := c.session.State().Me.Account
	if account != "" {
		return account, nil
	}
	if c.keyFingerprint() == "" {
		return "", usageErrorf("you are a guest: name a player")
	}
	return "", i18n.Errorf("you have no account yet: create one with ssh HOST register NAME, or name a player")
}

// run checks that the user may run the command, and runs it.
func (c *Call) run() error {
	if c.command.Who == Accounts {
		if err := c.requireAccount(); err != nil {
			return err
		}
	}
	return c.command.Run(c)
}

// reportError writes why the command failed, if it did, and returns the exit status.
func (c *Call) reportError(err error) (status int) {
	var usage usageError
	var said i18n.LocalizedError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errNoTurn):
		return 1
	case errors.Is(err, pflag.ErrHelp):
		return exitStatus(c.writeHelp(ListByFirstWord(c.usable, firstWord(c.command.Name))...))
	case errors.As(err, &usage):
		fmt.Fprintln(c.err, narrate.ErrorSentence(c.lang, usage.error))
		for _, usage := range c.command.usages(!c.forLineMode, true) {
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
	Session *session.Session
	// Settings apply where the user gives no options.
	Settings account.Settings
	Language i18n.Language
}

// RunInLineMode runs a command in line mode. It returns what the command writes, one sentence or row on each
// line, and the screen that it opens, if any.
func (c *Commands) RunInLineMode(
	ctx context.Context, s Shell, command *Command, words []string,
) (text string, screen *session.StartScreen) {
	var out strings.Builder
	call := &Call{
		output: output{&out, s.Language, true}, commands: c, usable: c.LineModeTopics(), command: command,
		ctx: ctx, err: &out,
		session: s.Session, defaults: s.Settings, ratingMode: s.Settings.RatingMode(),
	}
	err := call.parse(words)
	if err == nil {
		err = call.run()
	}
	call.reportError(err)
	return out.String(), call.startScreen
}
