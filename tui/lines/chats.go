package lines

import (
	"context"
	"strings"

	"broadside/lobby/account"
	"broadside/lobby/chat"
	"broadside/lobby/session"
)

// chats holds the messages of each room, and has the commands for writing messages and
// muting players.
type chats struct {
	*player
	rooms [2]chatLines // by [session.ChatKind]
}

// chat is the messages of a room.
type chatLines struct {
	lines []chat.Line
	began bool // an update has arrived
	told  int  // number of the newest line in an update
}

// update handles new lines in a room. It keeps silent about the lobby during a match.
func (c *chats) update(room session.ChatKind, lines []chat.Line) {
	r := &c.rooms[room]
	for _, l := range lines {
		if l.Number <= r.told {
			continue
		}
		r.told = l.Number
		if r.began && l.From.ID != c.state.Me.ID && !(room == session.LobbyChat && c.playing()) {
			c.add(c.quote(l))
		}
	}
	r.lines, r.began = lines, true
}

// quote returns a line with its author.
func (c *chats) quote(l chat.Line) string {
	switch {
	case l.From.ID == c.state.Me.ID:
		return c.l.Text("You said: %s", l.Text)
	case l.BySpectator:
		return c.l.Text("%s, a spectator, says: %s", clean(l.From.Name), l.Text)
	}
	return c.l.Text("%s says: %s", clean(l.From.Name), l.Text)
}

// room returns the room in which the player's messages appear.
func (c *chats) room() session.ChatKind {
	if c.own.State().HasChat {
		return session.MatchChat
	}
	return session.LobbyChat
}

// send sends a message.
func (c *chats) send(text string) {
	switch {
	case text == "":
		c.print("Type: say TEXT.")
	case c.playing() && !c.own.State().HasChat:
		c.print("%s does not chat.", c.game.opponent)
	case c.wait(func(ctx context.Context) error { return c.own.Say(ctx, c.room(), text) }):
		c.print("Sent.")
	}
}

// printLast repeats the latest messages.
func (c *chats) printLast(string) {
	const most = 5
	lines := c.rooms[c.room()].lines
	if len(lines) == 0 {
		c.print("No messages yet.")
		return
	}
	for _, l := range lines[max(0, len(lines)-most):] {
		c.add(c.quote(l))
	}
}

// find returns the player with a name, from the lobby or the authors of messages.
// Without a name, it returns the opponent.
func (c *chats) find(name string) (account.Player, bool) {
	if name == "" && c.playing() {
		return c.game.Opponent, true
	}
	for _, p := range c.state.Lobby.People {
		if strings.EqualFold(p.Player.Name, name) {
			return p.Player, true
		}
	}
	for _, room := range []session.ChatKind{session.MatchChat, session.LobbyChat} {
		for _, l := range c.rooms[room].lines {
			if strings.EqualFold(l.From.Name, name) {
				return l.From, true
			}
		}
	}
	c.print("No player here is called %s.", quote(name))
	return account.Player{}, false
}

// mute mutes a player for this session or permanently.
func (c *chats) mute(text string) {
	how := chat.MutedNow
	if name, ok := strings.CutSuffix(strings.ToLower(text), "permanently"); ok {
		text, how = strings.TrimSpace(name), chat.MutedPermanently
	}
	c.setHearing(text, how)
}

func (c *chats) unmute(name string) { c.setHearing(name, chat.Audible) }

func (c *chats) setHearing(name string, how chat.Hearing) {
	if name == "" && !c.playing() {
		c.print("Add a name.")
		return
	}
	p, ok := c.find(name)
	if !ok || !c.wait(func(ctx context.Context) error { return c.own.SetMuteState(ctx, p, how) }) {
		return
	}
	switch how {
	case chat.Audible:
		c.print("%s is no longer muted.", clean(p.Name))
	case chat.MutedNow:
		c.print("%s is muted for this session.", clean(p.Name))
	default:
		c.print("%s is muted permanently.", clean(p.Name))
	}
}
