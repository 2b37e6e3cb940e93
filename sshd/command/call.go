package command

import (
	"context"
	"errors"
	"io"
	"strconv"
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
	command  *Command
	args     []string
	options  *pflag.FlagSet

	ctx context.Context
	in  io.ReadCloser
	err io.Writer // for everything except results
	own *session.Session
	// defaults are the settings that options override, and stakes those of matches without --casual.
	defaults account.Settings
	stakes   lobby.Stakes
	// screen reports whether the command should open a screen or line mode instead of writing text.
	screen  bool
	opening *session.Opening // set by open
}

// open requests a screen or line mode. In line mode, the session continues there.
func (c *Call) open(o session.Opening) error {
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
	p, err := c.own.FindAccount(c.ctx, narrate.FindBot(c.lang, name))
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

// client describes the user of a command line to the host of sessions.
func (l *Line) client(actor string) session.Client {
	return session.Client{
		Name: l.user.Name, Fingerprint: l.user.Fingerprint, Addr: l.user.Addr, Conn: strconv.Itoa(l.user.Conn),
		Unlisted: true, Operator: actor,
	}
}
