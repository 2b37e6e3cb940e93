package lines

import (
	"context"

	"broadside/lobby/account"
)

// follow follows a player.
func (c *chats) follow(name string) {
	switch {
	case name == "":
		c.print("Add a name.")
	case c.wait(func(ctx context.Context) error { return c.own.Follow(ctx, name) }):
		c.print("You follow %s.", clean(name))
	}
}

// unfollow undoes follow.
func (c *chats) unfollow(name string) {
	switch {
	case name == "":
		c.print("Add a name.")
	case c.wait(func(ctx context.Context) error { return c.own.Unfollow(ctx, name) }):
		c.print("You no longer follow %s.", clean(name))
	}
}

// listFriends lists the players that the player follows.
func (c *chats) listFriends(string) {
	all, err := ask(c.player, c.own.Friends)
	switch {
	case err != nil:
		c.fail(account.ErrStore)
	case len(all) == 0:
		c.print("You are not following anyone. To follow a player, type: follow NAME.")
	}
	for _, f := range all {
		name, rated := clean(f.Player.Name), c.rated(f.Player, c.chosen.Rules)
		switch {
		case f.Playing:
			c.print("%s is playing. To watch, type watch %s.", rated, name)
		case f.Online:
			c.print("%s is online. To play, type challenge %s.", rated, name)
		default:
			c.print("%s is offline.", rated)
		}
	}
}
