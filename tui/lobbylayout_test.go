package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/chat"
)

// TestChatLeavesRoomForPlayers checks the lobby while it also shows the boards of a match.
func TestChatLeavesRoomForPlayers(t *testing.T) {
	spectate(t, 100, 30, func(t *testing.T, _ *lobby.Lobby, d *driver, _ *stagedMatch) {
		d.see("5 of 5 afloat")
		news := *d.m.env.Lobby
		for i := range 9 {
			news.People = append(news.People, lobby.Presence{Player: account.Player{ID: fmt.Sprint("p", i), Name: fmt.Sprint("name", i)}})
			d.m.env.LobbyChat.Lines = append(d.m.env.LobbyChat.Lines, chat.Line{Text: fmt.Sprint("said ", i)})
		}
		d.m.env.Lobby = &news
		d.m.View() // before the lobby's first update arrives
		for _, want := range []string{"carol (you)", "more", "said 8", "Matches"} {
			if s := d.screen(); !strings.Contains(s, want) || strings.Contains(s, "pgdn") {
				t.Errorf("no %q, or not all of it, on\n%s", want, s)
			}
		}
	})
}

// TestLobbyCountsAllRules checks that both the matches won and the last ten results cover all rules.
func TestLobbyCountsAllRules(t *testing.T) {
	withRecords(t, 80, 24, func(t *testing.T, d *driver) {
		d.pass(time.Second)
		d.see("won 1 of 5")
		d.see(" ○ ○ ○ ● ○            last ten")
	})
}
