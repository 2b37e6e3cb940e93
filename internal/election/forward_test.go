package election

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/proxy"
	"broadside/internal/ratelimit"
	"broadside/internal/test/memnet"
	"broadside/internal/test/must"
)

// listenTCP returns a listener.
func listenTCP(t *testing.T) net.Listener {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	t.Cleanup(func() { l.Close() })
	return l
}

// listenAsNode returns a listener of the active node, which trusts this machine as a node.
func listenAsNode(t *testing.T) net.Listener {
	l := proxy.Listen(listenTCP(t), nil, netip.Addr.IsLoopback)
	t.Cleanup(func() { l.Close() })
	return l
}

// startForwarding returns the listener of a forwarder with limits of all and perAddress connections.
func startForwarding(t *testing.T, l net.Listener, all, perAddress int, proxies ...netip.Prefix) *Listener {
	t.Helper()
	f := NewForwarder(slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		if err := f.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
	return f.NewListener("ssh", l, ratelimit.NewCount(all, perAddress), proxies)
}

func dial(t *testing.T, l interface{ Addr() net.Addr }) net.Conn {
	t.Helper()
	nc, err := net.Dial("tcp", l.Addr().String())
	return requireConn(t, nc, err)
}

func acceptConn(t *testing.T, l net.Listener) net.Conn {
	t.Helper()
	nc, err := l.Accept()
	return requireConn(t, nc, err)
}

func requireConn(t *testing.T, nc net.Conn, err error) net.Conn {
	t.Helper()
	must.Do(err)
	t.Cleanup(func() { nc.Close() })
	nc.SetDeadline(time.Now().Add(patience))
	return nc
}

// sendText sends a text, and checks that it arrives.
func sendText(t *testing.T, from, to net.Conn, text string) {
	t.Helper()
	must.Get(io.WriteString(from, text))
	b := make([]byte, len(text))
	if _, err := io.ReadFull(to, b); err != nil || string(b) != text {
		t.Fatalf("%q, %v instead of %q", b, err, text)
	}
}

// requireEnd checks that the other end has closed a connection without sending more.
func requireEnd(t *testing.T, nc net.Conn) {
	t.Helper()
	if n, err := nc.Read(make([]byte, 1)); n != 0 || err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("%d bytes, %v", n, err)
	}
}

func (f *Forwarder) follow(id string, l net.Listener) {
	f.SetActive(id, map[string]string{"ssh": l.Addr().String()})
}

// TestForward checks that a connection reaches the active node with the client's addresses,
// that each side can end by itself, and that the connection ends with the active node's time.
func TestForward(t *testing.T) {
	d, first, second := startForwarding(t, listenTCP(t), 10, 10), listenAsNode(t), listenAsNode(t)
	client := dial(t, d) // waits for an active node
	d.forwarder.follow("first", first)
	active := acceptConn(t, first)
	if active.RemoteAddr().String() != client.LocalAddr().String() || active.LocalAddr().String() != client.RemoteAddr().String() {
		t.Errorf("the active node sees a connection from %v to %v instead of %v to %v", active.RemoteAddr(), active.LocalAddr(), client.LocalAddr(), client.RemoteAddr())
	}
	sendText(t, client, active, "from the client")
	sendText(t, active, client, "from the active node")
	d.forwarder.follow("first", first) // changes nothing
	client.(*net.TCPConn).CloseWrite()
	requireEnd(t, active)
	sendText(t, active, client, "after the client's end")
	active.Close()
	requireEnd(t, client)

	client = dial(t, d)
	sendText(t, client, acceptConn(t, first), "again")
	d.forwarder.follow("second", second)
	requireEnd(t, client)
	client = dial(t, d)
	sendText(t, client, acceptConn(t, second), "to the other node")
	d.forwarder.SetActive("", nil)
	requireEnd(t, client)
}

// TestForwardFindsTheNextNode checks that a connection waits while the active node cannot be
// reached.
func TestForwardFindsTheNextNode(t *testing.T) {
	d, gone, next := startForwarding(t, listenTCP(t), 10, 10), listenTCP(t), listenAsNode(t)
	gone.Close()
	d.forwarder.follow("gone", gone)
	client := dial(t, d)
	time.AfterFunc(dialPause, func() { d.forwarder.follow("next", next) })
	sendText(t, client, acceptConn(t, next), "found")
}

