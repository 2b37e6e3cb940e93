package lines

import (
	"context"

	"broadside/lobby/account"
)

// follow follows a player.
func (c *chats) follow(name string) {
	switch {
	case name == "":
		c.print("add-a-name")
	case c.wait(func(ctx context.Context) error { return c.own.Follow(ctx, name) }):
		c.print("you-follow-x", clean(name))
	}
}

// unfollow undoes follow.
func (c *chats) unfollow(name string) {
	switch {
	case name == "":
		c.print("add-a-name")
	case c.wait(func(ctx context.Context) error { return c.own.Unfollow(ctx, name) }):
		c.print("you-no-longer-follow-x", clean(name))
	}
}

// listFriends lists the players that the player follows.
func (c *chats) listFriends(string) {
	all, err := ask(c.player, c.own.Friends)
	switch {
	case err != nil:
		c.fail(account.ErrStore)
	case len(all) == 0:
		c.print("you-follow-nobody-say")
	}
	for _, f := range all {
		name, rated := clean(f.Player.Name), c.rated(f.Player, c.chosen.Rules)
		switch {
		case f.Playing:
			c.print("x-is-playing-watch", rated, name)
		case f.Online:
			c.print("x-is-online-challenge", rated, name)
		default:
			c.print("x-is-offline", rated)
		}
	}
}
