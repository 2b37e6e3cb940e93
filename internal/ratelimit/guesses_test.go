package ratelimit_test

import (
	"errors"
	"net/netip"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/ratelimit"
)

func TestGuesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g ratelimit.Guesses
		a, b := addr("2001:db8::1"), addr("198.51.100.1")
		try := func(a netip.Addr, want error) {
			t.Helper()
			end, err := g.Try(a)
			if !errors.Is(err, want) {
				t.Fatalf("%v, want %v", err, want)
			}
			if err == nil {
				end(false)
			}
		}
		for range ratelimit.GuessBurst {
			try(addr("2001:db8::2"), nil)
		}
		try(a, ratelimit.ErrGuesses) // of the same network
		try(b, nil)
		time.Sleep(time.Hour / ratelimit.GuessesPerHour)
		try(a, nil)
		try(a, ratelimit.ErrGuesses)
		time.Sleep(24 * time.Hour)
		for range ratelimit.GuessBurst { // unused guesses do not add up over a day
			try(a, nil)
		}
		try(a, ratelimit.ErrGuesses)
		for i := range ratelimit.TotalGuessBurst - ratelimit.GuessBurst {
			try(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), nil)
		}
		try(b, ratelimit.ErrTotalGuesses)
		time.Sleep(time.Minute)
		try(b, nil)
	})
}

// TestGuessesAtOnce checks codes that many people at one address enter at the same moment:
// the lookups wait for each other, right codes cost nothing, and no more wrong ones are
// possible than one after the other.
func TestGuessesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const people = 10 * ratelimit.GuessBurst
		var g ratelimit.Guesses
		var allowed, refused atomic.Int64
		enter := func(right bool) {
			for range people {
				go func() {
					end, err := g.Try(addr("198.51.100.1"))
					if err != nil {
						refused.Add(1)
						return
					}
					allowed.Add(1)
					time.Sleep(time.Millisecond)
					end(right)
				}()
			}
			synctest.Wait()
			if n := allowed.Load(); n != ratelimit.GuessBurst {
				t.Errorf("%d codes are looked up at once, want %d", n, ratelimit.GuessBurst)
			}
			time.Sleep(time.Second)
		}
		enter(true)
		if n := allowed.Swap(0); n != people || refused.Load() > 0 {
			t.Errorf("%d right codes are looked up, %d are refused", n, refused.Load())
		}
		enter(false)
		if n := allowed.Load(); n != ratelimit.GuessBurst || refused.Load() != people-ratelimit.GuessBurst {
			t.Errorf("%d wrong codes are looked up, %d are refused", n, refused.Load())
		}
	})
}
