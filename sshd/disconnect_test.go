package sshd_test

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/test/sshtest"
	"broadside/sshd"
)

// bans implements [sshd.Access] with bans that expire.
type bans struct {
	// mu guards the fields below.
	mu sync.Mutex
	// addrs and keys have the times until which they are banned.
	addrs map[netip.Addr]time.Time
	keys  map[string]time.Time
}

func (d *bans) CheckAddress(a netip.Addr) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if time.Now().Before(d.addrs[a]) {
		return errors.New("banned")
	}
	return nil
}

func (d *bans) CheckKey(_ context.Context, fingerprint string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if time.Now().Before(d.keys[fingerprint]) {
		return errors.New("you are banned for a while")
	}
	return nil
}

// userNames returns the users of all connections, which Disconnect chooses from.
func (h *testServer) userNames(t *testing.T) (names []string) {
	t.Helper()
	n := h.Disconnect(func(c sshd.Client) bool {
		if !c.Addr.IsValid() || c.Conn == 0 {
			t.Errorf("got client %+v", c)
		}
		names = append(names, c.User)
		return false
	}, i18n.NewMessage("x"))
	if n != 0 {
		t.Errorf("Disconnect that chooses no client = %d, want 0", n)
	}
	slices.Sort(names)
	return names
}

// TestDisconnectAndRefuse checks that Disconnect ends the selected connections in an orderly way and no others,
// and that banned clients can connect again later.
func TestDisconnectAndRefuse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &bans{addrs: map[netip.Addr]time.Time{}, keys: map[string]time.Time{}}
		h := startServerInBubble(t, func(c *sshd.Config) { c.Access = d })
		ann, bob := h.openTerminal(t, sshtest.Options{User: "ann"}), h.openTerminal(t, sshtest.Options{User: "bob"})
		stuck := h.connect(t, "stuck")
		sshtest.Open(t, stuck.Client, sshtest.Options{}).WaitText("hello")
		stuck.freeze()
		if n := h.Disconnect(func(c sshd.Client) bool { return c.User == "stuck" }, i18n.NewMessage("x")); n != 1 {
			t.Errorf("Disconnect = %d", n)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if log := h.log.String(); !strings.Contains(log, "user=stuck key= reason=expelled after=2s") {
			t.Errorf("a client that does not read was not disconnected:\n%s", log)
		}
		stuck.Close()
		if users := h.userNames(t); !slices.Equal(users, []string{"ann", "bob"}) {
			t.Fatalf("got users %v", users)
		}
		d.mu.Lock()
		// This bans guests, who have no key.
		d.keys[""] = time.Now().Add(time.Hour)
		d.mu.Unlock()
		if n := h.Disconnect(func(c sshd.Client) bool { return c.User == "ann" }, i18n.NewMessage("You have to go.")); n != 1 {
			t.Errorf("Disconnect = %d", n)
		}
		if status := ann.Wait(); status != 0 || !strings.Contains(ann.Screen(), "You have to go.") {
			t.Errorf("got exit status %d:\n%s", status, ann.Screen())
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if left := h.userNames(t); !slices.Equal(left, []string{"bob"}) {
			t.Errorf("terminal modes left on: %v", left)
		}
		late := sshtest.Open(t, h.connect(t, "ann").Client, sshtest.Options{})
		late.WaitText("You are banned for a while.")
		if status := late.Wait(); status != 1 {
			t.Errorf("refused user: got exit status %d", status)
		}
		bob.Press("q")
		bob.Wait()
		time.Sleep(time.Hour)
		h.openTerminal(t, sshtest.Options{User: "ann"})
	})
}