// TestOpenListenerAccepts checks that connections, also those that wait or are forwarded, follow the
// node's role.
func TestOpenListenerAccepts(t *testing.T) {
	d, other := startForwarding(t, listenTCP(t), 10, 10), listenAsNode(t)
	if _, err := d.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("on a standby: %v", err)
	}
	d.forwarder.follow("other", other)
	forwarded := dial(t, d)
	sendText(t, forwarded, acceptConn(t, other), "forwarded")
	d.Open()
	requireEnd(t, forwarded)
	client := dial(t, d)
	sendText(t, client, acceptConn(t, d), "here")
	accepted := make(chan error)
	go func() {
		_, err := d.Accept()
		accepted <- err
	}()
	if d.Close(); !errors.Is(<-accepted, net.ErrClosed) || d.Close() != nil {
		t.Error("a closed listener accepts connections")
	}
	waiting := dial(t, d)
	d.Open()
	sendText(t, waiting, acceptConn(t, d), "waited")
	d.Close()
	d.forwarder.follow("other", other)
	forwarded = dial(t, d)
	sendText(t, forwarded, acceptConn(t, other), "forwarded again")
}

// TestNoCircle checks that two nodes do not pass a connection back and forth.
func TestNoCircle(t *testing.T) {
	a, b := startForwarding(t, listenTCP(t), 10, 10), startForwarding(t, listenAsNode(t), 10, 10)
	a.forwarder.follow("b", b)
	b.forwarder.follow("a", a)
	client := dial(t, a)
	waitUntilTrue(t, "for the connection to arrive", func() bool { return b.count.Total() > 0 })
	time.Sleep(2 * dialPause) // time to pass it back
	if n := a.count.Total(); n != 1 {
		t.Errorf("%d connections", n)
	}
	b.Open()
	sendText(t, client, acceptConn(t, b), "no circle")
}

// TestForwardLimits checks the limits in total and per address, and that they count only
// open connections.
func TestForwardLimits(t *testing.T) {
	for name, d := range map[string]*Listener{"per address": startForwarding(t, listenTCP(t), 10, 1), "in total": startForwarding(t, listenTCP(t), 1, 10)} {
		l := listenAsNode(t)
		d.forwarder.follow("active", l)
		client := dial(t, d)
		active := acceptConn(t, l)
		sendText(t, client, active, name)
		requireEnd(t, dial(t, d))
		client.Close()
		active.Close()
		waitUntilTrue(t, "for the connection to end", func() bool { return d.count.Total() == 0 })
		client = dial(t, d)
		sendText(t, client, acceptConn(t, l), name)
	}
	d, l := startForwarding(t, listenTCP(t), 10, 1, netip.MustParsePrefix("127.0.0.0/8")), listenAsNode(t)
	d.forwarder.follow("active", l)
	for range 2 {
		sendText(t, dial(t, d), acceptConn(t, l), "through a reverse proxy")
	}
}

// TestForwardTimes checks how long connections may wait.
func TestForwardTimes(t *testing.T) {
	t.Run("no active node", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f, network := NewForwarder(slog.New(slog.DiscardHandler)), memnet.New()
			defer f.Close()
			f.NewListener("ssh", network, ratelimit.NewCount(10, 10), nil)
			client, began := network.Dial(""), time.Now()
			if requireEnd(t, client); time.Since(began) != holdTime {
				t.Errorf("ended after %v", time.Since(began))
			}
		})
	})
	pair := func(network *memnet.Network) (far, near net.Conn) {
		accepted := make(chan net.Conn)
		go func() {
			nc, _ := network.Accept()
			accepted <- nc
		}()
		return network.Dial(""), <-accepted
	}
	for name, test := range map[string]struct {
		act  func(client, active net.Conn)
		want time.Duration
	}{
		"the client does not read":      {func(_, active net.Conn) { go active.Write(make([]byte, 1<<20)) }, writeTime},
		"the client stays":              {func(_, active net.Conn) { active.(*memnet.Conn).CloseWrite() }, lingerTime},
		"the active node does not read": {func(client, _ net.Conn) { go client.Write(make([]byte, 1<<20)) }, writeTime},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				network := memnet.New()
				client, from := pair(network)
				active, to := pair(network)
				began := time.Now()
				test.act(client, active)
				if forward(t.Context(), from, to); time.Since(began) != test.want {
					t.Errorf("ended after %v instead of %v", time.Since(began), test.want)
				}
				client.Close()
				active.Close()
			})
		})
	}
}
