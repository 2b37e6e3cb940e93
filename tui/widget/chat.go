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

// Chat holds the messages of a match or of the lobby.
type Chat struct {
	Lines []chat.Line

	kind session.ChatKind
	// matchID is empty for the lobby.
	matchID string
	// opponent is nil unless the player plays the match.
	opponent     *account.Player
	newestNumber int
	// newUntil is the time when the newest line stops being shown as new.
	newUntil time.Time
	// unsent is a rejected message, kept for another try.
	unsent string
	// lastMuted is the player whose muting changed last. Without one, its ID is empty.
	lastMuted account.Player
}

// NewChat returns the chat of the match with an ID or, if the ID is empty, of the lobby. If the player
// plays the match, opponent is the other player.
func NewChat(id string, opponent *account.Player) *Chat {
	c := &Chat{kind: session.MatchChat, matchID: id, opponent: opponent}
	if id == "" {
		c.kind = session.LobbyChat
	}
	return c
}

// Receive applies an update if it concerns this chat.
func (c *Chat) Receive(u session.Update, now time.Time) {
	if u.Kind != session.ChatChanged || u.Chat != c.kind || u.ID != c.matchID && c.kind != session.LobbyChat {
		return
	}
	n := len(u.Lines)
	if n > 0 && u.Lines[n-1].Number > c.newestNumber {
		c.newestNumber = u.Lines[n-1].Number
		at := u.Lines[n-1].At
		if now.Sub(at) < newMessageTime {
			c.newUntil = at.Add(newMessageTime)
		}
	}
	c.Lines = u.Lines
}

// NewestLine returns the newest line and the time when it stops being new. The line is empty if
// none is new.
func (c *Chat) NewestLine(e *Env, now time.Time) (string, time.Time) {
	if c.isHidden(e) || len(c.Lines) == 0 || !now.Before(c.newUntil) {
		return "", time.Time{}
	}
	return e.ChatLineText(c.Lines[len(c.Lines)-1]), c.newUntil
}

// isHidden reports whether the player's settings hide the messages.
func (c *Chat) isHidden(e *Env) bool {
	return c == nil || e.Settings.HideChat || e.Settings.HideRemarks && c.isByBot()
}

// isByBot reports whether only a bot writes the messages.
func (c *Chat) isByBot() bool { return c.opponent != nil && c.opponent.Kind == account.Bot }

// ChatLineText returns a chat line with its author's name.
func (e *Env) ChatLineText(l chat.Line) string {
	return e.authorLabel(l) + " " + text.Clean(l.TextIn(e.Lang), 2*chat.MaxLine)
}

// authorLabel returns the name of a line's author and a colon.
func (e *Env) authorLabel(l chat.Line) string {
	name := e.DisplayName(l.From)
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
	Chat *Chat
	// StaysOpen keeps the input open after a message was sent.
	StaysOpen bool

	// field is nil while the input is closed.
	field *Field
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
			c.clearAndClose()
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
	if c.Chat.opponent != nil {
		return c.CycleMute(c.Chat.opponent)
	}
	for _, l := range slices.Backward(c.Chat.Lines) {
		if l.From.ID != c.State.Me.ID {
			return c.CycleMute(&l.From)
		}
	}
	if c.Chat.lastMuted.ID != "" {
		// A muted player's lines are no longer in the list.
		return c.CycleMute(&c.Chat.lastMuted)
	}
	return c.CycleMute(nil)
}

func (c *ChatInput) clearAndClose() {
	c.field.SetText("")
	if !c.StaysOpen {
		c.Close()
	}
}

// sendTyped sends the typed message. If it is rejected, it returns to the input, unless the
// player has typed something else.
func (c *ChatInput) sendTyped() tea.Cmd {
	message := c.field.Text()
	c.clearAndClose()
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
	kind := c.Chat.kind
	say := func(ctx context.Context) error { return c.Session.Say(ctx, kind, message) }
	return Exec(c.Env, say, func(err error) tea.Cmd {
		if !c.CheckAction(err) {
			refused(message)
		}
		return nil
	})
}

// CycleMute mutes a player, then mutes them permanently if both have accounts, then unmutes them. If
// player is nil, it shows that there is no one to mute.
func (c *ChatInput) CycleMute(player *account.Player) tea.Cmd {
	if player == nil {
		c.Notice = c.Lang.Text("There are no messages from other players.")
		return nil
	}
	other := *player
	c.Chat.lastMuted = other
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
