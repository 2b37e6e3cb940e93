package tui

import (
	"strings"
	"testing"
)

// TestCupScreens creates a cup, which another player joins, and plays its first round: both
// get their seats without another key.
func TestCupScreens(t *testing.T) {
	withStore(t, func(t *testing.T, h withAccounts) {
		bob := h.comes(t, "bob", "SHA256:bob")
		bob.press("n", "enter")
		bob.see("bob (you)")
		ann := h.comes(t, "ann", "SHA256:ann")
		ann.press("n", "enter")
		ann.see("ann (you)")
		ann.press("C")
		ann.see("You aren't in a tournament yet.")
		ann.press("n", "5", "b", "tab", "enter")
		ann.see("round robin, classic")
		ann.press("j")
		ann.see("entrants: 1")
		code := cupCode(t, ann.screen())
		bob.press("C", "c")
		bob.press(strings.Split(strings.ToLower(code), "")...)
		bob.press("enter")
		bob.see("round robin, classic")
		bob.press("j")
		bob.see("entrants: 2")
		ann.see("entrants: 2")
		ann.golden("cup-joining")
		ann.press("esc")
		ann.see("not started")
		ann.press("enter")
		ann.see("entrants: 2")
		ann.press("s")
		ann.see("Place your fleet  against bob")
		bob.see("Place your fleet  against ann")
	})
}

// cupCode returns the letters of the code on a cup's screen.
func cupCode(t *testing.T, screen string) string {
	t.Helper()
	for _, word := range strings.Fields(screen) {
		if parts := strings.Split(word, "-"); len(parts) == 3 && len(word) == 11 {
			return strings.Join(parts, "")
		}
	}
	t.Fatalf("no code in\n%s", screen)
	return ""
}
