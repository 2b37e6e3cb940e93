package command

import (
	"github.com/spf13/cobra"

	"broadside/lobby/session"
	"broadside/sshd"
)

func plain(c *call) *cobra.Command {
	return &cobra.Command{
		Use:         "plain",
		Short:       c.lang.Text("play with typed commands and sentences, for screen readers"),
		Args:        atMost(0),
		Annotations: map[string]string{sshd.OpensLineMode: ""},
		RunE: func(cmd *cobra.Command, _ []string) error {
			sshd.Open(cmd, session.Opening{})
			return nil
		},
	}
}
