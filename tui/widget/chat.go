package widget

import (
	"context"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/sanitize"
	"broadside/lobby/account"
	"broadside/lobby/chat"
	"broadside/lobby/session"
	"broadside/tui/term"
	"broadside/tui/text"
)

// newMessageTime is how long a new chat message is shown during a match.
const newMessageTime = 12 * time.Second

// Chat holds the messages of a room.
type Chat struct {
	Lines []chat.Line

	room   session.Room
	id     string          // match ID; empty for the lobby
	other  *account.Player // the opponent, if the player plays the match
	newest int             // the number of the newest line
	until  time.Time       // when the newest line stops being shown as new
	unsent string          // a rejected message, kept for another try
	muted  account.Player  // the player whose muting changed last; without an ID: none
}

// NewChat returns the chat of a match or, if id is empty, of the lobby. Other is the
// opponent if the player plays the match.
func NewChat(id string, other *account.Player) *Chat {
	c := &Chat{room: session.InMatch, id: id, other: other}
	if id == "" {
		c.room = session.InLobby
	}
	return c
}

// Receive applies an update if it concerns this chat.
func (c *Chat) Receive(u session.Update, now time.Time) {
	if u.Kind != session.ChatChanged || u.Room != c.room || u.ID != c.id && c.room != session.InLobby {
		return
	}
	if n := len(u.Lines); n > 0 && u.Lines[n-1].Number > c.newest {
		c.newest = u.Lines[n-1].Number
		if at := u.Lines[n-1].At; now.Sub(at) < newMessageTime {
			c.until = at.Add(newMessageTime)
		}
	}
	c.Lines = u.Lines
}

// Newest returns the newest line and when it stops being new. The line is empty if
// there is no new one.
func (c *Chat) Newest(e *Env, now time.Time) (string, time.Time) {
	if c == nil || e.Settings.HideChat || len(c.Lines) == 0 || !now.Before(c.until) {
		return "", time.Time{}
	}
	return e.ChatLine(c.Lines[len(c.Lines)-1]), c.until
}

// ChatLine returns a line with its author.
func (e *Env) ChatLine(l chat.Line) string {
	return e.author(l) + " " + text.Clean(l.Text, 2*chat.MaxLine)
}

// author returns the name of the author of a line, with a colon.
func (e *Env) author(l chat.Line) string {
	name := text.Name(l.From.Name)
	if l.From.ID == e.State.Me.ID {
		name = e.Lang.Text("you")
	}
	if l.BySpectator {
		name = e.Lang.Text("%s (watching)", name)
	}
	return name + ":"
}

// lastSpeaker returns the last other player who wrote a message, or nil.
func (c *Chat) lastSpeaker(me account.Player) *account.Player {
	for i := len(c.Lines) - 1; i >= 0; i-- {
		if l := &c.Lines[i]; l.From.ID != me.ID {
			return &l.From
		}
	}
	if c.muted.ID != "" { // a muted player's lines are no longer in the list
		return &c.muted
	}
	return nil
}

// ChatInput is the input line for messages. While it is open, it receives all keys.
type ChatInput struct {
	*Env
	Chat  *Chat
	Stays bool // stay open after sending a message

	field *Field // nil: closed
}

// quickMessages are sent with a number key.
var quickMessages = [...]key.Binding{
	Bind("1", "Hello!", "1"), Bind("2", "Good luck!", "2"), Bind("3", "Nice shot!", "3"), Bind("4", "Oops.", "4"), Bind("5", "Good game!", "5"),
}

var chatKeys = struct{ talk, send, erase, mute, close key.Binding }{
	talk: Bind("t", "chat", "t"), send: Bind("enter", "send", "enter"), erase: Bind("backspace", "undo", "backspace"),
	mute: Bind("tab", "mute", "tab"), close: Bind("esc", "close", "esc ctrl+c"),
}

// ChatAction returns the action that opens the input.
func ChatAction(open func()) Action { return Action{Keys: "t", Label: "chat", Do: Do(open)} }

// OpenChat is the binding that opens the chat input.
var OpenChat = chatKeys.talk

