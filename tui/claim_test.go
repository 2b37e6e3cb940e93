package tui

import (
	"testing"
	"testing/synctest"
	"time"

	"broadside/lobby"
)

// Who stays while the other one does not come back has the choice.
func TestWinIsClaimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := hall()
		defer l.Close()
		a, b := drive(t, l, ann, 80, 24), drive(t, l, bob, 80, 24)
		defer a.close()
		fight(a, b)
		b.see("Your turn.")
		b.close()
		a.see("You can claim the win in 1:00.")
		time.Sleep(lobby.DefaultGrace)
		a.see("bob is away for too long. Press ! to claim the win, or wait.")
		a.press("!")
		a.see("YOU HAVE WON. bob has left and did not come back.")
	})
}
