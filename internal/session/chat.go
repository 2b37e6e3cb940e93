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
var ErrNoChat = i18n.Errorf("there-is-no-chat-in")

// Chat actions.
type (
	// Say writes a line. It waits for the database.
	Say struct {
		Room Room
		Text string
	}
	// Mute changes the hearing of another player.
	Mute struct {
		Player  account.Player
		Hearing chat.Hearing
	}
)

func (a Say) do(ctx context.Context, s *Local) error {
	s.mu.Lock()
	place := s.chats[a.Room]
	s.mu.Unlock()
	if place == nil {
		return ErrNoChat
	}
	return s.limitGuest(s.lobby.GuestLines, func() error { return place.Say(ctx, a.Text) })
}

func (a Mute) do(ctx context.Context, s *Local) error {
	return s.member.Chat.Mute(ctx, a.Player, a.Hearing)
}

// GetHearing asks for the hearing of the player with an ID.
type GetHearing struct{ Player string }

func (q GetHearing) ask(_ context.Context, s *Local) (chat.Hearing, error) {
	return s.member.Chat.Hearing(q.Player), nil
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
