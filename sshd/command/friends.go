package command

import (
	"context"

	"github.com/spf13/cobra"

	"broadside/internal/export"
	"broadside/internal/i18n"
	"broadside/internal/view"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/sshd"
	"broadside/tui/text"
)

func friends(c *call) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "friends [add NAME | remove NAME] [--json]",
		Short: c.lang.Text("list the players you follow, and show which are online"),
		Args:  atMost(2),
	}
	asJSON := c.flags(cmd).json()
	cmd.RunE = c.run(func(args []string) error {
		if _, err := c.account(i18n.Errorf("to follow players, connect with an SSH key"), i18n.Errorf("to follow players, choose a name first")); err != nil {
			return err
		}
		switch {
		case len(args) == 0:
			return c.friends(*asJSON)
		case len(args) == 2 && args[0] == "add":
			return c.changeFriends((*session.Session).Follow, "You follow %s.", args[1])
		case len(args) == 2 && args[0] == "remove":
			return c.changeFriends((*session.Session).Unfollow, "You no longer follow %s.", args[1])
		}
		return sshd.UsageErrorf("friends: use add NAME, remove NAME, or no argument")
	})
	return cmd
}

type changeFriend func(own *session.Session, ctx context.Context, name string) error

func (c *call) changeFriends(change changeFriend, done i18n.Key, name string) error {
	if err := c.do(func(own *session.Session) error { return change(own, c.ctx, name) }); err != nil {
		return err
	}
	return c.print(done, text.Clean(name, 40))
}

// friends lists the players that the user follows.
func (c *call) friends(asJSON bool) error {
	all, err := ask(c, func(own *session.Session) ([]session.Friend, error) { return own.Friends(c.ctx) })
	if err != nil {
		return err
	}
	if asJSON {
		return c.json(export.Friends(all))
	}
	if len(all) == 0 {
		return c.print("You are not following anyone. To follow a player, run: friends add NAME")
	}
	return c.table(view.Table(c.lang, view.FriendsHeads, view.Friends(c.lang, all, match.Classic())))
}
