package tui

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/lobby/account"
)

// TestAnnouncementExpires checks that an operator's announcement disappears after its time,
// from a screen on which nothing else happens.
func TestAnnouncementExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLobby()
		defer l.Close()
		d := drive(t, l, account.Player{Name: "ann"}, 80, 24)
		defer d.close()
		d.press("H")
		d.see("Hot seat")
		last := ""
		d.frame = func(screen string) { last = screen }
		l.Announce("The harbour closes at noon")
		d.see("Operator: The harbour closes at noon")
		d.pass(announceTime - 2*time.Second)
		if !strings.Contains(last, "The harbour") {
			t.Errorf("it has gone before its time:\n%s", last)
		}
		d.pass(4 * time.Second)
		if strings.Contains(last, "The harbour") {
			t.Errorf("it stays:\n%s", last)
		}
	})
}
