package widget

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
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

	room   session.ChatKind
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
	c := &Chat{room: session.MatchChat, id: id, other: other}
	if id == "" {
		c.room = session.LobbyChat
	}
	return c
}

// Receive applies an update if it concerns this chat.
func (c *Chat) Receive(u session.Update, now time.Time) {
	if u.Kind != session.ChatChanged || u.Chat != c.room || u.ID != c.id && c.room != session.LobbyChat {
		return
	}
	n := len(u.Lines)
	if n > 0 && u.Lines[n-1].Number > c.newest {
		c.newest = u.Lines[n-1].Number
		at := u.Lines[n-1].At
		if now.Sub(at) < newMessageTime {
			c.until = at.Add(newMessageTime)
		}
	}
	c.Lines = u.Lines
}

// NewestLine returns the newest line and when it stops being new. The line is empty if
// there is no new one.
func (c *Chat) NewestLine(e *Env, now time.Time) (string, time.Time) {
	if c == nil || e.Settings.HideChat || len(c.Lines) == 0 || !now.Before(c.until) {
		return "", time.Time{}
	}
	return e.ChatLineText(c.Lines[len(c.Lines)-1]), c.until
}

// ChatLineText returns a line with its author.
func (e *Env) ChatLineText(l chat.Line) string {
	return e.authorLabel(l) + " " + text.Clean(l.Text, 2*chat.MaxLine)
}

// authorLabel returns the name of the author of a line, with a colon.
func (e *Env) authorLabel(l chat.Line) string {
	name := text.CleanName(l.From.Name)
	if l.From.ID == e.State.Me.ID {
		name = e.Lang.Text("you")
	}
	if l.BySpectator {
		name = e.Lang.Text("%s (watching)", name)
	}
	return name + ":"
}

// ChatInput is the input line for messages. While it is open, it receives all keys.
type ChatInput struct {
	*Env
	Chat      *Chat
	StaysOpen bool // stay open after sending a message

	field *Field // nil: closed
}

// quickMessages are sent with a number key.
var quickMessages = []i18n.Key{"Hello!", "Good luck!", "Nice shot!", "Oops.", "Good game!"}

// ChatAction returns the action that opens the input.
func ChatAction(open func()) Action { return Action{Keys: "t", Label: "chat", Do: NoCommand(open)} }

// Open opens the input line with the last rejected message, if any.
func (c *ChatInput) Open() {
	c.field = NewField(c.Chat.unsent, chat.MaxLine, nil)
	c.Chat.unsent = ""
}

// Close closes the input line.
func (c *ChatInput) Close() { c.field = nil }

// IsOpen reports whether a message is being typed.
func (c *ChatInput) IsOpen() bool { return c.field != nil }

// Update handles a key press or pasted text.
func (c *ChatInput) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		c.field.insert(strings.NewReplacer("\n", " ", "\t", " ").Replace(sanitize.NormalizeNewlines(msg.Content)))
	case tea.KeyPressMsg:
		cmd, done := RunAction(msg, c.Actions())
		if done {
			return cmd
		}
		c.field.Update(msg)
	}
	return nil
}

// Actions returns what keys do while the input is open.
func (c *ChatInput) Actions() (actions []Action) {
	empty := c.field.Text() == ""
	for i, message := range quickMessages {
		send := func() tea.Cmd {
			c.finishSending()
			return c.sendMessage(c.Lang.Text(message), func(string) {})
		}
		actions = append(actions, Action{Keys: Keys(strconv.Itoa(i + 1)), Label: message, Off: !empty, Do: send})
	}
	send := Action{Keys: "enter", Label: "send", Do: c.sendTyped}
	if empty {
		send.Label = ""
	}
	return append(actions, []Action{
		send,
		{Keys: "backspace", Label: "undo", Off: empty},
		{Keys: "tab", Label: "mute", Do: c.muteOther},
		{Keys: "esc ctrl+c", Label: "close", Do: NoCommand(c.Close)},
	}...)
}

// muteOther mutes the opponent, or the last other player who wrote a message.
func (c *ChatInput) muteOther() tea.Cmd {
	if c.Chat.other != nil {
		return c.CycleMute(c.Chat.other)
	}
	for _, l := range slices.Backward(c.Chat.Lines) {
		if l.From.ID != c.State.Me.ID {
			return c.CycleMute(&l.From)
		}
	}
	if c.Chat.muted.ID != "" { // a muted player's lines are no longer in the list
		return c.CycleMute(&c.Chat.muted)
	}
	return c.CycleMute(nil)
}

func (c *ChatInput) finishSending() {
	if c.field.SetText(""); !c.StaysOpen {
		c.Close()
	}
}

// sendTyped sends the message. A rejected message is kept, and restored at once unless the
// player has typed something else.
func (c *ChatInput) sendTyped() tea.Cmd {
	message := c.field.Text()
	c.finishSending()
	if strings.TrimSpace(message) == "" {
		return nil
	}
	return c.sendMessage(message, func(refused string) {
		if c.field == nil {
			c.Chat.unsent = refused
		} else if c.field.Text() == "" {
			c.field.SetText(refused)
		}
	})
}

func (c *ChatInput) sendMessage(message string, refused func(string)) tea.Cmd {
	room := c.Chat.room
	say := func(ctx context.Context) error { return c.Session.Say(ctx, room, message) }
	return Exec(c.Env, say, func(err error) tea.Cmd {
		if !c.CheckAction(err) {
			refused(message)
		}
		return nil
	})
}

// CycleMute cycles a player through muted, permanently muted and not muted.
func (c *ChatInput) CycleMute(who *account.Player) tea.Cmd {
	if who == nil {
		c.Notice = c.Lang.Text("There are no messages from other players.")
		return nil
	}
	other := *who
	c.Chat.muted = other
	hearing := c.Session.MuteState(other.ID)
	name, next, done := text.CleanName(other.Name), chat.NotMuted, ""
	switch {
	case hearing == chat.NotMuted:
		next, done = chat.MutedForSession, c.Lang.Text("%s is muted for this session.", name)
	case hearing == chat.MutedForSession && c.State.Me.Account != "" && other.Account != "":
		next, done = chat.MutedPermanently, c.Lang.Text("%s is muted permanently.", name)
	default:
		done = c.Lang.Text("%s is no longer muted.", name)
	}
	mute := func(ctx context.Context) error { return c.Session.SetMuteState(ctx, other, next) }
	return Exec(c.Env, mute, func(err error) tea.Cmd {
		if c.CheckAction(err) {
			c.Notice = done
		}
		return nil
	})
}

// View returns the input line in width cells, or "" if it is closed.
func (c *ChatInput) View(width int) string {
	if c.field == nil {
		return ""
	}
	prompt, full := c.Lang.Text("Chat: "), ""
	n := len([]rune(c.field.Text()))
	if n == chat.MaxLine {
		full = " " + c.Lang.Text("%d/%d", n, n)
	}
	return text.Pad(term.Faint.Render(prompt)+c.field.visibleText(width-text.Width(prompt+full))+term.Warn.Render(full), width)
}
