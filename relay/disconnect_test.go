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

// TestDisconnect checks that the selected clients are disconnected and lose their matches, that others
// stay, and that clients that are no longer admitted cannot reconnect.
func TestDisconnect(t *testing.T) {
	var banned atomic.Bool
	s, address, _ := startServer(t, relay.Config{HelloDelay: time.Millisecond, Admit: func(a netip.Addr) error {
		if banned.Load() {
			return errors.New("banned")
		}
		return nil
	}}, lobby.Config{})
	first, second := startMatch(t, address)
	third := dial(t, address)
	third.expect("(3,[]).\n")
	c, done := serveStream(s, relay.StreamClient{Player: account.Player{Kind: account.Program}, Directives: []string{"vs bot easy"}})
	c.t = t
	c.expect("(4,[]).\n(5,[]).\n")
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
		t.Errorf("Disconnect without a match = %d, want 0", n)
	}

	banned.Store(true)
	if n := s.Disconnect(func(c relay.ClientInfo) bool { return c.ID == all[0].ID }); n != 1 {
		t.Errorf("Disconnect of one client = %d, want 1", n)
	}
	first.expectClosed()
	// The second client's match is over.
	second.expectClosed()
	expectRefused(t, address)

	banned.Store(false)
	// The third client has stayed and waited for an opponent.
	dial(t, address).expect("(4,[]).\n(5,[]).\n")
	third.expect("(5,[]).\n")
	if n := s.Disconnect(func(relay.ClientInfo) bool { return true }); n == 0 {
		t.Error("Disconnect of all clients = 0")
	}
	third.expectClosed()
	// A stream client ends with its SSH session.
	c.send("(1,[0,0]).")
	if line, err := c.readLine(); err != nil {
		t.Errorf("the stream client received %q, %v, want a result", line, err)
	}
	c.nc.Close()
	if err := <-done; err != nil {
		t.Errorf("ServeStream after the client left: %v", err)
	}
}

// TestOperatorEndsSession checks that a program whose session an operator ends receives the
// reason, is disconnected and loses its match.
func TestOperatorEndsSession(t *testing.T) {
	l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1})
	t.Cleanup(l.Close)
	host := &session.Host{Lobby: l}
	_, address, _ := startServer(t, relay.Config{HelloDelay: time.Minute, Host: host}, lobby.Config{})
	greet := func(name string) *testClient {
		c := dial(t, address)
		c.send("% hello broadside/1 name=" + name + "\n% ready")
		c.expect("% ok hello\n% ok ready\n")
		return c
	}
	first, second := greet("squid"), (*testClient)(nil)
	first.expect("(3,[]).\n")
	second = greet("whale")
	second.expect("(4,[]).\n% opponent squid - casual\n(5,[]).\n")
	first.expect("% opponent whale - casual\n(5,[]).\n")
	called := func(c session.SessionInfo) bool { return c.Name() == "whale" && c.Conn == "p2" }
	if n := host.EndSessions(called, i18n.NewMessage("An operator has ended your session.")); n != 1 {
		t.Fatalf("%d sessions were ended of %+v", n, host.List())
	}
	second.expect("% error refused An operator has ended your session.\n% end\n")
	second.expectClosed()
	first.expect("% result won left shots=0\n% end\n")
	first.expectClosed()
	if left := host.List(); len(left) != 0 {
		t.Errorf("after all connections have ended, open are %+v", left)
	}
}
