package session

import (
	"context"

	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/lobby/chat"
)

// Room identifies a chat of a session.
type Room uint8

// The chats of a session.
const (
	InLobby Room = iota
	InMatch      // of the match being played or watched
	chatRooms
)

// ErrNoChat is returned for a line written in a match without a chat.
var ErrNoChat = i18n.Errorf("there is no chat in this match")

// Say writes a line. It waits for the database.
func (s *Session) Say(ctx context.Context, room Room, text string) error {
	s.mu.Lock()
	place := s.chats[room]
	s.mu.Unlock()
	if place == nil {
		return ErrNoChat
	}
	return s.limitGuest(s.lobby.GuestLines, func() error { return place.Say(ctx, text) })
}

// Mute changes the hearing of another player.
func (s *Session) Mute(ctx context.Context, player account.Player, hearing chat.Hearing) error {
	if err := s.member.Chat.Mute(ctx, player, hearing); err != nil {
		return err
	}
	s.lobby.ListChanged(s.Player().ID)
	return nil
}

// Hearing returns how a person hears the player with an ID.
func (s *Session) Hearing(player string) chat.Hearing {
	return s.member.Chat.Hearing(player)
}

// chatPlaces holds the session's places in chats, nil for chats it is not in. The
// session's lock guards them.
type chatPlaces [chatRooms]*chat.Place

// leave leaves a chat if the session is in it.
func (c *chatPlaces) leave(r Room) {
	if c[r] != nil {
		c[r].Leave()
		c[r] = nil
	}
}
