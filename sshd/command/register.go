package command

import (
	"strings"

	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/lobby/session"
	"broadside/sshd"
)

func registerAccount(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "register NAME [--json]",
		Short: c.lang.Text("create an account for your key"),
		Args:  atMost(1),
	}
	asJSON := c.flags(cmd).json()
	cmd.RunE = c.named("name your account, such as ssh HOST register ann", func(name string) error {
		own, err := c.session()
		if err != nil {
			return err
		}
		me := own.State().Me
		switch {
		case c.user.Fingerprint == "":
			return sshd.UsageErrorf("you are a guest: an account needs a key")
		case me.Account != "" && !strings.EqualFold(me.Name, name):
			return i18n.Errorf("your key already belongs to the account %s", me.Name)
		case me.Account == "":
			if err := c.do(func(own *session.Session) error { return own.Register(c.ctx, name) }); err != nil {
				return err
			}
		}
		return c.whoami(*asJSON)
	})
	return cmd
}
