package command

import (
	"github.com/spf13/cobra"

	"broadside/lobby/session"
	"broadside/sshd"
)

func resume(c *call) *cobra.Command {
	return &cobra.Command{
		Use:         "resume [CODE]",
		Short:       c.lang.Text("continue a match: your own, or by a resume code"),
		Args:        atMost(1),
		Annotations: map[string]string{sshd.OpensScreen: ""},
		RunE: func(cmd *cobra.Command, args []string) error {
			o := session.Opening{Mine: true}
			if len(args) > 0 {
				o = session.Opening{Seat: args[0]}
			}
			sshd.Open(cmd, o)
			return nil
		},
	}
}
