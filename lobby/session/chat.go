package session

import (
	"context"

	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/lobby/chat"
)

// ChatKind identifies a chat of a session.
type ChatKind uint8

// The chats of a session.
const (
	LobbyChat ChatKind = iota
	MatchChat          // of the match being played or watched
	chatKinds
)

// ErrNoChat is returned for a line written in a match without a chat.
var ErrNoChat = i18n.Errorf("there is no chat in this match")

// Say writes a line. It waits for the database.
func (s *Session) Say(ctx context.Context, room ChatKind, text string) error {
	s.mu.Lock()
	place := s.chats[room]
	s.mu.Unlock()
	if place == nil {
		return ErrNoChat
	}
	return s.limitGuest(s.lobby.GuestLines, func() error { return place.Say(ctx, text) })
}

// SetMuteState changes the hearing of another player.
func (s *Session) SetMuteState(ctx context.Context, player account.Player, hearing chat.MuteState) error {
	if err := s.member.Chat.SetMuteState(ctx, player, hearing); err != nil {
		return err
	}
	s.lobby.NotifyListChange(s.Player().ID)
	return nil
}

// MuteState returns how a person hears the player with an ID.
func (s *Session) MuteState(player string) chat.MuteState {
	return s.member.Chat.MuteState(player)
}

// chatPlaces holds the session's places in chats, nil for chats it is not in. The
// session's lock guards them.
type chatPlaces [chatKinds]*chat.Participant

// leave leaves a chat if the session is in it.
func (c *chatPlaces) leave(r ChatKind) {
	if c[r] != nil {
		c[r].Leave()
		c[r] = nil
	}
}
