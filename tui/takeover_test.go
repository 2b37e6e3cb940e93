package tui

import (
	"testing"
	"time"

	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
)

// TestTakeoverIsRefused checks that the holder of a seat is asked when another player
// enters its resume code, and keeps the seat by pressing n. Otherwise it changes hands.
func TestTakeoverIsRefused(t *testing.T) {
	pair(t, 80, 24, func(t *testing.T, l *lobby.Lobby, a, b *driver) {
		guest := drive(t, l, account.Player{Name: "pat"}, 80, 24)
		defer guest.close()
		guest.press("b", "1")
		guest.see("Place your fleet")
		code := guest.game().SeatState.Code
		b.close()
		b = driveAt(t, l, bob, 80, 24, session.Opening{Seat: code})
		defer b.close()
		b.see("Another session uses this seat")
		b.see("0:09")
		b.golden("takeover-wait")
		guest.see("bob has entered your resume code and takes over your seat:  n refuse  0:0")
		guest.fits("a takeover")
		guest.press("n")
		guest.see("You keep your seat. Your new resume code: " + guest.game().SeatState.Code)
		b.see("The player in this seat refused to hand it over")
		time.Sleep(2 * lobby.TakeoverTime)
		guest.see("Place your fleet")

		b.press("m")
		b.press(codeKeys(guest.game().SeatState.Code)...)
		b.press("enter")
		b.see("Another session uses this seat")
		guest.see("takes over your seat")
		b.see("Place your fleet")
		guest.see("Your seat was taken over with its resume code.")
	})
}

// codeKeys returns the keys that type a code.
func codeKeys(code string) (keys []string) {
	for _, c := range code {
		keys = append(keys, string(c))
	}
	return keys
}

// TestOpeningResume checks that the command resume without a code continues the player's
// own match.
func TestOpeningResume(t *testing.T) {
	pair(t, 80, 24, func(t *testing.T, l *lobby.Lobby, a, b *driver) {
		fight(a, b)
		other := driveAt(t, l, ann, 80, 24, session.Opening{Mine: true})
		defer other.close()
		other.see("bob is aiming.")
		a.see("You have a match in another session")
		if v := a.m.env.Occupancy(); v != lobby.UsedSeat || other.game().last.View.Phase != match.Battle {
			t.Errorf("the seat is %v", v)
		}
	})
}
