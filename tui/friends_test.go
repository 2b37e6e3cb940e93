package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// TestFriendsInLobby finds a friend among the blocks of the lobby, and challenges them there.
func TestFriendsInLobby(t *testing.T) {
	withStore(t, func(t *testing.T, h withAccounts) {
		bob := h.comes(t, "bob", "SHA256:bob")
		bob.press("n", "enter")
		bob.see("bob (you)")
		ann := h.comes(t, "ann", "SHA256:ann")
		ann.press("n", "enter")
		ann.see("ann (you)")
		ann.press("f", "a", "b", "o", "b", "enter")
		ann.see("x  unfollow")
		ann.press("esc")
		ann.see("Friends ")
		ann.pass(time.Second) // for the player's results
		ann.golden("lobby-friends")
		ann.press("tab", "down")
		ann.see("enter  challenge")
		ann.press("enter")
		bob.see("ann challenges you")
		bob.press("n")
		ann.see("Play now")
		bob.press("b", "enter")
		ann.send(tea.WindowSizeMsg{Width: 160, Height: 45})
		ann.see("1 of 1 online")
		ann.wait("bob's match in the list of friends", func(string) bool { return len(ann.m.env.Lobby.Running) > 0 })
		ann.press("tab", "down")
		ann.see("enter  watch")
		bob.close()
		ann.see("0 of 1 online")
	})
}
