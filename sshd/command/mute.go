package command

import (
	"github.com/spf13/cobra"

	"broadside/lobby/session"
	"broadside/tui/text"
)

func mute(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mute NAME|SESSION [--for TIME] [--reason TEXT]",
		Short: c.lang.Text("mute a player (a guest: until they disconnect)"),
		Args:  atMost(maxTextWords),
	}
	span, reason := c.flags(cmd).expiry(), c.flags(cmd).reason()
	cmd.RunE = c.run(func(args []string) error {
		expires, err := parseExpiry(*span)
		if err != nil {
			return err
		}
		name, err := one(args, "name a player")
		if err != nil {
			return err
		}
		why, err := parseReason(*reason, args)
		if err != nil {
			return err
		}
		muted, err := ask(c, func(own *session.Session) (session.Muting, error) {
			return own.MutePlayer(c.ctx, name, expires, why)
		})
		if err != nil {
			return err
		}
		name = text.Clean(muted.Name, 40)
		if muted.Guest && expires.IsZero() {
			return c.print("muted: %s, for this session", name)
		}
		return c.print("muted: %s, %s", name, c.until(expires))
	})
	return cmd
}
