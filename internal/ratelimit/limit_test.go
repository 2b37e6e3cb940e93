package ratelimit_test

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/ratelimit"
)

func parseAddr(s string) netip.Addr {
	if s == "" {
		return netip.Addr{}
	}
	return netip.MustParseAddr(s)
}

func TestCount(t *testing.T) {
	c := ratelimit.NewCount(5, 2)
	take := func(a string, want error) {
		t.Helper()
		if err := c.Acquire(parseAddr(a)); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", a, err, want)
		}
	}
	take("2001:db8::1", nil)
	take("2001:db8::ffff:2", nil)
	take("2001:db8::3", ratelimit.ErrAddressFull) // of the same network
	take("2001:db8:0:1::1", nil)
	take("198.51.100.1", nil)
	take("::ffff:198.51.100.1", nil) // the same, written otherwise
	take("198.51.100.2", ratelimit.ErrFull)
	if c.Total() != 5 {
		t.Errorf("counted %d", c.Total())
	}
	c.Release(parseAddr("2001:db8::9"))
	take("198.51.100.1", ratelimit.ErrAddressFull)
	take("", nil)
	c.SetLimits(9, 1)
	take("2001:db8::4", ratelimit.ErrAddressFull)
	take("192.0.2.1", nil)
	for _, a := range []string{"2001:db8::1", "2001:db8:0:1::1", "198.51.100.1", "198.51.100.1", "", "192.0.2.1"} {
		c.Release(parseAddr(a))
	}
	if c.Total() != 0 {
		t.Errorf("%d are left", c.Total())
	}
}

func TestCountFromManyGoroutines(t *testing.T) {
	c := ratelimit.NewCount(10, 100)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			for range 200 {
				if c.Acquire(parseAddr("192.0.2.1")) == nil {
					if n := c.Total(); n > 10 {
						t.Errorf("%d at once", n)
					}
					c.Release(parseAddr("192.0.2.1"))
				}
			}
		})
	}
	wg.Wait()
	if c.Total() != 0 {
		t.Errorf("%d are left", c.Total())
	}
}

func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := ratelimit.NewRate(60, 3)
		a, b := parseAddr("2001:db8::1"), parseAddr("198.51.100.1")
		for i := range 3 {
			if r.IsExceeded(a) || !r.Allow(a) {
				t.Fatalf("refused at %d", i)
			}
		}
		if !r.IsExceeded(a) || r.Allow(parseAddr("2001:db8::2")) {
			t.Error("a fourth one was let pass")
		}
		if r.IsExceeded(b) || !r.Allow(b) {
			t.Error("another address pays for it")
		}
		time.Sleep(time.Second)
		if r.IsExceeded(a) || !r.Allow(a) || r.Allow(a) {
			t.Error("not one a second")
		}
		r.SetLimits(60, 3) // changes nothing
		if r.Allow(a) {
			t.Error("setting the same pace has given tokens")
		}
		r.SetLimits(60, 1)
		if !r.Allow(a) || r.Allow(a) {
			t.Error("not the new pace")
		}
	})
}

// TestRateForgets uses more addresses than the limit remembers.
func TestRateForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := ratelimit.NewRate(60, 1)
		at := func(i int) netip.Addr {
			return netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
		}
		const many = 1<<16 + 10
		for i := range many {
			if !r.Allow(at(i)) {
				t.Fatalf("address %d is refused", i)
			}
		}
		if r.Allow(at(0)) || !r.Allow(at(many-1)) {
			t.Error("the first are not paced, or those beyond the bound are refused")
		}
		time.Sleep(2 * time.Minute)
		if !r.Allow(at(many-1)) || r.Allow(at(many-1)) {
			t.Error("those that have been quiet are not forgotten")
		}
	})
}

type text string

func (text) Network() string  { return "tcp" }
func (s text) String() string { return string(s) }

func TestAddress(t *testing.T) {
	for in, want := range map[string]string{
		"198.51.100.1:22": "198.51.100.1", "[::ffff:198.51.100.1]:22": "198.51.100.1",
		"[fe80::1%eth0]:22": "fe80::1", "pipe": "",
	} {
		if a := ratelimit.IPAddress(text(in)); a != parseAddr(want) {
			t.Errorf("%s is %v", in, a)
		}
	}
	var _ net.Addr = text("")
}
