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

// TestWelcomeNoticeEnds checks that the notice for a returning player disappears when the
// match continues.
func TestWelcomeNoticeEnds(t *testing.T) {
	pair(t, 80, 24, func(t *testing.T, l *lobby.Lobby, a, b *driver) {
		fight(a, b)
		a.close()
		b.see("ann is away.")
		back := drive(t, l, ann, 80, 24)
		defer back.close()
		back.see("bob is aiming.")
		back.see("Welcome back. Your match continues.")
		b.press("A", "1", "enter")
		back.see("bob fired at A1")
		back.unseen("Welcome back")
	})
}

// TestOfferToContinueFreeSeat checks that a session still offers the match of another
// session when that session has ended.
func TestOfferToContinueFreeSeat(t *testing.T) {
	pair(t, 80, 24, func(t *testing.T, l *lobby.Lobby, a, b *driver) {
		other := drive(t, l, ann, 80, 24)
		defer other.close()
		fight(a, b)
		other.see("You have a match in another session: press x to continue it here.")
		other.fits("the offer of a match")
		a.close()
		other.see("Your match is waiting: press x to continue it.")
		b.see("ann is away.")
		other.press("x")
		other.see("bob is aiming.")
		b.see("ann is back.")
	})
}

// TestLogAfterReturn checks that the log has the shots from before the player came back.
func TestLogAfterReturn(t *testing.T) {
	pair(t, 160, 40, func(t *testing.T, l *lobby.Lobby, a, b *driver) {
		fight(a, b)
		b.see("YOUR TURN")
		b.press("A", "1", "enter")
		a.see(" 1 bob A1  hit")
		a.close()
		a = drive(t, l, ann, 160, 40)
		defer a.close()
		a.see("Welcome back.")
		a.see(" 1 bob A1  hit")
	})
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
