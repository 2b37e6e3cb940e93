package command

import (
	"github.com/spf13/cobra"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/sshd"
)

func init() { register(forOperators, 110, lockdown) }

func lockdown(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "lockdown [on|off]",
		Short: c.lang.Say("Let nobody in but who is here or allowed; end that; or tell whether it is so"),
		Args:  atMost(1),
		RunE: c.run(func(args []string) error {
			if len(args) > 0 {
				if args[0] != "on" && args[0] != "off" {
					return sshd.UsageErrorf("lockdown is on or off")
				}
				if err := c.do(session.SetLockdown{On: args[0] == "on"}); err != nil {
					return err
				}
			}
			locked, err := ask(c, session.LockedDown{})
			if err != nil {
				return err
			}
			state := i18n.Text("lockdown: off")
			if locked {
				state = "lockdown: on"
			}
			return c.print(state)
		}),
	}
}