// Open opens the input line with the last rejected message, if any.
func (c *ChatInput) Open() {
	c.field = NewField(c.Chat.unsent, chat.MaxLine, nil)
	c.Chat.unsent = ""
}

// Close closes the input line.
func (c *ChatInput) Close() { c.field = nil }

// IsOpen reports whether a message is being typed.
func (c *ChatInput) IsOpen() bool { return c.field != nil }

// Update handles a key press.
func (c *ChatInput) Update(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, chatKeys.send):
		text := c.field.Text()
		c.sent()
		if strings.TrimSpace(text) == "" {
			return nil
		}
		return c.send(text)
	case key.Matches(msg, chatKeys.close):
		c.Close()
		return nil
	case key.Matches(msg, chatKeys.mute):
		who := c.Chat.other
		if who == nil {
			who = c.Chat.lastSpeaker(c.State.Me)
		}
		return c.Mute(who)
	}
	if c.field.Text() == "" {
		for _, quick := range quickMessages {
			if key.Matches(msg, quick) {
				c.sent()
				return c.post(c.Lang.Label(quick.Help().Desc), func(string) {})
			}
		}
	}
	c.field.Update(msg)
	return nil
}

func (c *ChatInput) sent() {
	if c.field.Set(""); !c.Stays {
		c.Close()
	}
}

// Paste inserts pasted text.
func (c *ChatInput) Paste(text string) {
	c.field.insert(strings.NewReplacer("\n", " ", "\t", " ").Replace(sanitize.Newlines(text)))
}

// send sends a message. A rejected message is kept, and restored at once unless the
// player has typed something else.
func (c *ChatInput) send(text string) tea.Cmd {
	return c.post(text, func(refused string) {
		if c.field == nil {
			c.Chat.unsent = refused
		} else if c.field.Text() == "" {
			c.field.Set(refused)
		}
	})
}

func (c *ChatInput) post(text string, refused func(string)) tea.Cmd {
	room := c.Chat.room
	return c.Background(func(ctx context.Context) func() {
		err := c.Session.Say(ctx, room, text)
		return func() {
			if err != nil {
				c.Notice = c.ErrorText(err)
				refused(text)
			}
		}
	})
}

// Mute cycles a player through muted, permanently muted and not muted.
func (c *ChatInput) Mute(who *account.Player) tea.Cmd {
	if who == nil {
		c.Notice = c.Lang.Text("There are no messages from other players.")
		return nil
	}
	other := *who
	c.Chat.muted = other
	hearing := c.Session.Hearing(other.ID)
	name, next, done := text.Name(other.Name), chat.Audible, ""
	switch {
	case hearing == chat.Audible:
		next, done = chat.MutedNow, c.Lang.Text("%s is muted for this session.", name)
	case hearing == chat.MutedNow && c.State.Me.Account != "" && other.Account != "":
		next, done = chat.MutedPermanently, c.Lang.Text("%s is muted permanently.", name)
	default:
		done = c.Lang.Text("%s is no longer muted.", name)
	}
	return c.Background(func(ctx context.Context) func() {
		err := c.Session.Mute(ctx, other, next)
		return func() {
			if c.Notice = done; err != nil {
				c.Notice = c.ErrorText(err)
			}
		}
	})
}

// View returns the input line in width cells, or "" if it is closed.
func (c *ChatInput) View(width int) string {
	if c.field == nil {
		return ""
	}
	prompt, full := c.Lang.Text("Chat: "), ""
	if n := len([]rune(c.field.Text())); n == chat.MaxLine {
		full = " " + c.Lang.Text("%d/%d", n, n)
	}
	return text.Pad(term.Faint.Render(prompt)+c.field.tail(width-text.Width(prompt+full))+term.Warn.Render(full), width)
}

// Bindings returns the keys that work while the input is open.
func (c *ChatInput) Bindings() []key.Binding {
	if c.field.Text() != "" {
		return []key.Binding{chatKeys.send, chatKeys.erase, chatKeys.mute, chatKeys.close}
	}
	return append(quickMessages[:len(quickMessages):len(quickMessages)], chatKeys.mute, chatKeys.close)
}
