package lobby_test

import (
	"errors"
	"fmt"
	"math"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/ratelimit"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/code"
	"broadside/match"
	"broadside/match/live"
)

// home is an address for players whose address does not matter.
var home = netip.MustParseAddr("192.0.2.1")

// resume takes a seat that is not in use.
func resume(t *testing.T, l *lobby.Lobby, p lobby.Player, code string) *lobby.Seat {
	t.Helper()
	offer, err := l.Matches.Resume(home, p, code)
	if err != nil {
		t.Fatal(err)
	}
	return seated(t, offer)
}

// guestsSeat seats a guest in a battle against a bot.
func guestsSeat(t *testing.T, l *lobby.Lobby) *lobby.Seat {
	t.Helper()
	guest := l.Enter(lobby.Player{Name: "pat"}).Player()
	seat, err := l.Matches.PlayBot(guest, "easy", match.Classic(), lobby.Rated)
	if err != nil {
		t.Fatal(err)
	}
	seat.Attach()
	return seat
}

// TestSeatInUseIsTakenOverAfterTenSeconds checks that a resume code takes over a seat in
// use only after its player had time to refuse.
func TestSeatInUseIsTakenOverAfterTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lobby.New(lobby.Config{Seed: 1, BotPace: -1})
		defer l.Close()
		seat := guestsSeat(t, l)
		thief := l.Enter(lobby.Player{Name: "eve"}).Player()
		wake := live.NewSignal()
		box := seat.AttachFrom(0, wake)
		synctest.Wait()
		<-wake
		offer, err := l.Matches.Resume(home, thief, seat.State().Code)
		if err != nil {
			t.Fatal(err)
		}
		<-wake
		by := seat.State().Takeover
		if by == nil || by.By != thief || time.Until(by.Until) != lobby.TakeoverTime {
			t.Fatalf("the holder sees the request %+v", by)
		}
		if _, err := l.Matches.Resume(home, bob, seat.State().Code); !errors.Is(err, lobby.ErrInUse) {
			t.Errorf("a second request: %v", err)
		}
		time.Sleep(lobby.TakeoverTime - 1)
		synctest.Wait()
		select {
		case <-offer.Seated():
			t.Fatal("the seat was taken over early")
		default:
		}
		if !seat.Seat.Held() {
			t.Fatal("the holder lost the seat early")
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		seated(t, offer).Seat.Attach()
		var u live.Update
		for err = nil; err == nil; {
			err = box.Recv(t.Context(), &u)
		}
		if !errors.Is(err, live.ErrReplaced) || seat.State().Takeover != nil {
			t.Errorf("the former holder: %v, %+v", err, seat.State().Takeover)
		}
	})
}

// TestTakeoverIsRefused checks that a refusal keeps the seat and changes its code, and that
// a withdrawn request does not change the code.
func TestTakeoverIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lobby.New(lobby.Config{Seed: 1, BotPace: -1})
		defer l.Close()
		seat := guestsSeat(t, l)
		code := seat.State().Code
		thief := l.Enter(lobby.Player{Name: "eve"}).Player()
		ask := func(code string) *lobby.Offer {
			t.Helper()
			offer, err := l.Matches.Resume(home, thief, code)
			if err != nil {
				t.Fatal(err)
			}
			return offer
		}
		if offer := ask(code); !offer.Cancel() || seat.State().Takeover != nil || seat.State().Code != code {
			t.Error("the request was not withdrawn")
		}
		offer := ask(code)
		time.Sleep(lobby.TakeoverTime - 1)
		seat.Refuse()
		if s := <-offer.Seated(); s != nil || !errors.Is(offer.Err(), lobby.ErrRefused) {
			t.Errorf("%v, %v", s, offer.Err())
		}
		time.Sleep(time.Hour)
		if !seat.Seat.Held() || seat.State().Code == code {
			t.Errorf("the holder has the seat: %v, by the code %s after %s", seat.Seat.Held(), seat.State().Code, code)
		}
		if _, err := l.Matches.Resume(home, thief, code); !errors.Is(err, lobby.ErrNoResume) {
			t.Errorf("the old code: %v", err)
		}
		offer = ask(seat.State().Code)
		seat.Seat.Resign()
		if s := <-offer.Seated(); s != nil || !errors.Is(offer.Err(), lobby.ErrNoResume) {
			t.Errorf("when the match ends: %v, %v", s, offer.Err())
		}
	})
}

// TestRefusedCodeStaysInvalid kills the server after a guest has refused a takeover.
func TestRefusedCodeStaysInvalid(t *testing.T) {
	ownDisk(t, func(t *testing.T, d *disk, l *lobby.Lobby, _ *logbook, folder string) {
		seat := guestsSeat(t, l)
		code := seat.State().Code
		thief := l.Enter(lobby.Player{Name: "eve"}).Player()
		if _, err := l.Matches.Resume(home, thief, code); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second) // the journal has the code
		seat.Refuse()
		time.Sleep(time.Second)
		_, again := killed(t, folder)
		if _, err := again.Matches.Resume(home, thief, code); !errors.Is(err, lobby.ErrNoResume) {
			t.Errorf("the old code: %v", err)
		}
		resume(t, again, thief, seat.State().Code)
		again.Close()
	})
}

