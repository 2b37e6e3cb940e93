package session

import (
	"context"

	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/lobby/chat"
)

// ChatKind selects one of a session's chats.
type ChatKind uint8

// A session's chats.
const (
	LobbyChat ChatKind = iota
	// MatchChat is the chat of the match that the session plays or watches.
	MatchChat
	chatKinds
)

// ErrNoChat is returned for a line written in a match without a chat.
var ErrNoChat = i18n.Errorf("there is no chat in this match")

// Say writes a line to a chat. It waits for the database.
func (s *Session) Say(ctx context.Context, room ChatKind, text string) error {
	s.mu.Lock()
	place := s.chats[room]
	s.mu.Unlock()
	if place == nil {
		return ErrNoChat
	}
	return s.limitGuest(s.lobby.GuestLines, func() error { return place.Say(ctx, text) })
}

// SetMuteState mutes or unmutes another player for this player.
func (s *Session) SetMuteState(ctx context.Context, player account.Player, state chat.MuteState) error {
	if err := s.member.Chat.SetMuteState(ctx, player, state); err != nil {
		return err
	}
	s.lobby.NotifyListChange(s.Player().ID)
	return nil
}

// MuteState reports whether the player has muted the player with an ID.
func (s *Session) MuteState(player string) chat.MuteState {
	return s.member.Chat.MuteState(player)
}

// chats holds the session's participation in each chat. It is nil for chats that the session
// is not in. The session's lock guards it.
type chats [chatKinds]*chat.Participant

func (c *chats) leave(r ChatKind) {
	if c[r] != nil {
		c[r].Leave()
		c[r] = nil
	}
}
