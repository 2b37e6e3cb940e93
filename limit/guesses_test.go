package limit_test

import (
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"broadside/limit"
)

func TestGuesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g limit.Guesses
		a, b := addr("2001:db8::1"), addr("198.51.100.1")
		try := func(a netip.Addr, want error) func() {
			t.Helper()
			right, err := g.Try(a)
			if !errors.Is(err, want) {
				t.Fatalf("%v, want %v", err, want)
			}
			return right
		}
		for range 10 * limit.GuessBurst { // right codes cost nothing
			try(a, nil)()
		}
		for range limit.GuessBurst {
			try(addr("2001:db8::2"), nil)
		}
		try(a, limit.ErrGuesses) // of the same network
		try(b, nil)
		time.Sleep(time.Hour / limit.GuessesPerHour)
		try(a, nil)
		try(a, limit.ErrGuesses)
		time.Sleep(24 * time.Hour)
		for range limit.GuessBurst { // a day does not save up more
			try(a, nil)
		}
		try(a, limit.ErrGuesses)
		for i := range limit.TotalGuessBurst - limit.GuessBurst {
			try(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), nil)
		}
		try(b, limit.ErrTotalGuesses)
		time.Sleep(time.Minute)
		try(b, nil)
	})
}
