package tui

import (
	"testing"
	"time"

	"broadside/lobby"
)

// TestWinIsClaimed checks that a player whose opponent does not return can claim the win or
// wait.
func TestWinIsClaimed(t *testing.T) {
	pair(t, 80, 24, func(t *testing.T, l *lobby.Lobby, a, b *driver) {
		fight(a, b)
		b.see("YOUR TURN")
		b.close()
		a.see("You can claim the win in 1:00.")
		time.Sleep(lobby.DefaultGrace)
		a.see("bob has been away too long. Press ! to claim the win, or wait.")
		a.press("!")
		a.see("YOU WON. bob left and did not come back.")
	})
}

// TestReturnOfOpponentIsShown checks that a returning player sees the latest events.
func TestReturnOfOpponentIsShown(t *testing.T) {
	pair(t, 80, 24, func(t *testing.T, l *lobby.Lobby, a, b *driver) {
		fight(a, b)
		b.see("YOUR TURN")
		b.press("A", "1", "enter")
		a.see("YOUR TURN")
		a.press("J", "1", "enter")
		b.see("ann fired at J1: miss")
		b.close()
		a.see("bob is away.")
		back := drive(t, l, bob, 80, 24)
		defer back.close()
		back.see("You fired at A1: hit!")
		back.see("ann fired at J1: miss")
	})
}

// TestNoticeOfEarlyClaimEnds checks that the notice for a player who shoots too early
// disappears when it no longer applies.
func TestNoticeOfEarlyClaimEnds(t *testing.T) {
	pair(t, 80, 24, func(t *testing.T, l *lobby.Lobby, a, b *driver) {
		fight(a, b)
		a.see("bob is aiming.")
		a.press("enter")
		a.see("It is not your turn: bob is aiming.")
		b.see("YOUR TURN")
		b.press("A", "1", "enter")
		a.see("YOUR TURN")
		a.unseen("It is not your turn")
	})
}
