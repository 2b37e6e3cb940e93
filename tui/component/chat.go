package component

import (
	"context"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/sanitize"
	"broadside/internal/session"
	"broadside/internal/term"
	"broadside/tui/format"
)

// newMessageTime is how long a new line of a match's chat is shown.
const newMessageTime = 12 * time.Second

// Chat is what has been said in a room.
type Chat struct {
	Lines []session.Line

	room   session.Room
	id     string          // of the match; empty for the lobby
	other  *session.Player // the other side, in a match of the player
	newest int             // the number of the newest line
	until  time.Time       // when the newest line is no longer news
	unsent string          // a line that was refused, to be sent again
	muted  session.Player  // whose hearing was changed last; without an ID nobody's
}

// NewChat returns the chat of a match or, without an ID, of the lobby. Other is the
// other side if the player plays the match.
func NewChat(id string, other *session.Player) *Chat {
	c := &Chat{room: session.InMatch, id: id, other: other}
	if id == "" {
		c.room = session.InLobby
	}
	return c
}

// Receive takes over the lines of an update if it is about this chat.
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

// Newest returns the newest line and until when it is news; empty if it is not.
func (c *Chat) Newest(e *Env, now time.Time) (string, time.Time) {
	if c == nil || e.Settings.HideChat || len(c.Lines) == 0 || !now.Before(c.until) {
		return "", time.Time{}
	}
	return e.ChatLine(c.Lines[len(c.Lines)-1]), c.until
}

// ChatLine returns a line with who said it.
func (e *Env) ChatLine(l session.Line) string {
	name := format.Name(l.From.Name)
	if l.From.ID == e.State.Me.ID {
		name = e.Lang.Text("you")
	}
	if l.BySpectator {
		name = e.Lang.Text("x-watching", name)
	}
	return name + ": " + format.Clean(l.Text, 2*session.MaxLine)
}

// lastSpeaker returns the last other player who said something; nil if nobody did.
func (c *Chat) lastSpeaker(me session.Player) *session.Player {
	for i := len(c.Lines) - 1; i >= 0; i-- {
		if l := &c.Lines[i]; l.From.ID != me.ID {
			return &l.From
		}
	}
	if c.muted.ID != "" { // their lines are no longer there
		return &c.muted
	}
	return nil
}

// ChatInput is the line in which a message is typed. While it is open, all keys go to
// it.
type ChatInput struct {
	*Env
	Chat  *Chat
	Stays bool // it stays open after a message is sent

	field *Field // nil: it is closed
}

// quickMessages are sent by pressing their number.
var quickMessages = [...]key.Binding{
	Bind("1", "hello", "1"), Bind("2", "good-luck", "2"), Bind("3", "nice-shot", "3"), Bind("4", "oops", "4"), Bind("5", "good-game", "5"),
}

var chatKeys = struct{ talk, send, erase, mute, close key.Binding }{
	talk: Bind("t", "talk", "t"), send: Bind("enter", "send", "enter"), erase: Bind("backspace", "take-back", "backspace"),
	mute: Bind("tab", "mute", "tab"), close: Bind("esc", "close", "esc ctrl+c"),
}

// OpenChat opens the chat input.
var OpenChat = chatKeys.talk

// Open opens the line, with the message that was refused last, if there is one.
func (c *ChatInput) Open() {
	c.field = NewField(c.Chat.unsent, session.MaxLine, nil)
	c.Chat.unsent = ""
}

// Close closes the line.
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

// Paste types pasted text.
func (c *ChatInput) Paste(text string) {
	c.field.insert(strings.NewReplacer("\n", " ", "\t", " ").Replace(sanitize.Newlines(text)))
}

// send says a line. A line that is refused is kept to be sent again, and is back at
// once if nothing else has been typed.
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
	line := session.Say{Room: c.Chat.room, Text: text}
	return c.Background(func(ctx context.Context) func() {
		err := c.Session.Do(ctx, line)
		return func() {
			if err != nil {
				c.Notice = c.ErrorText(err)
				refused(text)
			}
		}
	})
}

// Mute changes whether the player sees what another one says: muted, muted
// permanently, not muted.
func (c *ChatInput) Mute(who *session.Player) tea.Cmd {
	if who == nil {
		c.Notice = c.Lang.Text("nobody-else-has-written-anything")
		return nil
	}
	other := *who
	c.Chat.muted = other
	hearing, _ := session.Ask(c.Ctx, c.Session, session.GetHearing{Player: other.ID}) // which cannot fail
	name, next, done := format.Name(other.Name), session.Audible, ""
	switch {
	case hearing == session.Audible:
		next, done = session.MutedNow, c.Lang.Text("x-is-muted-for-this", name)
	case hearing == session.MutedNow && c.State.Me.Account != "" && other.Account != "":
		next, done = session.MutedPermanently, c.Lang.Text("x-is-muted-permanently", name)
	default:
		done = c.Lang.Text("x-is-no-longer-muted", name)
	}
	return c.Background(func(ctx context.Context) func() {
		err := c.Session.Do(ctx, session.Mute{Player: other, Hearing: next})
		return func() {
			if c.Notice = done; err != nil {
				c.Notice = c.ErrorText(err)
			}
		}
	})
}

// View returns the line as it is typed in width cells; empty if it is closed.
func (c *ChatInput) View(width int) string {
	if c.field == nil {
		return ""
	}
	prompt := c.Lang.Text("say")
	return format.Pad(term.Faint.Render(prompt)+c.field.Tail(width-format.Width(prompt)), width)
}

// Bindings returns the keys that work while the line is open.
func (c *ChatInput) Bindings() []key.Binding {
	if c.field.Text() != "" {
		return []key.Binding{chatKeys.send, chatKeys.erase, chatKeys.mute, chatKeys.close}
	}
	return append(quickMessages[:len(quickMessages):len(quickMessages)], chatKeys.mute, chatKeys.close)
}
