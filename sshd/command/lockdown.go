package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/lobby/session"
	"broadside/sshd"
)

func lockdown(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "lockdown [on|off]",
		Short: c.lang.Text("let in only existing accounts: on, off, or show the state"),
		Args:  atMost(1),
		RunE: c.run(func(args []string) error {
			if len(args) > 0 {
				if args[0] != "on" && args[0] != "off" {
					return sshd.UsageErrorf("lockdown must be on or off")
				}
				if err := c.do(func(own *session.Session) error { return own.SetLockdown(c.ctx, args[0] == "on") }); err != nil {
					return err
				}
			}
			locked, err := ask(c, func(own *session.Session) (bool, error) { return own.LockedDown() })
			if err != nil {
				return err
			}
			state := i18n.Key("lockdown: off")
			if locked {
				state = "lockdown: on"
			}
			return c.print(state)
		}),
	}
}
