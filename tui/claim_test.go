package tui

import (
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
)

// Who stays while the other one does not come back has the choice.
func TestWinIsClaimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := hall()
		defer l.Close()
		a, b := drive(t, l, ann, 80, 24), drive(t, l, bob, 80, 24)
		defer a.close()
		a.press("p")
		a.see("Waiting for an opponent")
		b.press("p")
		for _, d := range []*driver{a, b} {
			d.see("Place your fleet")
			d.send(tea.PasteMsg{Content: fleetText})
			d.press("enter")
		}
		b.see("Your turn.")
		b.close()
		a.see("You can claim the win in 1:00.")
		time.Sleep(lobby.DefaultGrace)
		a.see("bob is away for too long. Press ! to claim the win, or wait.")
		a.press("!")
		a.see("YOU HAVE WON. bob has left and did not come back.")
	})
}
