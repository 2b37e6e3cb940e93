package command

import (
	"context"
	"errors"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/lobby/session"
	"broadside/sshd"
)

// call is one run of a command by a user. The fields from ctx on are set when it starts.
type call struct {
	output
	cfg     Config
	exports chan struct{} // see [call.export]
	user    sshd.User
	actor   string // name in the operators' log; empty for commands that anyone may run

	ctx context.Context
	in  io.ReadCloser
	err io.Writer        // for everything except results
	own *session.Session // nil until it is used
}

// run returns the [cobra.Command.RunE] of a command that f implements.
func (c *call) run(f func(args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c.ctx, c.in, c.out, c.err = cmd.Context(), cmd.InOrStdin().(io.ReadCloser), cmd.OutOrStdout(), cmd.ErrOrStderr()
		defer c.close()
		return f(args)
	}
}

// session returns the user's session. The first call opens it.
func (c *call) session() (*session.Session, error) {
	if c.own != nil {
		return c.own, nil
	}
	own, err := c.cfg.Host.Open(c.ctx, session.Client{
		Name: c.user.Name, Fingerprint: c.user.Fingerprint, Addr: c.user.Addr, Conn: strconv.Itoa(c.user.Conn),
		Unlisted: true, Operator: c.actor,
	})
	if err == nil {
		c.own = own
	}
	return own, err
}

// close closes the session, if it is open.
func (c *call) close() {
	if c.own != nil {
		c.own.Close()
		c.own = nil
	}
}

// ask returns what read returns for the user's session.
func ask[R any](c *call, read func(own *session.Session) (R, error)) (R, error) {
	own, err := c.session()
	if err != nil {
		var none R
		return none, err
	}
	return read(own)
}

// do carries out an action in the user's session.
func (c *call) do(act func(own *session.Session) error) error {
	own, err := c.session()
	if err != nil {
		return err
	}
	return act(own)
}

// account returns the ID of the user's account. If there is none, it returns one
// of two errors: the user has no key, or no account has the key.
func (c *call) account(noKey, noAccount error) (string, error) {
	own, err := c.session()
	if err != nil {
		return "", err
	}
	if account := own.State().Me.Account; account != "" {
		return account, nil
	}
	if c.user.Fingerprint == "" {
		return "", noKey
	}
	return "", noAccount
}

// ownAccount returns the ID of the user's account, for a command that can also name a
// different player.
func (c *call) ownAccount() (string, error) {
	return c.account(
		sshd.UsageErrorf("you are a guest: name a player"),
		i18n.Errorf("you have no account yet: create one with ssh HOST register NAME, or name a player"))
}

// player returns the account with the given name.
func (c *call) player(name string) (store.Player, error) {
	p, err := ask(c, func(own *session.Session) (store.Player, error) {
		return own.FindAccount(c.ctx, narrate.FindBot(c.lang, name))
	})
	if errors.Is(err, store.ErrNotFound) {
		err = i18n.Errorf("there is no player called %q: ssh HOST leaderboard lists some", name)
	}
	return p, err
}
