package command

import (
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"broadside/internal/session"
	"broadside/sshd"
)

func init() { register(forOperators, 100, broadcast) }

func broadcast(c *call) *cobra.Command {
	return &cobra.Command{
		Use:   "broadcast TEXT",
		Short: c.lang.Say("Show a line to all who are here"),
		Args:  atMost(maxTextWords),
		RunE: c.run(func(args []string) error {
			text := strings.Join(args, " ")
			switch {
			case text == "":
				return sshd.UsageErrorf("there is nothing to say")
			case utf8.RuneCountInString(text) > session.MaxAnnouncement:
				return sshd.UsageErrorf("at most %d characters fit on every screen", session.MaxAnnouncement)
			}
			if err := c.do(session.Announce{Text: text}); err != nil {
				return err
			}
			return c.print("said")
		}),
	}
}
