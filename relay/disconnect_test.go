package relay_test

import (
	"errors"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/test/lobbytest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/relay"
)

// TestCut checks that Cut disconnects the selected clients, which lose their matches, and
// no others, and that clients that are no longer admitted cannot reconnect.
func TestCut(t *testing.T) {
	var shut atomic.Bool
	s, address, _ := open(t, relay.Config{HelloDelay: time.Millisecond, Admit: func(a netip.Addr) error {
		if shut.Load() {
			return errors.New("banned")
		}
		return nil
	}}, lobby.Config{})
	first, second := pair(t, address)
	third := dial(t, address)
	third.hear("(3,[]).\n")
	c, done := carried(s, relay.StreamClient{Player: account.Player{Kind: account.Program}, Directives: []string{"vs bot easy"}})
	c.t = t
	c.hear("(4,[]).\n(5,[]).\n")
	all := s.Clients()
	if len(all) != 3 {
		t.Fatalf("clients: %+v", all)
	}
	for i, c := range all {
		if c.Addr != netip.MustParseAddr("127.0.0.1") || i > 0 && c.ID <= all[i-1].ID {
			t.Errorf("client %d: %+v", i, c)
		}
	}
	if n := s.Disconnect(func(relay.ClientInfo) bool { return false }); n != 0 {
		t.Errorf("no client matched, but %d were cut", n)
	}

	shut.Store(true)
	if n := s.Disconnect(func(c relay.ClientInfo) bool { return c.ID == all[0].ID }); n != 1 {
		t.Errorf("cut: %d", n)
	}
	first.end()
	second.end() // its match is over; it was not cut
	gone(t, address)

	shut.Store(false)
	dial(t, address).hear("(4,[]).\n(5,[]).\n") // third has stayed, and waited
	third.hear("(5,[]).\n")
	if n := s.Disconnect(func(relay.ClientInfo) bool { return true }); n == 0 {
		t.Error("all clients matched, but none was cut")
	}
	third.end()
	c.say("(1,[0,0]).") // a carried client is cut with its SSH session, not here
	if line, err := c.line(); err != nil {
		t.Errorf("the carried client receives %q, %v", line, err)
	}
	c.nc.Close()
	if err := <-done; err != nil {
		t.Errorf("after the client has left: %v", err)
	}
}

// TestSessionEnded checks that a program whose session an operator ends receives the
// reason, is disconnected and loses its match.
func TestSessionEnded(t *testing.T) {
	l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1})
	t.Cleanup(l.Close)
	host := &session.Host{Lobby: l}
	_, address, _ := open(t, relay.Config{HelloDelay: time.Minute, Host: host}, lobby.Config{})
	greet := func(name string) *testClient {
		c := dial(t, address)
		c.say("% hello broadside/1 name=" + name + "\n% ready")
		c.hear("% ok hello\n% ok ready\n")
		return c
	}
	first, second := greet("squid"), (*testClient)(nil)
	first.hear("(3,[]).\n")
	second = greet("whale")
	second.hear("(4,[]).\n% opponent squid - casual\n(5,[]).\n")
	first.hear("% opponent whale - casual\n(5,[]).\n")
	called := func(c session.SessionInfo) bool { return c.Name() == "whale" && c.Conn == "p2" }
	if n := host.EndSessions(called, i18n.NewMessage("An operator has ended your session.")); n != 1 {
		t.Fatalf("%d sessions were ended of %+v", n, host.List())
	}
	second.hear("% error refused An operator has ended your session.\n% end\n")
	second.end()
	first.hear("% result won left shots=0\n% end\n")
	first.end()
	if left := host.List(); len(left) != 0 {
		t.Errorf("after all connections have ended, open are %+v", left)
	}
}
