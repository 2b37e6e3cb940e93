package command

import (
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/sshd"
)

func broadcast(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "broadcast TEXT",
		Short: c.lang.Text("show a message to everyone connected"),
		Args:  atMost(maxTextWords),
		RunE: c.run(func(args []string) error {
			text := strings.Join(args, " ")
			switch {
			case text == "":
				return sshd.UsageErrorf("the message is empty")
			case utf8.RuneCountInString(text) > lobby.MaxAnnouncement:
				return sshd.UsageErrorf("the message is too long: at most %d characters fit on every screen", lobby.MaxAnnouncement)
			}
			if err := c.do(func(own *session.Session) error { return own.Announce(c.ctx, text) }); err != nil {
				return err
			}
			return c.print("sent")
		}),
	}
}
