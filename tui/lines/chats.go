package lines

import (
	"context"
	"strings"

	"broadside/lobby/account"
	"broadside/lobby/chat"
	"broadside/lobby/session"
)

// chats holds each room's messages, and has the commands for writing messages and
// muting players.
type chats struct {
	*player
	// rooms are indexed by [session.ChatKind].
	rooms [2]roomLines
}

// roomLines are a room's messages. isLoaded is set once an update has arrived.
type roomLines struct {
	lines    []chat.Line
	isLoaded bool
	// lastNumber is the newest line's number.
	lastNumber int
}

// updateRoom stores a room's lines and prints new ones of other players. It prints none from the first update, and
// during a match none from the lobby.
func (c *chats) updateRoom(room session.ChatKind, lines []chat.Line) {
	r := &c.rooms[room]
	for _, l := range lines {
		if l.Number <= r.lastNumber {
			continue
		}
		r.lastNumber = l.Number
		if r.isLoaded && c.mustPrint(room, l) {
			c.add(c.lineText(l))
		}
	}
	r.lines, r.isLoaded = lines, true
}

// mustPrint reports whether a new line is of interest to the player.
func (c *chats) mustPrint(room session.ChatKind, l chat.Line) bool {
	if room == session.LobbyChat && c.isPlaying() {
		return false
	}
	if l.From.Kind == account.Bot && c.settings.HideRemarks {
		return false
	}
	return l.From.ID != c.state.Me.ID
}

// lineText returns a chat line with its author.
func (c *chats) lineText(l chat.Line) string {
	switch {
	case l.From.ID == c.state.Me.ID:
		return c.lang.Text("You said: %s", l.Text)
	case l.BySpectator:
		return c.lang.Text("%s, a spectator, says: %s", collapseSpaces(l.From.Name), l.Text)
	}
	return c.lang.Text("%s says: %s", collapseSpaces(c.shortName(l.From)), l.TextIn(c.lang))
}

// currentChatKind returns the room in which the player's messages appear.
func (c *chats) currentChatKind() session.ChatKind {
	if c.session.State().HasChat {
		return session.MatchChat
	}
	return session.LobbyChat
}

func (c *chats) sendMessage(text string) {
	switch {
	case text == "":
		c.print("Type: say TEXT.")
	case c.isPlaying() && !c.session.State().HasChat:
		c.print("%s does not chat.", c.game.opponent)
	case c.runStoreAction(func(ctx context.Context) error { return c.session.Say(ctx, c.currentChatKind(), text) }):
		c.print("Sent.")
	}
}

// printMessages prints the latest messages again.
func (c *chats) printMessages(string) {
	const most = 5
	lines := c.rooms[c.currentChatKind()].lines
	if len(lines) == 0 {
		c.print("No messages yet.")
		return
	}
	for _, l := range lines[max(0, len(lines)-most):] {
		c.add(c.lineText(l))
	}
}

// findPlayer returns the player with a name, from the lobby or the authors of messages.
// Without a name, it returns the opponent.
func (c *chats) findPlayer(name string) (account.Player, bool) {
	if name == "" && c.isPlaying() {
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
	c.print("No player here is called %s.", shortenWord(name))
	return account.Player{}, false
}

// mutePlayer mutes a player for this session or permanently.
func (c *chats) mutePlayer(text string) {
	how := chat.MutedForSession
	if name, ok := strings.CutSuffix(strings.ToLower(text), "permanently"); ok {
		text, how = strings.TrimSpace(name), chat.MutedPermanently
	}
	c.setMuteState(text, how)
}

func (c *chats) unmutePlayer(name string) { c.setMuteState(name, chat.NotMuted) }

func (c *chats) setMuteState(name string, how chat.MuteState) {
	if name == "" && !c.isPlaying() {
		c.print("Add a name.")
		return
	}
	p, ok := c.findPlayer(name)
	if !ok || !c.runStoreAction(func(ctx context.Context) error { return c.session.SetMuteState(ctx, p, how) }) {
		return
	}
	switch how {
	case chat.NotMuted:
		c.print("%s is no longer muted.", collapseSpaces(p.Name))
	case chat.MutedForSession:
		c.print("%s is muted for this session.", collapseSpaces(p.Name))
	default:
		c.print("%s is muted permanently.", collapseSpaces(p.Name))
	}
}