// TestGuessesAreSharedByAllCodes checks that wrong codes of all kinds count against one
// address, and that right codes do not count.
func TestGuessesAreSharedByAllCodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := openWith(t, storetest.Open(t))
		v := l.Enter(lobby.Player{Name: "eve"})
		eve := v.Player()
		room, err := l.Offers.OpenPrivate(bob, match.Classic(), lobby.Rated)
		if err != nil {
			t.Fatal(err)
		}
		const wrong = "AAA-AAA-AAA"
		guesses := []func(netip.Addr) error{
			func(a netip.Addr) error { _, _, err := l.Offers.Private(a, wrong); return err },
			func(a netip.Addr) error { _, err := l.Offers.JoinPrivate(a, eve, wrong); return err },
			func(a netip.Addr) error { _, err := l.Matches.Resume(a, eve, "AAAA-AAAA-AAAA"); return err },
			func(a netip.Addr) error { _, err := linkKey(t, l, v, a, wrong, "SHA256:eve", ""); return err },
		}
		for i := range ratelimit.GuessBurst {
			if _, _, err := l.Offers.Private(home, room.Code()); err != nil {
				t.Fatal(err)
			}
			if err := guesses[i%len(guesses)](home); err == nil || errors.Is(err, ratelimit.ErrGuesses) {
				t.Errorf("guess %d: %v", i+1, err)
			}
		}
		for i, guess := range guesses {
			if err := guess(home); !errors.Is(err, ratelimit.ErrGuesses) {
				t.Errorf("one more of kind %d: %v", i, err)
			}
		}
		if _, err := l.Offers.JoinPrivate(home, eve, room.Code()); !errors.Is(err, ratelimit.ErrGuesses) {
			t.Errorf("the right code: %v", err)
		}
		if _, err := l.Offers.JoinPrivate(netip.MustParseAddr("192.0.2.2"), eve, room.Code()); err != nil {
			t.Errorf("from another address: %v", err)
		}
	})
}

// TestCodesPerHour lets sessions guess the codes of private matches for an hour at full
// speed. The number of guesses does not depend on the number of sessions.
func TestCodesPerHour(t *testing.T) {
	for _, c := range []struct{ sessions, addresses, most int }{
		{1, 1, ratelimit.GuessBurst + ratelimit.GuessesPerHour},
		{512, 1, ratelimit.GuessBurst + ratelimit.GuessesPerHour},
		{10_000, 1, ratelimit.GuessBurst + ratelimit.GuessesPerHour},
		{512, 1000, 512 * (ratelimit.GuessBurst + ratelimit.GuessesPerHour)},
		{10_000, 1000, ratelimit.TotalGuessBurst + ratelimit.TotalPerHour},
	} {
		t.Run(fmt.Sprintf("%d sessions, %d addresses", c.sessions, c.addresses), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := lobby.New(lobby.Config{Seed: 1})
				defer l.Close()
				tried := 0
				for range 60 {
					for s := range c.sessions {
						n := s % c.addresses
						from := netip.AddrFrom16([16]byte{0x20, 1, 0xd, 0xb8, 6: byte(n >> 8), 7: byte(n), 15: byte(s)})
						for err := error(nil); ; tried++ {
							if _, _, err = l.Offers.Private(from, "AAA-AAA-AAA"); !errors.Is(err, lobby.ErrNoPrivate) {
								break
							}
						}
					}
					time.Sleep(time.Minute)
				}
				t.Logf("%d codes were tried", tried)
				if tried > c.most || tried < c.most*9/10 {
					t.Errorf("%d codes were tried, want at most %d", tried, c.most)
				}
			})
		})
	}
}

// TestGuessingTakesYears checks the arithmetic of SECURITY.md.
func TestGuessingTakesYears(t *testing.T) {
	const (
		open     = 10_000 // rooms, seats or link codes at the same time
		perYear  = ratelimit.TotalPerHour * 24 * 365.25
		expected = 8
	)
	for kind, length := range map[string]int{"room": code.PrivateLength, "link": code.LinkLength, "seat": code.ResumeLength} {
		if years := math.Pow(32, float64(length)) / open / perYear; years < expected {
			t.Errorf("a %s is guessed after %.1f years", kind, years)
		}
	}
}

// TestCodesAsTyped checks that case, hyphens and spaces do not matter, and that look-alike
// characters are replaced.
func TestCodesAsTyped(t *testing.T) {
	for typed, want := range map[string]string{
		"k3f97wqxm": "K3F-97W-QXM", " K3F 97W QXM ": "K3F-97W-QXM", "oO0-iIl-L1u": "000-111-11V", "UVu-2z5-s8b": "VVV-2Z5-S8B",
		"K3F-97W-QX": "", "K3F-97W-QXM1": "", "K3F/97W/QXM": "", "": "", "Ķ3F-97W-QXM": "",
	} {
		code, err := lobby.ParseCode(typed)
		if code != want && want != "" || (want == "") != errors.Is(err, lobby.ErrCode) {
			t.Errorf("%q: %q, %v, want %q", typed, code, err, want)
		}
	}
}
