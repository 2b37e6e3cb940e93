package lobby_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/live"
)

// home is an address for players whose address does not matter.
// resume takes a seat that is not in use.
func resume(t *testing.T, l *lobby.Lobby, p account.Player, code string) *lobby.Seat {
	t.Helper()
	offer := must.Get(l.Matches.RequestSeat(p, code))
	return seated(t, offer)
}

// guestsSeat seats a guest in a battle against a bot.
func guestsSeat(t *testing.T, l *lobby.Lobby) *lobby.Seat {
	t.Helper()
	guest := l.Enter(account.Player{Name: "pat"}).Player()
	seat := must.Get(l.Matches.PlayBot(guest, "easy", match.Classic(), lobby.Rated))
	seat.Attach(nil)
	return seat
}

// TestSeatInUseIsTakenOverAfterTenSeconds checks that a resume code takes over a seat in
// use only after its player had time to refuse.
func TestSeatInUseIsTakenOverAfterTenSeconds(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		seat := guestsSeat(t, l)
		thief := l.Enter(account.Player{Name: "eve"}).Player()
		wake := live.NewSignal()
		box := seat.Attach(wake)
		synctest.Wait()
		<-wake
		offer, err := l.Matches.RequestSeat(thief, seat.State().ResumeCode)
		must.Do(err)
		<-wake
		by := seat.State().Takeover
		if by == nil || by.By != thief || time.Until(by.Until) != lobby.TakeoverTime {
			t.Fatalf("the holder sees the request %+v", by)
		}
		if _, err := l.Matches.RequestSeat(bob, seat.State().ResumeCode); !errors.Is(err, lobby.ErrInUse) {
			t.Errorf("a second request: %v", err)
		}
		time.Sleep(lobby.TakeoverTime - 1)
		synctest.Wait()
		select {
		case <-offer.Seat():
			t.Fatal("the seat was taken over early")
		default:
		}
		if !seat.Seat.IsAttached() {
			t.Fatal("the holder lost the seat early")
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		seated(t, offer).Seat.Attach(nil)
		var u live.Update
		for err = nil; err == nil; {
			err = box.Receive(t.Context(), &u)
		}
		if !errors.Is(err, live.ErrReplaced) || seat.State().Takeover != nil {
			t.Errorf("the former holder: %v, %+v", err, seat.State().Takeover)
		}
	})
}

// TestTakeoverIsRefused checks that a refusal keeps the seat and changes its code, and that
// a withdrawn request does not change the code.
func TestTakeoverIsRefused(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		seat := guestsSeat(t, l)
		code := seat.State().ResumeCode
		thief := l.Enter(account.Player{Name: "eve"}).Player()
		ask := func(code string) *lobby.Offer {
			t.Helper()
			return must.Get(l.Matches.RequestSeat(thief, code))
		}
		if offer := ask(code); !offer.Cancel() || seat.State().Takeover != nil || seat.State().ResumeCode != code {
			t.Error("the request was not withdrawn")
		}
		offer := ask(code)
		time.Sleep(lobby.TakeoverTime - 1)
		seat.RefuseTakeover()
		if s := <-offer.Seat(); s != nil || !errors.Is(offer.Err(), lobby.ErrRefused) {
			t.Errorf("%v, %v", s, offer.Err())
		}
		time.Sleep(time.Hour)
		if !seat.Seat.IsAttached() || seat.State().ResumeCode == code {
			t.Errorf("the holder has the seat: %v, by the code %s after %s", seat.Seat.IsAttached(), seat.State().ResumeCode, code)
		}
		if _, err := l.Matches.RequestSeat(thief, code); !errors.Is(err, lobby.ErrNoResume) {
			t.Errorf("the old code: %v", err)
		}
		offer = ask(seat.State().ResumeCode)
		seat.Seat.Resign()
		if s := <-offer.Seat(); s != nil || !errors.Is(offer.Err(), lobby.ErrNoResume) {
			t.Errorf("when the match ends: %v, %v", s, offer.Err())
		}
	})
}

// TestRefusedCodeStaysInvalid kills the server after a guest has refused a takeover.
func TestRefusedCodeStaysInvalid(t *testing.T) {
	ownDisk(t, func(t *testing.T, d *disk, l *lobby.Lobby, _ *logbook, folder string) {
		seat := guestsSeat(t, l)
		code := seat.State().ResumeCode
		thief := l.Enter(account.Player{Name: "eve"}).Player()
		must.Get(l.Matches.RequestSeat(thief, code))
		// The journal stores the code meanwhile.
		time.Sleep(time.Second)
		seat.RefuseTakeover()
		time.Sleep(time.Second)
		_, again := killed(t, folder)
		if _, err := again.Matches.RequestSeat(thief, code); !errors.Is(err, lobby.ErrNoResume) {
			t.Errorf("the old code: %v", err)
		}
		resume(t, again, thief, seat.State().ResumeCode)
		again.Close()
	})
}
