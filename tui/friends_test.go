package tui

import "testing"

// TestFriendsScreen follows a player, sees them come online, and challenges them.
func TestFriendsScreen(t *testing.T) {
	withStore(t, func(t *testing.T, h withAccounts) {
		bob := h.comes(t, "bob", "SHA256:bob")
		bob.press("n", "enter")
		bob.see("bob (you)")
		bob.close()
		ann := h.comes(t, "ann", "SHA256:ann")
		ann.press("n", "enter")
		ann.see("ann (you)")
		ann.press("f")
		ann.see("You follow nobody.")
		ann.press("a", "x", "y", "z", "enter")
		ann.see("Nobody has the name")
		ann.press("backspace", "backspace", "backspace", "b", "o", "b", "enter")
		ann.see("offline")
		ann.press("enter")
		ann.see("bob is offline.")
		bob = h.comes(t, "bob", "SHA256:bob")
		ann.see("online")
		ann.golden("friends")
		ann.press("enter")
		bob.see("ann challenges you")
		bob.press("n")
		ann.see("Play now")
		ann.press("f")
		ann.see("enter  challenge")
		ann.press("x")
		ann.see("You follow nobody.")
	})
}
