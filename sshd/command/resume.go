package command

import (
	"github.com/spf13/cobra"

	"broadside/sshd"
	"broadside/tui"
)

func init() { register(forEveryone, 20, resume) }

func resume(c *call) *cobra.Command {
	return &cobra.Command{
		Use:         "resume [CODE]",
		Short:       c.lang.Text("continue-a-match-your-own"),
		Args:        atMost(1),
		Annotations: map[string]string{sshd.OpensScreen: ""},
		RunE: func(cmd *cobra.Command, args []string) error {
			o := tui.Opening{Mine: true}
			if len(args) > 0 {
				o = tui.Opening{Seat: args[0]}
			}
			sshd.Open(cmd, o)
			return nil
		},
	}
}
