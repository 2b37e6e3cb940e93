package session

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/chat"
	"broadside/match"
)

// TestGuestsAtOneAddress checks what guests at one address do with a new identity in each session:
// the chat and challenges of a class are accepted, a flood is not, and other addresses notice
// nothing of it.
func TestGuestsAtOneAddress(t *testing.T) {
	const class = 40
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		teacher := New(Config{Lobby: l, Player: account.Player{Name: "teacher"}})
		defer teacher.Close()
		// visit opens a session from an address, and returns how many times a guest does something.
		visit := func(from string, times int, do func(s *Session, n int) error) (done int) {
			s := New(Config{Lobby: l, Player: account.Player{Name: "guest"}, Client: Client{Addr: netip.MustParseAddr(from)}})
			defer s.Close()
			for n := range times {
				switch err := do(s, n); {
				case err == nil:
					done++
				case !errors.Is(err, ErrGuests):
					t.Fatal(err)
				}
			}
			return done
		}
		say := func(s *Session, n int) error { return s.Say(t.Context(), LobbyChat, fmt.Sprint(n)) }
		challenge := func(s *Session, _ int) error {
			if err := s.Challenge(teacher.Player().ID, match.Classic(), lobby.Casual); err != nil {
				return err
			}
			_, err := s.CancelOffer()
			return err
		}
		for _, c := range []struct {
			name string
			do   func(s *Session, n int) error
			// each is how often a session does it, and most how often a flood of 15 seconds may.
			each, most int
		}{{"chat", say, chat.MaxBurst, 100}, {"challenges", challenge, 1, 60}} {
			for range class {
				if done := visit("198.51.100.7", c.each, c.do); done != c.each {
					t.Fatalf("%s of a class: got %d, want %d", c.name, done, c.each)
				}
			}
			flood := 0
			for range 15 * 20 {
				flood += visit("198.51.100.7", c.each, c.do)
				time.Sleep(time.Second / 20)
			}
			if flood == 0 || flood > c.most {
				t.Errorf("%s of a flood: got %d, want 1 to %d", c.name, flood, c.most)
			}
			if done := visit("198.51.100.8", c.each, c.do); done != c.each {
				t.Errorf("%s of another address: got %d, want %d", c.name, done, c.each)
			}
			all := 0
			for n := range 1000 {
				all += visit(fmt.Sprintf("203.0.113.%d", n%250), c.each, c.do)
			}
			if all >= 1000*c.each {
				t.Errorf("%s of many addresses: got %d, want less than %d", c.name, all, 1000*c.each)
			}
		}
	})
}

// TestMutedGuestComesBack checks that an operator's mute of a guest outlasts the session if the
// guest has a key.
func TestMutedGuestComesBack(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		say := func() error {
			s := New(Config{Lobby: l, Player: account.Player{ID: "key eve", Name: "eve"}})
			defer s.Close()
			return s.Say(t.Context(), LobbyChat, "hello")
		}
		eve := New(Config{Lobby: l, Player: account.Player{ID: "key eve", Name: "eve"}})
		if !l.Chat.MuteByOperator(eve.Player().ID, time.Now().Add(time.Hour)) {
			t.Fatal("MuteByOperator(eve) = false, want true")
		}
		eve.Close()
		if say() == nil {
			t.Error("eve can write in a new session")
		}
		time.Sleep(time.Hour)
		if err := say(); err != nil {
			t.Errorf("after the mute: %v", err)
		}
	})
}
