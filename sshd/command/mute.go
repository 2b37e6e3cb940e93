package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/session"
	"broadside/tui/format"
)

func init() { register(forOperators, 70, mute) }

func mute(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mute NAME|SESSION [--for TIME] [--reason TEXT]",
		Short: c.lang.Text("mute-a-player-a-guest"),
		Args:  atMost(maxTextWords),
	}
	span, reason := c.flags(cmd).expiry(), c.flags(cmd).reason()
	cmd.RunE = c.run(func(args []string) error {
		q := session.MutePlayer{}
		var err error
		if q.Expires, err = parseExpiry(*span); err != nil {
			return err
		}
		if q.Name, err = one(args, "name-a-player"); err != nil {
			return err
		}
		if q.Reason, err = parseReason(*reason, args); err != nil {
			return err
		}
		muted, err := ask(c, q)
		if err != nil {
			return err
		}
		name := format.Clean(muted.Name, 40)
		if muted.Guest && q.Expires.IsZero() {
			return c.print("muted-x-for-this-session", name)
		}
		return c.print("muted-x-x", name, c.until(q.Expires))
	})
	return cmd
}
