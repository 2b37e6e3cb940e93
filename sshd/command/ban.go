package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/lobby/session"
)

func ban(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "ban NAME|FINGERPRINT|ADDRESS[/PREFIX] [--for TIME] [--reason TEXT]",
		Short: c.lang.Text("ban a player, key, address or network"),
		Args:  atMost(maxTextWords),
	}
	span, reason := c.flags(cmd).expiry(), c.flags(cmd).reason()
	cmd.RunE = c.run(func(args []string) error {
		s, err := c.banSubject(args)
		if err != nil {
			return err
		}
		if err := c.spare(s); err != nil {
			return err
		}
		expires, err := parseExpiry(*span)
		if err != nil {
			return err
		}
		why, err := parseReason(*reason, args)
		if err != nil {
			return err
		}
		banned, err := ask(c, func(own *session.Session) (session.Banned, error) { return own.Ban(c.ctx, s, expires, why) })
		if err != nil {
			return err
		}
		for _, b := range banned.Bans {
			c.print("banned: %s, %s", b.Subject(), c.until(b.Expires))
		}
		return c.print("disconnected: %s", c.lang.Text("%d connection||%d connections", banned.Cut))
	})
	return cmd
}

// spare returns an error if a ban would lock an operator out.
func (c *call) spare(s session.Subject) error {
	for _, k := range s.Keys {
		if _, ok := c.cfg.Operator.Admins.Name(k); ok {
			return i18n.Errorf("that is an operator's key: remove it from the operators' keys first")
		}
	}
	all, err := c.sessions()
	if err != nil {
		return err
	}
	for _, h := range all {
		if h.Fingerprint == c.user.Fingerprint && s.Covers(h.Fingerprint, h.Addr, "") {
			return i18n.Errorf("%s is your own address", h.Addr)
		}
	}
	return nil
}
