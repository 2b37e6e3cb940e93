package command

import (
	"github.com/spf13/cobra"

	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/sshd"
)

func join(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:         "join CODE",
		Short:       c.lang.Text("join a private match"),
		Args:        atMost(1),
		Annotations: map[string]string{sshd.OpensScreen: ""},
	}
	cmd.RunE = c.run(func(args []string) error {
		text, err := one(args, "join needs the code of a private match")
		if err != nil {
			return err
		}
		code, err := lobby.ParseCode(text)
		if err == nil {
			_, err = ask(c, func(own *session.Session) (session.PrivateMatch, error) { return own.FindPrivate(code) })
		}
		if err != nil {
			return sshd.UsageError{Err: err}
		}
		sshd.Open(cmd, session.Opening{PrivateCode: code})
		return nil
	})
	return cmd
}
